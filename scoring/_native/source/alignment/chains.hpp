// Aligns plain sequences of words whose costs differ from word to word, in single precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../common/watch.hpp"
#include "network.hpp"

namespace alignment {

// Words in columns. Weights are used under Pricing::weights, starts and ends under Pricing::times.
struct Chain {
    std::int64_t words = 0;
    const std::int32_t* types = nullptr;
    const double* singles = nullptr;  // cost of the word against nothing
    const double* weights = nullptr;
    const double* starts = nullptr;
    const double* ends = nullptr;
};

// Does what align() of network.hpp does where both networks are chains without null words.
class ChainAligner {
public:
    ChainAligner(Pricing pricing, Watch& watch) : pricing_(pricing), watch_(watch) {}

    // Appends the edits, none if nothing is affordable: 0 correct, 1 substitution, 2 deletion,
    // 3 insertion.
    void align(const Chain& reference, const Chain& hypothesis, std::vector<std::uint8_t>& edits) {
        rows_ = reference.words + 1;
        steps_.assign(static_cast<std::size_t>((rows_ * (hypothesis.words + 1) + 3) / 4), 0);
        before_.assign(static_cast<std::size_t>(rows_), 0.0F);
        costs_.resize(before_.size());
        for (std::int64_t a = 1; a < rows_; ++a) {
            const auto at = static_cast<std::size_t>(a);
            before_[at] = before_[at - 1] + static_cast<float>(reference.singles[a - 1]);
            keep(a, 0, deletion);
        }
        for (std::int64_t b = 1; b <= hypothesis.words; ++b) {
            watch_.spend(4 * rows_);
            column(reference, hypothesis, b);
            before_.swap(costs_);
        }
        if (before_.back() < unaffordable) walk_back(reference, hypothesis, edits);
    }

private:
    enum Step : unsigned { diagonal = 0, deletion = 2, insertion = 3 };
    static constexpr float unaffordable = 999999.9F;

    void column(const Chain& reference, const Chain& hypothesis, std::int64_t b) {
        const auto inserted = static_cast<float>(hypothesis.singles[b - 1]);
        costs_[0] = before_[0] + inserted;
        keep(0, b, insertion);
        for (std::int64_t a = 1; a < rows_; ++a) {
            const auto at = static_cast<std::size_t>(a);
            const float substituting = before_[at - 1] + pair_cost(reference, a, hypothesis, b);
            const float deleting =
                costs_[at - 1] + static_cast<float>(reference.singles[a - 1]);
            const float inserting = before_[at] + inserted;
            if (substituting <= deleting && substituting <= inserting) {
                costs_[at] = substituting;
            } else if (deleting < inserting) {
                costs_[at] = deleting;
                keep(a, b, deletion);
            } else {
                costs_[at] = inserting;
                keep(a, b, insertion);
            }
        }
    }

    static bool match(const Chain& reference, std::int64_t a, const Chain& hypothesis,
                      std::int64_t b) {
        return reference.types[a - 1] == hypothesis.types[b - 1];
    }

    // Sums are taken in double precision, then rounded.
    float pair_cost(const Chain& reference, std::int64_t a, const Chain& hypothesis,
                    std::int64_t b) const {
        const bool same = match(reference, a, hypothesis, b);
        if (pricing_ == Pricing::times) {
            const double apart = std::fabs(reference.starts[a - 1] - hypothesis.starts[b - 1]) +
                                 std::fabs(reference.ends[a - 1] - hypothesis.ends[b - 1]);
            return static_cast<float>(apart + (same ? 0.0 : 0.001));
        }
        if (same) return 0.0F;
        if (pricing_ == Pricing::standard) return 4.0F;
        return static_cast<float>(reference.weights[a - 1] + hypothesis.weights[b - 1]);
    }

    void keep(std::int64_t a, std::int64_t b, Step step) {
        const auto cell = static_cast<std::size_t>(b * rows_ + a);
        steps_[cell / 4] = static_cast<std::uint8_t>(steps_[cell / 4] | step << cell % 4 * 2);
    }

    unsigned kept(std::int64_t a, std::int64_t b) const {
        const auto cell = static_cast<std::size_t>(b * rows_ + a);
        return steps_[cell / 4] >> cell % 4 * 2 & 3U;
    }

    void walk_back(const Chain& reference, const Chain& hypothesis,
                   std::vector<std::uint8_t>& edits) const {
        const auto begin = static_cast<std::ptrdiff_t>(edits.size());
        std::int64_t a = reference.words;
        std::int64_t b = hypothesis.words;
        while (a > 0 || b > 0) {
            const unsigned step = kept(a, b);
            const bool pair = step == diagonal;
            edits.push_back(static_cast<std::uint8_t>(
                pair ? (match(reference, a, hypothesis, b) ? 0U : 1U) : step));
            a -= pair || step == deletion;
            b -= pair || step == insertion;
        }
        std::reverse(edits.begin() + begin, edits.end());
    }

    Pricing pricing_;
    Watch& watch_;
    std::int64_t rows_ = 0;
    std::vector<std::uint8_t> steps_;  // two bits per cell
    std::vector<float> before_, costs_;  // of a column of the table and the one before it
};

}  // namespace alignment
