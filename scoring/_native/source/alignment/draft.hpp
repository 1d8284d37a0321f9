// A word network under construction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "network.hpp"
#include "word.hpp"

namespace alignment {

// References, one bit each.
using Mask = std::uint64_t;

inline std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

// A word network under construction; arcs are numbered from 1, arc 0 is the beginning. The end has
// the number after the last arc.
class Draft {
public:
    void clear() {
        types.clear();
        places.clear();
        marks.clear();
        before.clear();
        masks.clear();
        offsets.assign(1, 0);
        parts.clear();
        part_offsets.clear();
    }

    std::int32_t arcs() const { return static_cast<std::int32_t>(types.size()); }
    std::int32_t end() const { return arcs() + 1; }

    // Starts an arc, to which steps are added next.
    void add(Type type, std::int32_t place, std::uint8_t mark) {
        types.push_back(type);
        places.push_back(place);
        marks.push_back(mark);
    }
    // Adds a step that some references have, to the arc that was started or to the end.
    void step(std::int32_t from, Mask mask) {
        for (std::size_t at = index(offsets.back()); at < before.size(); ++at) {
            if (before[at] == from) {
                masks[at] |= mask;
                return;
            }
        }
        before.push_back(from);
        masks.push_back(mask);
    }
    void finish() { offsets.push_back(static_cast<std::int32_t>(before.size())); }

    // The first step to an arc or to the end, and the first to the one after it.
    std::size_t first(std::int32_t arc) const { return index(offsets[index(arc) - 1]); }
    std::size_t last(std::int32_t arc) const { return index(offsets[index(arc)]); }

    Mask mask(std::int32_t from, std::int32_t arc) const {
        std::size_t at = first(arc);
        while (before[at] != from) ++at;
        return masks[at];
    }

    std::int32_t shortest(std::vector<std::int32_t>& words) const {
        words.assign(1, 0);
        for (std::int32_t arc = 1; arc <= end(); ++arc) {
            std::int32_t least = words[index(before[first(arc)])];
            for (std::size_t at = first(arc); at < last(arc); ++at) {
                least = std::min(least, words[index(before[at])]);
            }
            words.push_back(least + (arc < end() && marks[index(arc) - 1] == word ? 1 : 0));
        }
        return words.back();
    }

    // Calls `take(arc)` for the arcs that an arc stands for: others if it is across neighbours; none for 0.
    template <class Take>
    void for_each_part(std::int32_t arc, Take take) const {
        if (arc == 0) return;
        const std::size_t at = index(arc) - 1;
        if (part_offsets.empty() || part_offsets[at] == part_offsets[at + 1]) {
            take(arc);
            return;
        }
        for (std::size_t part = part_offsets[at]; part < part_offsets[at + 1]; ++part) take(parts[part]);
    }

    // The network, alive as long as the draft stays as it is, with the costs of a word, a null word and a wildcard
    // without a partner. A joined word faces what it spells, or is not taken.
    Network network(double single, double null, double any) {
        constexpr double never = std::numeric_limits<double>::infinity();
        const double costs[5] = {single, null, any, never, never};
        singles.clear();
        for (const std::uint8_t mark : marks) singles.push_back(costs[mark]);
        Network network;
        network.arcs = arcs();
        network.types = types.data();
        network.predecessor_offsets = offsets.data();
        network.predecessor_list = before.data();
        network.finals.assign(before.begin() + offsets[types.size()], before.end());
        network.nulls = marks.data();
        network.singles = singles.data();
        return network;
    }

    std::vector<Type> types;
    std::vector<std::int32_t> places;
    std::vector<std::uint8_t> marks;
    std::vector<std::int32_t> before;
    std::vector<Mask> masks;
    std::vector<std::int32_t> offsets{0};
    // The arcs that each arc stands for; without offsets there are none across neighbours.
    std::vector<std::int32_t> parts;
    std::vector<std::size_t> part_offsets;
    std::vector<double> singles;
};

}  // namespace alignment
