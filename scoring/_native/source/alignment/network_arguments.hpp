// A word graph as Python hands it over.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "../common/arguments.hpp"
#include "network.hpp"

namespace alignment {

// The expected content of the first wrong column, or nullptr. A word may cost
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

// The fields of scoring.alignment.network.Network, alive and checked.
class NetworkArguments {
public:
    NetworkArguments(py::handle network, const std::string& side, Pricing pricing)
        : side_(side),
          types_(network.attr("types"), side + ".types"),
          offsets_(network.attr("predecessor_offsets"), side + ".predecessor_offsets"),
          list_(network.attr("predecessors"), side + ".predecessors"),
          finals_(network.attr("finals"), side + ".finals"),
          nulls_(network.attr("nulls"), side + ".nulls"),
          singles_(network.attr("singles"), side + ".singles"),
          weights_(network.attr("weights"), side + ".weights"),
          starts_(network.attr("starts"), side + ".starts"),
          ends_(network.attr("ends"), side + ".ends") {
        const std::int64_t arcs = types_.size();
        if (arcs >= std::numeric_limits<std::int32_t>::max()) {
            throw std::overflow_error("the networks are too large to align");
        }
        expect(nulls_.size() == arcs, "one null mark per arc");
        expect(singles_.size() == arcs, "one single cost per arc");
        expect(pricing != Pricing::weights || weights_.size() == arcs, "one weight per arc");
        expect(pricing != Pricing::times || (starts_.size() == arcs && ends_.size() == arcs),
               "one start and one end per arc");
        for (std::int64_t n = 0; n < finals_.size(); ++n) {
            const std::int32_t arc = finals_.data()[n];
            expect(arc >= 0 && arc <= arcs, "final arcs of the network");
        }
        const char* wrong = wrong_number(pricing, singles_, weights_, starts_, ends_);
        expect(wrong == nullptr, wrong);
        if (!offsets_.empty() && arcs > 0) check_predecessors(arcs);
    }

    Network network() const {
        const std::int64_t arcs = types_.size();
        Network network{arcs, types_.data(), nullptr, nullptr,
                        {finals_.data(), finals_.data() + finals_.size()},
                        nulls_.data(), singles_.data(), weights_.data(), starts_.data(),
                        ends_.data()};
        if (finals_.empty()) network.finals.push_back(static_cast<std::int32_t>(arcs));
        if (!offsets_.empty() && arcs > 0) {
            network.predecessor_offsets = offsets_.data();
            network.predecessor_list = list_.data();
        }
        return network;
    }

private:
    void expect(bool condition, const char* what) const {
        if (!condition) throw py::value_error(side_ + ": expected " + what);
    }

    void check_predecessors(std::int64_t arcs) const {
        const std::int32_t* offsets = offsets_.data();
        expect(offsets_.size() == arcs + 1 && offsets[0] == 0 && offsets[arcs] == list_.size(),
               "predecessor offsets from 0 to the length of the list, one more than arcs");
        for (std::int64_t arc = 1; arc <= arcs; ++arc) {
            expect(offsets[arc - 1] < offsets[arc] && offsets[arc] <= list_.size(),
                   "at least one predecessor per arc");
            for (std::int32_t at = offsets[arc - 1]; at < offsets[arc]; ++at) {
                expect(list_.data()[at] >= 0 && list_.data()[at] < arc,
                       "predecessors with lower numbers than their arc");
            }
        }
    }

    std::string side_;
    Buffer<std::int32_t> types_;
    Buffer<std::int32_t> offsets_;
    Buffer<std::int32_t> list_;
    Buffer<std::int32_t> finals_;
    Buffer<std::uint8_t> nulls_;
    Buffer<double> singles_;
    Buffer<double> weights_;
    Buffer<double> starts_;
    Buffer<double> ends_;
};

}  // namespace alignment
