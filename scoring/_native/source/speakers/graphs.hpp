// Segments that offer a choice of words against streams that may, too, as numbers.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plan.hpp"
#include "speakers.hpp"

namespace speakers {

// The cost of what cannot be; a sum of several is below 2**31.
constexpr std::int32_t far = 1 << 28;

enum Mark : std::uint8_t { word = 0, null_word = 1, wildcard = 2, joined = 3, joined_alike = 4 };

// A word graph: its arcs as words, and of each its mark and the places it follows. Place 0 is the
// begin, place k is after arc k, numbered from 1; the last arc is the end of every path.
struct Graph {
    Words words;
    const std::uint8_t* marks = nullptr;
    const std::int32_t* offsets = nullptr;       // of the first arc's predecessors, and so on
    const std::int32_t* predecessors = nullptr;  // of the whole side

    std::int64_t size() const { return words.count; }
    std::uint8_t mark(std::int64_t arc) const { return marks[arc - 1]; }
    const std::int32_t* begin_of(std::int64_t arc) const { return predecessors + offsets[arc - 1]; }
    const std::int32_t* end_of(std::int64_t arc) const { return predecessors + offsets[arc]; }
};

// Of each place whether every path has it.
Cuts cuts_of(const Graph& graph);

using Arcs = std::pair<std::int32_t, std::int32_t>;

// The cheapest paths of two graphs, as arcs that face each other; 0: none.
void align(const Graph& left, const Graph& right, bool prefers_length, Watch& watch, std::vector<Arcs>& steps);

Combined combine_graphs(const std::vector<std::vector<Graph>>& chains, const std::vector<Graph>& streams,
                        double most_updates, double most_bytes, Watch& watch);

std::int64_t combine_graphs_greedily(const std::vector<Graph>& segments, const std::vector<Graph>& streams,
                                     std::vector<std::int32_t>& choice, Watch& watch);

}  // namespace speakers
