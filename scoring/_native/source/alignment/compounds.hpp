// Aligns words some of which are written apart on one side and together on the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../common/watch.hpp"
#include "sequences.hpp"

namespace alignment {

using Texts = std::vector<std::string_view>;

// The numbers of reference and hypothesis words that face each other: 1 and 1, 1 and none,
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
void for_each_compound(const Texts& parts, const Texts& words, Watch& watch, Found found) {
    for (std::size_t begin = 0; begin + 1 < parts.size(); ++begin) {
        watch.spend(8 * static_cast<std::int64_t>(words.size()));
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

// Calls `found(row, column, group)` where several words of both sides, or of one, spell the same;
// of those that begin at the same words for the shortest.
template <class Found>
void for_each_region(const Texts& reference, const Texts& hypothesis, Watch& watch, Found found) {
    for (std::size_t begin = 0; begin < reference.size(); ++begin) {
        watch.spend(8 * static_cast<std::int64_t>(hypothesis.size()));
        for (std::size_t start = 0; start < hypothesis.size(); ++start) {
            std::string_view left = reference[begin];
            std::string_view right = hypothesis[start];
            std::size_t i = begin + 1;
            std::size_t j = start + 1;
            while (left != right) {
                const std::size_t size = std::min(left.size(), right.size());
                if (left.substr(0, size) != right.substr(0, size)) break;
                if (size == left.size() && i < reference.size()) {
                    right.remove_prefix(size);
                    left = reference[i++];
                } else if (size == right.size() && j < hypothesis.size()) {
                    left.remove_prefix(size);
                    right = hypothesis[j++];
                } else {
                    break;
                }
            }
            if (left == right && i - begin + j - start > 2) {
                found(i, j, Group{static_cast<std::int32_t>(i - begin),
                                  static_cast<std::int32_t>(j - start)});
            }
        }
    }
}

// In the order in which the table is filled and compounds are tried: those of the reference first,
// short ones first.
inline std::vector<Compound> compounds(const Texts& reference, const Texts& hypothesis,
                                       bool several, Watch& watch) {
    std::vector<Compound> all;
    if (several) {
        for_each_region(reference, hypothesis, watch, [&](auto row, auto column, Group group) {
            all.push_back({row, column, group});
        });
    } else {
        for_each_compound(reference, hypothesis, watch, [&](auto end, auto word, auto count) {
            all.push_back({end, word + 1, {static_cast<std::int32_t>(count), 1}});
        });
        for_each_compound(hypothesis, reference, watch, [&](auto end, auto word, auto count) {
            all.push_back({word + 1, end, {1, static_cast<std::int32_t>(count)}});
        });
    }
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

// Fills the table of costs from the beginning. Among equally cheap ways into a cell: insertion,
// deletion, two words, a compound. Compounds are rare: a byte tells how each cell is reached, and
// only for those it does not say enough.
class CompoundTable {
public:
    CompoundTable(const Texts& reference, const Texts& hypothesis,
                  const std::vector<Compound>& compounds, const Costs& costs, Watch& watch)
        : reference_(reference), hypothesis_(hypothesis), costs_(costs),
          width_(hypothesis.size() + 1), next_(compounds.begin()), end_(compounds.end()) {
        for (const Compound& one : compounds) {
            depth_ = std::max(depth_, static_cast<std::size_t>(one.group.reference) + 1);
        }
        rows_.resize(depth_ * width_);
        steps_.resize((reference.size() + 1) * width_);
        for (std::size_t i = 0; i <= reference.size(); ++i) {
            watch.spend(8 * static_cast<std::int64_t>(width_));
            fill_row(i);
        }
    }

    // The groups of a cheapest alignment in order.
    std::vector<Group> groups() const {
        std::vector<Group> found;
        auto taken = taken_.end();
        std::size_t i = reference_.size();
        std::size_t j = hypothesis_.size();
        while (i > 0 || j > 0) {
            Group group = plain_groups[steps_[i * width_ + j]];
            if (group.reference == 0 && group.hypothesis == 0) {
                // those taken lie in the order of the cells, and cells are met backwards
                do --taken; while (taken->row != i || taken->column != j);
                group = taken->group;
            }
            found.push_back(group);
            i -= static_cast<std::size_t>(group.reference);
            j -= static_cast<std::size_t>(group.hypothesis);
        }
        std::reverse(found.begin(), found.end());
        return found;
    }

private:
    enum Step : std::uint8_t { insertion, deletion, diagonal, compound };
    static constexpr Group plain_groups[] = {{0, 1}, {1, 0}, {1, 1}, {0, 0}};

    // Only as many rows of costs are kept as the longest compound reaches back.
    std::int64_t* row(std::size_t i) { return rows_.data() + i % depth_ * width_; }

    void fill_row(std::size_t i) {
        std::int64_t* here = row(i);
        const std::int64_t* above = i > 0 ? row(i - 1) : nullptr;
        std::uint8_t* steps = steps_.data() + i * width_;
        for (std::size_t j = 0; j < width_; ++j) {
            std::int64_t best = i == 0 && j == 0 ? 0 : INT64_MAX;
            Step step = insertion;
            const auto consider = [&](Step other, std::int64_t cost) {
                if (cost >= best) return;
                best = cost;
                step = other;
            };
            if (j > 0) consider(insertion, here[j - 1] + costs_.insertion);
            if (i > 0) consider(deletion, above[j] + costs_.deletion);
            if (i > 0 && j > 0) {
                const bool match = reference_[i - 1] == hypothesis_[j - 1];
                consider(diagonal, above[j - 1] + (match ? 0 : costs_.substitution));
            }
            for (; next_ != end_ && next_->row == i && next_->column == j; ++next_) {
                const auto [up, left] = next_->group;
                const std::int64_t before = best;
                consider(compound, row(i - static_cast<std::size_t>(up))
                                       [j - static_cast<std::size_t>(left)]);
                if (best == before) continue;
                if (!taken_.empty() && taken_.back().row == i && taken_.back().column == j) {
                    taken_.pop_back();
                }
                taken_.push_back(*next_);
            }
            here[j] = best;
            steps[j] = step;
        }
    }

    const Texts& reference_;
    const Texts& hypothesis_;
    Costs costs_;
    std::size_t width_;
    std::size_t depth_ = 2;
    std::vector<Compound>::const_iterator next_;
    std::vector<Compound>::const_iterator end_;
    std::vector<Compound> taken_;
    std::vector<std::int64_t> rows_;
    std::vector<std::uint8_t> steps_;
};

}  // namespace alignment
