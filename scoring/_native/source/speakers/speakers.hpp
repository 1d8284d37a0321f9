// Words of several speakers against those of several streams, as numbers.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "../common/watch.hpp"

namespace speakers {

// A sequence of words; without times any two words may be paired. Times are ranks: only their order
// counts, so that the caller, who ranks them, decides exactly.
struct Words {
    const std::int32_t* ids = nullptr;
    const std::int64_t* begins = nullptr;
    const std::int64_t* ends = nullptr;
    std::int64_t count = 0;

    bool timed() const { return begins != nullptr; }
    Words part(std::int64_t first, std::int64_t last) const {
        if (!timed()) return {ids + first, nullptr, nullptr, last - first};
        return {ids + first, begins + first, ends + first, last - first};
    }
};

inline bool may_pair(const Words& one, std::int64_t i, const Words& other, std::int64_t j) {
    return !one.timed() || (one.begins[i] < other.ends[j] && other.begins[j] < one.ends[i]);
}

// The change of costs from each of 64 places to the next: by 1 up, by 1 down, or not at all.
struct Changes {
    std::uint64_t rises = ~std::uint64_t{0}, falls = 0;

    // One more word of the other side, which may be paired with any and is the `same` as some
    // (Myers). `across` is by how much the cost before the first of these places has changed with
    // that word; what is given back is that after so many places.
    int take(std::uint64_t same, int across, int places) {
        const std::uint64_t vertical = same | falls;
        same |= across < 0 ? 1U : 0U;
        const std::uint64_t sideways = (((same & rises) + rises) ^ rises) | same;
        std::uint64_t up = falls | ~(sideways | rises);
        std::uint64_t down = rises & sideways;
        const int last = static_cast<int>(up >> (places - 1) & 1U) - static_cast<int>(down >> (places - 1) & 1U);
        up = up << 1 | (across > 0 ? 1U : 0U);
        down = down << 1 | (across < 0 ? 1U : 0U);
        rises = down | ~(vertical | up);
        falls = up & vertical;
        return last;
    }
};

inline int ones(std::uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_popcountll(bits);
#else
    int count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
#endif
}

// The reach of times: the latest end up to a word, the earliest begin from a word on.
struct Reach {
    explicit Reach(const Words& words);
    // The first word that may be paired with what begins then, and the first of those that may not
    // be paired with what ends then, nor may any after it.
    std::int64_t first(std::int64_t begin) const;
    std::int64_t last(std::int64_t end) const;

    std::vector<std::int64_t> ends, begins;
};

// The fewest edits between two sequences.
std::int64_t distance(const Words& left, const Words& right, std::int64_t known, Watch& watch);

// The edits from the end: an insertion where one is cheapest, else a deletion, else a pair.
void align(const Words& left, const Words& right, Watch& watch, std::vector<std::uint8_t>& edits);

// Segments of chains, in the order of each chain, to be laid on streams.
struct Segments {
    std::vector<std::vector<Words>> chains;
};

struct Step {
    std::int32_t chain, stream;
};

struct Combined {
    std::int64_t cost = -1;  // -1: larger than what is allowed
    std::vector<Step> path;
};

// The cheapest way to lay all segments on streams. `alone`: the segments are one chain, and a timed
// one does not go to a stream silent at its time.
Combined combine(const Segments& segments, const std::vector<Words>& streams, bool alone,
                 double most_updates, double most_bytes, Watch& watch);

// A good way: segments moved singly as long as that helps, from a first choice.
std::int64_t combine_greedily(const std::vector<Words>& segments, const std::vector<Words>& streams, std::int64_t known,
                              std::vector<std::int32_t>& choice, Watch& watch);

}  // namespace speakers
