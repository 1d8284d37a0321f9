// Several references of an utterance as one word network, and the best paths through it and the hypothesis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/watch.hpp"
#include "word.hpp"

namespace alignment {

// Types that are no words: marks around and between alternatives, any words, and the null word.
inline constexpr Type open_mark = -1;
inline constexpr Type bar_mark = -2;
inline constexpr Type close_mark = -3;
inline constexpr Type wildcard_type = -4;
inline constexpr Type null_type = -5;

// References are bits of a word.
inline constexpr std::int64_t most_references = 64;

// Rows of types: row k is types[offsets[k] .. offsets[k + 1]).
struct Rows {
    const Type* types;
    const std::int64_t* offsets;
    const std::string_view* texts;  // of each type; null unless neighbours are joined

    Sequence operator[](std::int64_t row) const {
        return {types + offsets[row], offsets[row + 1] - offsets[row]};
    }
    const std::string_view* texts_of(std::int64_t row) const { return texts + offsets[row]; }
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
    // Both paths are those of sclite's alignment of one reference, whose edits are kept.
    bool by_sclite = false;
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
    // The edits of alignments by sclite, which other paths do not have.
    std::vector<std::uint8_t> edits;
    std::vector<std::int64_t> edit_offsets{0};
    std::vector<std::int32_t> counts;  // four of each utterance

    // Adds the paths of the utterances that follow.
    void append(Paths more) {
        if (offsets.size() == 1) {
            *this = std::move(more);
            return;
        }
        for (std::size_t at = 0; at < more.cuts.size(); at += 4) {
            more.cuts[at] += static_cast<std::int32_t>(offsets.size()) - 1;
        }
        const auto join = [](auto& column, const auto& rest) { column.insert(column.end(), rest.begin(), rest.end()); };
        const auto shift = [](std::vector<std::int64_t>& column, const std::vector<std::int64_t>& rest) {
            const std::int64_t base = column.back();
            std::transform(rest.begin() + 1, rest.end(), std::back_inserter(column),
                           [base](std::int64_t offset) { return base + offset; });
        };
        shift(offsets, more.offsets);
        shift(heard_offsets, more.heard_offsets);
        shift(edit_offsets, more.edit_offsets);
        join(whole, more.whole);
        join(places, more.places);
        join(sources, more.sources);
        join(cuts, more.cuts);
        join(shortest, more.shortest);
        join(heard, more.heard);
        join(costs, more.costs);
        join(edits, more.edits);
        join(counts, more.counts);
    }
};

// At most so many threads. Throws std::invalid_argument if alternatives are not closed or opened.
Paths best_paths(const Rows& references, const Rows& hypotheses, std::int64_t utterances,
                 std::int64_t number, const PathRules& rules, std::int64_t threads, Watch& watch);

}  // namespace alignment
