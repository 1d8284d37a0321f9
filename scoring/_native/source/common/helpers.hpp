// Threads that help a call; they end with it, however it ends.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "watch.hpp"

class Helpers {
public:
    explicit Helpers(Watch& watch) : watch_(watch) {}
    ~Helpers() {
        failed_ = true;
        for (std::thread& one : threads_) one.join();
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    std::size_t size() const { return threads_.size(); }
    bool failed() const { return failed_; }

    // Runs `work(watch)` in a thread of its own; false if there are no more to be had.
    template <class Work>
    bool start(Work work) {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            ++running_;
        }
        try {
            threads_.emplace_back([this, work = std::move(work)] {
                Watch watch([this] {
                    if (failed_) throw Unwanted();
                    return true;
                });
                std::exception_ptr problem;
                try {
                    work(watch);
                } catch (...) {
                    problem = std::current_exception();
                }
                end(problem);
            });
        } catch (const std::system_error&) {
            end(nullptr);
            return false;
        }
        return true;
    }

    // Waits for all of them; throws what the first that failed threw.
    void finish() {
        std::unique_lock<std::mutex> lock(mutex_);
        while (!ended_.wait_for(lock, std::chrono::milliseconds(50), [this] { return running_ == 0; })) {
            lock.unlock();
            watch_.look();
            lock.lock();
        }
        if (problem_) std::rethrow_exception(problem_);
    }

private:
    struct Unwanted {};

    void end(const std::exception_ptr& problem) {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (problem && !problem_) problem_ = problem;
            if (problem) failed_ = true;
            --running_;
        }
        ended_.notify_all();
    }

    Watch& watch_;
    std::atomic<bool> failed_{false};
    std::mutex mutex_;
    std::condition_variable ended_;
    int running_ = 0;
    std::exception_ptr problem_;
    std::vector<std::thread> threads_;
};

// Does stretches 0, 1 … of some work in at most so many threads, the caller's included. In each,
// `make(watch)` gives what does one of them: what it reads often is to be its own, as threads that
// read what lies next to what others write wait for each other.
template <class Make>
void share(std::int64_t stretches, std::int64_t threads, Watch& watch, const Make& make) {
    std::atomic<std::int64_t> next{0};
    Helpers helpers(watch);
    const auto work = [&](Watch& own) {
        auto one = make(own);
        while (!helpers.failed()) {
            const std::int64_t stretch = next++;
            if (stretch >= stretches) return;
            one(stretch);
        }
    };
    // a thread is worth starting for some stretches of its own
    const std::int64_t worth = std::min<std::int64_t>(threads, 1 + stretches / 8);
    for (std::int64_t more = 1; more < worth; ++more) {
        if (!helpers.start(work)) break;
    }
    work(watch);
    helpers.finish();
}
