// Long computations ask about ten times a second whether they are still wanted.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

// One per thread: the loops of a computation tell it what they do.
class Watch {
public:
    // `ask` throws to end the computation; false: there is nothing more to ask about.
    explicit Watch(std::function<bool()> ask) : ask_(std::move(ask)) {}

    // So many steps, of about a nanosecond each, are done next.
    void spend(std::int64_t steps) {
        spent_ += steps;
        if (spent_ >= a_while) look();
    }

    // Asks if the last time is a tenth of a second ago.
    void look() {
        spent_ = 0;
        if (!ask_) return;
        const auto now = std::chrono::steady_clock::now();
        if (last_ == std::chrono::steady_clock::time_point{}) last_ = now;
        if (now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        if (!ask_()) ask_ = nullptr;
    }

private:
    static constexpr std::int64_t a_while = 1'000'000;

    std::function<bool()> ask_;
    std::int64_t spent_ = 0;
    std::chrono::steady_clock::time_point last_{};
};
