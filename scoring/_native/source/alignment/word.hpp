// Pairs whose reference fits one machine word.
#pragma once

#include <vector>

#include "steps.hpp"

namespace alignment {

// The storage that one thread reuses from pair to pair.
struct Scratch {
    std::vector<Bits> by_type;  // one entry per word type, all zero between pairs
    std::vector<Directions> directions;
};

template <class Step, Ties ties>
void align_word(Sequence reference, Sequence hypothesis, Scratch& scratch, Path& path) {
    Bits* matches = scratch.by_type.data();
    for (std::int64_t i = 0; i < reference.size; ++i) matches[reference[i]] |= Bits{1} << i;
    if (scratch.directions.size() < static_cast<std::size_t>(hypothesis.size)) {
        scratch.directions.resize(static_cast<std::size_t>(hypothesis.size));
    }
    Directions* directions = scratch.directions.data();
    typename Step::Column column;
    for (std::int64_t j = 0; j < hypothesis.size; ++j) {
        typename Step::Entry top;
        directions[j] = Step::template step<ties>(column, top, matches[hypothesis[j]]);
    }
    for (std::int64_t i = 0; i < reference.size; ++i) matches[reference[i]] = 0;

    std::int64_t i = reference.size;
    std::int64_t j = hypothesis.size;
    while (i > 0 && j > 0) {
        const Directions here = directions[j - 1];
        const Bits bit = Bits{1} << (i - 1);
        if (here.diagonal & bit) {
            --i;
            --j;
            path.step_diagonal(reference[i] == hypothesis[j]);
        } else if (here.deletion & bit) {
            --i;
            path.step_deletion();
        } else {
            --j;
            path.step_insertion();
        }
    }
    path.finish(i, j);
}

}  // namespace alignment
