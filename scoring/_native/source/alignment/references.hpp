// Several references of an utterance as one word network, and the best paths through it and the hypothesis.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../common/watch.hpp"
#include "word.hpp"

namespace alignment {

// Types that are no words: marks around and between alternatives, and any words.
inline constexpr Type open_mark = -1;
inline constexpr Type bar_mark = -2;
inline constexpr Type close_mark = -3;
inline constexpr Type wildcard_type = -4;

// References are bits of a word.
inline constexpr std::int64_t most_references = 64;

// Rows of types: row k is types[offsets[k] .. offsets[k + 1]).
struct Rows {
    const Type* types;
    const std::int64_t* offsets;
    const std::string* texts;  // of each type; null unless neighbours are joined

    Sequence operator[](std::int64_t row) const {
        return {types + offsets[row], offsets[row + 1] - offsets[row]};
    }
    const std::string* texts_of(std::int64_t row) const { return texts + offsets[row]; }
};

// Matches of neighbours that are written apart: nothing, words that are written together, others written apart in
// other places.
enum class Compounds { none = 0, words = 1, any = 2 };

// The costs of paths, and whether the longest reference is taken of equally cheap ones.
struct PathRules {
    double substitution;
    double deletion;
    double insertion;
    bool prefers_length;
    Compounds compounds;
};

// The columns that `best_paths` of the plain twin describes.
struct Paths {
    std::vector<std::int32_t> whole;
    std::vector<std::int32_t> places;
    std::vector<std::int32_t> sources;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int32_t> cuts;
    std::vector<std::int32_t> shortest;
    std::vector<std::int32_t> heard;
    std::vector<std::int64_t> heard_offsets{0};
    std::vector<double> costs;
};

// Throws std::invalid_argument if alternatives are not closed or opened.
Paths best_paths(const Rows& references, const Rows& hypotheses, std::int64_t utterances,
                 std::int64_t number, const PathRules& rules, Watch& watch);

}  // namespace alignment
