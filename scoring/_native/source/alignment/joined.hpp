// Arcs across neighbours that together spell what the other side writes.
#pragma once

#include <string_view>

#include "../common/watch.hpp"
#include "draft.hpp"
#include "references.hpp"

namespace alignment {

// Adds such arcs to both networks. The texts of a side are those of its places.
void join_neighbours(Draft& left, const std::string_view* left_texts, Draft& right, const std::string_view* right_texts,
                     Compounds compounds, Watch& watch);

}  // namespace alignment
