// What numbers an alignment of priced words can add up.
#pragma once

#include <algorithm>
#include <cmath>

#include "../common/arguments.hpp"
#include "network.hpp"

namespace alignment {

// What was expected of the first column that holds something else, or nullptr. A word may cost
// infinitely much, as a language model says, and less than nothing, as sclite's durations do.
inline const char* wrong_number(Pricing pricing, const Buffer<double>& singles,
                                const Buffer<double>& weights, const Buffer<double>& starts,
                                const Buffer<double>& ends) {
    const auto all = [](const Buffer<double>& column, bool (*fits)(double)) {
        return std::all_of(column.data(), column.data() + column.size(), fits);
    };
    const auto costs = [](double cost) { return cost >= -1e18; };
    const auto finite = [](double time) { return std::isfinite(time); };
    const bool has_weights = pricing == Pricing::weights;
    if (!all(singles, costs) || (has_weights && !all(weights, costs))) {
        return "costs of at least -1e18";
    }
    const bool has_times = pricing == Pricing::times;
    if (has_times && !(all(starts, finite) && all(ends, finite))) {
        return "times that are finite numbers";
    }
    return nullptr;
}

}  // namespace alignment
