// Sums over units drawn with replacement, replication after replication.
#pragma once

#include <cstdint>
#include <vector>

#include "../common/watch.hpp"

namespace resampling {

// Rows of `width` numbers each.
struct Rows {
    const std::int64_t* data;
    std::int64_t count;
    std::int64_t width;

    const std::int64_t* operator[](std::int64_t row) const { return data + row * width; }
};

// Distributions of whole numbers: table t yields firsts[t] + the place of the first threshold
// that is not below a random word. The last threshold is the greatest word.
struct Tables {
    const std::uint64_t* thresholds;
    const std::int64_t* firsts;
    std::int64_t count;
    std::int64_t width;
};

// A plan of scoring.stats.resampling.
struct Plan {
    Rows units;
    Rows groups;
    const std::int64_t* group_tables;
    Rows singles;
    std::int64_t singles_table;
    Tables tables;
};

// Writes the sums of replication after replication, a row each; `threads` from 1.
void resample(const Plan& plan, std::uint64_t seed, std::int64_t replications, int threads, Watch& watch,
              std::int64_t* sums);

}  // namespace resampling
