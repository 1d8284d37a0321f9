// Texts of two columns cut into words, folded, numbered and aligned row by row.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "../alignment/linear.hpp"
#include "texts.hpp"

namespace arrow {

enum class Unit { word, character, character_or_blank };

// The folded form of each code point beyond ASCII that folding changes; ASCII is folded by itself.
using Folds = std::unordered_map<std::uint32_t, std::string>;

struct Manner {
    Unit unit;
    const Folds* folds;  // none: case counts
    alignment::Costs costs;
    alignment::Ties ties;
    int threads;  // at most so many
};

// Receives four counts per row and, unless null, the length of each row's edits. Returns the edits
// of all rows, block by block. A null is a text without words.
std::vector<std::vector<std::uint8_t>> align(const Texts& references, const Texts& hypotheses,
                                             const Manner& manner, std::int64_t* lengths,
                                             std::int32_t* counts, Watch& watch);

// The rows that have errors, by their four counts, and neighbours that together spell a word of the other side. With
// `several` those in which they may spell several words; all in which they do are among them.
std::vector<std::int64_t> rows_of_compounds(const Texts& references, const Texts& hypotheses, const Folds* folds,
                                            bool several, const std::int32_t* counts, Watch& watch);

// Puts the edits of all rows one after the other: those of each row at its place.
void join(std::vector<std::vector<std::uint8_t>> edits, const std::int64_t* places, int threads,
          std::uint8_t* out, Watch& watch);

}  // namespace arrow
