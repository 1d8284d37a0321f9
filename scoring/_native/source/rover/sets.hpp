// Sets of facing words of several recognisers, as rover aligns them, and the vote over them. No Python here.
#pragma once

#include <cstdint>
#include <vector>

#include "../alignment/network.hpp"
#include "../common/watch.hpp"

namespace rover {

// The null word, which recognisers without a word are given.
constexpr std::int32_t no_word = 0;

// The columns of the words of all files; a word is its index in them.
struct Words {
    const std::int32_t* compared = nullptr;  // number of the text of a word that is added
    const std::int32_t* voted = nullptr;     // and of one that is part of a set
    const double* starts = nullptr;
    const double* finishes = nullptr;
    const double* confidences = nullptr;
};

// The costs of the texts.
struct TextCosts {
    const double* singles = nullptr;  // of a word without a partner
    const double* weights = nullptr;  // their sum is the cost of two different words
    std::int32_t null_text = 0;
    bool by_time = false;  // words cost what their times differ by
};

struct Range {
    std::int64_t begin, end;
};

// The members of set n are members[offsets[n] .. offsets[n + 1]).
struct Sets {
    std::vector<std::int32_t> members;
    std::vector<std::int64_t> offsets{0};
    std::int64_t uncombined = 0;  // words without an affordable alignment

    std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};

// Aligns the words of each file, a range of word numbers, with those of the files before. Throws std::overflow_error
// if a file or the sets before it have more than `most_arcs` words.
Sets aligned(const Words& words, const TextCosts& costs, const std::vector<Range>& files, std::int64_t most_arcs,
             Watch& watch);

enum class Rule { mean = 0, largest = 1, share = 2 };

// The text with the best score in a set, and the means over the words that have it.
struct Winner {
    std::int32_t text;
    double start, duration, confidence;
};

constexpr std::int64_t most_texts = 49;

// The winner of each set, up to the first set that has none or more than `most_texts` texts.
std::vector<Winner> winners(const Words& words, const std::int32_t* members, const std::int64_t* offsets,
                            std::int64_t sets, Rule rule, double alpha);

}  // namespace rover
