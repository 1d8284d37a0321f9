// Aligns two word graphs step by step as sclite does, in single precision unless errors are counted.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "../common/watch.hpp"

namespace alignment {

enum class Pricing { standard = 0, weights = 1, times = 2, errors = 3 };

// Marks of arcs that are no single words. Joined ones stand for neighbours that together spell a word; they face
// what they match alone, those that are `joined` no other joined one.
enum Mark : std::uint8_t { word = 0, null_word = 1, wildcard = 2, joined = 3, joined_alike = 4 };

// Arcs are numbered 1..arcs so that predecessors come before; arc 0 is the beginning.
// Arrays are indexed by arc - 1.
struct Network {
    std::int64_t arcs = 0;
    const std::int32_t* types = nullptr;
    // Predecessors of arc a: list[offsets[a - 1] .. offsets[a]); null for a chain.
    const std::int32_t* predecessor_offsets = nullptr;
    const std::int32_t* predecessor_list = nullptr;
    std::vector<std::int32_t> finals;
    const std::uint8_t* nulls = nullptr;
    const double* singles = nullptr;  // cost of the arc against nothing
    const double* weights = nullptr;
    const double* starts = nullptr;
    const double* ends = nullptr;
};

struct NetworkPath {
    // (reference arc, hypothesis arc), 0 for none, in order; empty if nothing is affordable.
    std::vector<std::pair<std::int32_t, std::int32_t>> steps;
    double cost = 0;
};

// `matches`, if given, has a byte per pair of arcs, row by row of the reference, and replaces
// equality of types. A table of more than `most_bytes` is filled twice, in blocks, if the hypothesis is a
// chain. Where errors are counted, `substitution` is the cost of words that face each other without a match, and a
// word after a wildcard of the reference costs `free` less. Throws std::bad_alloc, std::overflow_error if the table of other networks has too many cells.
NetworkPath align(const Network& reference, const Network& hypothesis, Pricing pricing,
                  const std::uint8_t* matches, Watch& watch,
                  std::int64_t most_bytes = std::int64_t{64} << 20, double substitution = 1,
                  double free = 1);

}  // namespace alignment
