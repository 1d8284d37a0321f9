// Arguments of the aligners.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "../common/arguments.hpp"
#include "sequences.hpp"

namespace alignment {

inline Costs checked_costs(py::handle substitution, py::handle deletion, py::handle insertion) {
    const auto cost = [](py::handle value, const char* name) {
        return whole(value, name, 0, Costs::greatest);
    };
    const std::int64_t first = cost(substitution, "substitution");
    const std::int64_t second = cost(deletion, "deletion");
    return Costs{first, second, cost(insertion, "insertion")}.reduced();
}

inline Ties checked_ties(py::handle ties) { return static_cast<Ties>(whole(ties, "ties", 0, 3)); }

inline int checked_threads(py::handle threads) {
    return static_cast<int>(whole(threads, "threads", 0, std::numeric_limits<std::int32_t>::max()));
}

inline void check_lengths(std::size_t references, std::size_t hypotheses) {
    require(references == hypotheses, "expected as many hypotheses as references, found " +
                                          std::to_string(hypotheses) + " and " +
                                          std::to_string(references));
}

// One side of many pairs, its ranges checked.
struct SideArguments {
    SideArguments(py::handle type_column, py::handle begin_column, py::handle end_column,
                  const std::string& side)
        : types(type_column, side + "_types"),
          begins(begin_column, side + "_begins"),
          ends(end_column, side + "_ends") {
        require(begins.size() == ends.size(), side + ": expected as many ends as begins, found " +
                                                  std::to_string(ends.size()) + " and " +
                                                  std::to_string(begins.size()));
        for (std::int64_t k = 0; k < begins.size(); ++k) {
            const std::int64_t begin = begins.data()[k];
            const std::int64_t end = ends.data()[k];
            if (0 <= begin && begin <= end && end <= types.size()) continue;
            throw py::value_error(side + ", pair " + std::to_string(k) +
                                  ": expected a range within " + std::to_string(types.size()) +
                                  " types, found " + std::to_string(begin) + " to " +
                                  std::to_string(end));
        }
    }

    Buffer<Type> types;
    Buffer<std::int64_t> begins;
    Buffer<std::int64_t> ends;
};

}  // namespace alignment
