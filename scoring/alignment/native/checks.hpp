// Arguments from Python: the right ones are passed on, the wrong ones named in an error.
#pragma once

#include <cstdint>
#include <string>

#include "buffers.hpp"
#include "sequences.hpp"

namespace alignment {

inline Costs checked_costs(std::int64_t substitution, std::int64_t deletion,
                           std::int64_t insertion) {
    if (substitution < 0 || deletion < 0 || insertion < 0) {
        throw py::value_error("costs: expected whole numbers from 0, found " +
                              std::to_string(substitution) + ", " + std::to_string(deletion) +
                              ", " + std::to_string(insertion));
    }
    return {substitution, deletion, insertion};
}

inline Ties checked_ties(int ties) {
    if (ties < 0 || ties > 2) {
        throw py::value_error("ties: expected 0, 1 or 2, found " + std::to_string(ties));
    }
    return static_cast<Ties>(ties);
}

inline int checked_threads(int threads) {
    if (threads < 0) {
        throw py::value_error("threads: expected a number from 0, found " +
                              std::to_string(threads));
    }
    return threads;
}

inline void check_ranges(const Buffer<Type>& types, const Buffer<std::int64_t>& begins,
                         const Buffer<std::int64_t>& ends, const char* side) {
    if (begins.size() != ends.size()) {
        throw py::value_error(std::string(side) + ": expected as many ends as begins, found " +
                              std::to_string(ends.size()) + " and " +
                              std::to_string(begins.size()));
    }
    for (std::int64_t k = 0; k < begins.size(); ++k) {
        const std::int64_t begin = begins.data()[k];
        const std::int64_t end = ends.data()[k];
        if (begin < 0 || begin > end || end > types.size()) {
            throw py::value_error(std::string(side) + ", pair " + std::to_string(k) +
                                  ": expected a range within " + std::to_string(types.size()) +
                                  " types, found " + std::to_string(begin) + " to " +
                                  std::to_string(end));
        }
    }
}

inline void check_lengths(std::size_t references, std::size_t hypotheses) {
    if (references == hypotheses) return;
    throw py::value_error("expected as many hypotheses as references, found " +
                          std::to_string(hypotheses) + " and " + std::to_string(references));
}

}  // namespace alignment
