// A word graph as Python hands it over.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "network.hpp"

namespace alignment {

// The fields of scoring.alignment.network.Network, alive and checked.
class NetworkArguments {
public:
    NetworkArguments(const py::sequence& fields, const char* side)
        : side_(side),
          types_(fields[0], "types"),
          offsets_(fields[1], "predecessor_offsets"),
          list_(fields[2], "predecessors"),
          finals_(fields[3], "finals"),
          nulls_(fields[4], "nulls"),
          singles_(fields[5], "singles"),
          weights_(fields[6], "weights"),
          starts_(fields[7], "starts"),
          ends_(fields[8], "ends") {}

    Network network(Pricing pricing) const {
        const std::int64_t arcs = types_.size();
        if (arcs >= std::numeric_limits<std::int32_t>::max()) {
            throw std::overflow_error("the networks are too large to align");
        }
        expect(nulls_.size() == arcs, "one null mark per arc");
        expect(singles_.size() == arcs, "one single cost per arc");
        expect(pricing != Pricing::weights || weights_.size() == arcs, "one weight per arc");
        expect(pricing != Pricing::times || (starts_.size() == arcs && ends_.size() == arcs),
               "one start and one end per arc");
        Network network{arcs, types_.data(), nullptr, nullptr, finals(arcs),
                        nulls_.data(), singles_.data(), weights_.data(), starts_.data(),
                        ends_.data()};
        if (!offsets_.empty() && arcs > 0) {
            check_predecessors(arcs);
            network.predecessor_offsets = offsets_.data();
            network.predecessor_list = list_.data();
        }
        return network;
    }

private:
    void expect(bool condition, const char* what) const {
        if (!condition) throw py::value_error(std::string(side_) + ": expected " + what);
    }

    std::vector<std::int32_t> finals(std::int64_t arcs) const {
        if (finals_.empty()) return {static_cast<std::int32_t>(arcs)};
        for (std::int64_t n = 0; n < finals_.size(); ++n) {
            const std::int32_t arc = finals_.data()[n];
            expect(arc >= 0 && arc <= arcs, "final arcs of the network");
        }
        return {finals_.data(), finals_.data() + finals_.size()};
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

    const char* side_;
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
