// Aligns words some of which are written apart on one side and together on the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sequences.hpp"

namespace alignment {

using Texts = std::vector<std::string_view>;

// How many words of the reference and of the hypothesis face each other: 1 and 1, 1 and none,
// none and 1; or several that together spell the one they face.
struct Group {
    std::int32_t reference;
    std::int32_t hypothesis;
};

// A group of several words that may end at a cell of the table.
struct Compound {
    std::size_t row;
    std::size_t column;
    Group group;
};

// Calls `found(end, word, count)` where the `count` parts before `end` spell a word.
template <class Found>
void for_each_compound(const Texts& parts, const Texts& words, Found found) {
    for (std::size_t begin = 0; begin + 1 < parts.size(); ++begin) {
        for (std::size_t word = 0; word < words.size(); ++word) {
            const std::string_view text = words[word];
            std::size_t length = 0;
            for (std::size_t end = begin; end < parts.size(); ++end) {
                const std::string_view part = parts[end];
                if (text.compare(length, part.size(), part) != 0) break;
                length += part.size();
                if (length == text.size() && end > begin) found(end + 1, word, end + 1 - begin);
            }
        }
    }
}

// In the order in which the table is filled and compounds are tried: those of the reference first,
// short ones first.
inline std::vector<Compound> compounds(const Texts& reference, const Texts& hypothesis) {
    std::vector<Compound> all;
    for_each_compound(reference, hypothesis, [&](auto end, auto word, auto count) {
        all.push_back({end, word + 1, {static_cast<std::int32_t>(count), 1}});
    });
    for_each_compound(hypothesis, reference, [&](auto end, auto word, auto count) {
        all.push_back({word + 1, end, {1, static_cast<std::int32_t>(count)}});
    });
    std::sort(all.begin(), all.end(), [](const Compound& left, const Compound& right) {
        if (left.row != right.row) return left.row < right.row;
        if (left.column != right.column) return left.column < right.column;
        if (left.group.hypothesis != right.group.hypothesis) {
            return left.group.hypothesis < right.group.hypothesis;
        }
        return left.group.reference < right.group.reference;
    });
    return all;
}

// The groups of a cheapest alignment in order. Among equally cheap ways into a cell: insertion,
// deletion, two words, a compound.
inline std::vector<Group> align_compounds(const Texts& reference, const Texts& hypothesis,
                                          const std::vector<Compound>& compounds,
                                          const Costs& costs) {
    const std::size_t width = hypothesis.size() + 1;
    std::vector<std::int64_t> table((reference.size() + 1) * width);
    std::vector<Group> origins(table.size());
    auto next = compounds.begin();
    for (std::size_t i = 0; i <= reference.size(); ++i) {
        for (std::size_t j = 0; j < width; ++j) {
            const std::size_t cell = i * width + j;
            if (cell == 0) continue;
            std::int64_t best = INT64_MAX;
            const auto consider = [&](std::int32_t up, std::int32_t left, std::int64_t cost) {
                const auto rows = static_cast<std::size_t>(up);
                const std::size_t from = cell - rows * width - static_cast<std::size_t>(left);
                if (table[from] + cost >= best) return;
                best = table[from] + cost;
                origins[cell] = {up, left};
            };
            if (j > 0) consider(0, 1, costs.insertion);
            if (i > 0) consider(1, 0, costs.deletion);
            if (i > 0 && j > 0) {
                consider(1, 1, reference[i - 1] == hypothesis[j - 1] ? 0 : costs.substitution);
            }
            for (; next != compounds.end() && next->row == i && next->column == j; ++next) {
                consider(next->group.reference, next->group.hypothesis, 0);
            }
            table[cell] = best;
        }
    }
    std::vector<Group> groups;
    std::size_t i = reference.size();
    std::size_t j = hypothesis.size();
    while (i > 0 || j > 0) {
        const Group group = origins[i * width + j];
        groups.push_back(group);
        i -= static_cast<std::size_t>(group.reference);
        j -= static_cast<std::size_t>(group.hypothesis);
    }
    std::reverse(groups.begin(), groups.end());
    return groups;
}

}  // namespace alignment
