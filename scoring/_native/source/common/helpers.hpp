// Threads that help a call; they end with it, however it ends.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
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
