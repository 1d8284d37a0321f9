// Aligns many pairs of plain word sequences.
#pragma once

#include <vector>

#include "sequences.hpp"

namespace alignment {

// Pair k aligns reference_types[reference_begins[k] .. reference_ends[k]) with the hypothesis's.
struct Pairs {
    std::int64_t count;
    const Type* reference_types;
    const std::int64_t* reference_begins;
    const std::int64_t* reference_ends;
    const Type* hypothesis_types;
    const std::int64_t* hypothesis_begins;
    const std::int64_t* hypothesis_ends;
};

struct Edits {
    // The edits of all pairs, in pieces that follow each other; empty if not asked for.
    std::vector<std::vector<std::uint8_t>> pieces;
    std::int64_t size = 0;
};

// `offsets` (count + 1 numbers, or null if only counts are wanted) receives where the edits of
// each pair begin; `counts` (4 * count numbers) correct, substitutions, deletions, insertions.
// `threads` 0 means as many as there are processors, if the work is worth it.
// Throws std::overflow_error if a total cost could pass 62 bits, std::bad_alloc.
Edits align(const Pairs& pairs, const Costs& costs, Ties ties, int threads, std::int64_t* offsets,
            std::int32_t* counts);

}  // namespace alignment
