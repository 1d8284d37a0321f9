// Aligns words some of which are written apart on one side and together on the other.
#pragma once

#include <algorithm>
#include <cmath>
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

// The different words of both sides in order of their bytes; a word's number is its place among them.
class Vocabulary {
public:
    Vocabulary(const Texts& reference, const Texts& hypothesis) {
        words_ = reference;
        words_.insert(words_.end(), hypothesis.begin(), hypothesis.end());
        std::sort(words_.begin(), words_.end());
        words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
        prefixes_.resize(words_.size());
        for (std::size_t number = 0; number < words_.size(); ++number) {
            const std::string_view word = words_[number];
            for (std::size_t size = 0; size < word.size(); ++size) {
                const std::size_t other = first_from(word.substr(0, size));
                if (words_[other].size() == size) prefixes_[number].push_back(other);
            }
        }
    }

    std::size_t size() const { return words_.size(); }

    std::vector<std::size_t> numbers(const Texts& texts) const {
        std::vector<std::size_t> numbers;
        for (const std::string_view text : texts) numbers.push_back(first_from(text));
        return numbers;
    }

    // The words that a word begins with, itself not among them.
    const std::vector<std::size_t>& prefixes(std::size_t number) const { return prefixes_[number]; }

    // The number after the last word that begins with a word; all between begin with it, too.
    std::size_t end_of(std::size_t number) const {
        const std::string_view word = words_[number];
        const auto begins = [word](std::string_view other) { return other.substr(0, word.size()) == word; };
        const auto first = words_.begin() + static_cast<std::ptrdiff_t>(number);
        return static_cast<std::size_t>(std::partition_point(first, words_.end(), begins) - words_.begin());
    }

private:
    std::size_t first_from(std::string_view text) const {
        return static_cast<std::size_t>(std::lower_bound(words_.begin(), words_.end(), text) - words_.begin());
    }

    std::vector<std::string_view> words_;
    std::vector<std::vector<std::size_t>> prefixes_;
};

// The places of each word of a vocabulary in a side.
class Places {
public:
    Places(const std::vector<std::size_t>& numbers, std::size_t size) : bounds_(size + 1), places_(numbers.size()) {
        for (const std::size_t number : numbers) ++bounds_[number + 1];
        for (std::size_t number = 0; number < size; ++number) bounds_[number + 1] += bounds_[number];
        std::vector<std::size_t> next = bounds_;
        for (std::size_t place = 0; place < numbers.size(); ++place) places_[next[numbers[place]]++] = place;
    }

    // Calls `take(place)` for the places of the words of some numbers.
    template <class Take>
    void for_each(std::size_t begin, std::size_t end, Watch& watch, Take take) const {
        watch.spend(8 * static_cast<std::int64_t>(bounds_[end] - bounds_[begin]));
        for (std::size_t at = bounds_[begin]; at < bounds_[end]; ++at) take(places_[at]);
    }

private:
    std::vector<std::size_t> bounds_;
    std::vector<std::size_t> places_;
};

// Calls `found(end, word, count)` where the `count` parts before `end` spell a word.
template <class Found>
void for_each_compound(const Texts& parts, const Texts& words, const Vocabulary& vocabulary, Watch& watch,
                       Found found) {
    const std::vector<std::size_t> numbers = vocabulary.numbers(parts);
    const Places places(vocabulary.numbers(words), vocabulary.size());
    for (std::size_t begin = 0; begin + 1 < parts.size(); ++begin) {
        // a word that is the first part itself is spelled by more only if these are empty
        const std::size_t first = numbers[begin] + (parts[begin + 1].empty() ? 0 : 1);
        places.for_each(first, vocabulary.end_of(numbers[begin]), watch, [&](std::size_t word) {
            const std::string_view text = words[word];
            std::size_t length = 0;
            for (std::size_t end = begin; end < parts.size(); ++end) {
                const std::string_view part = parts[end];
                if (text.compare(length, part.size(), part) != 0) break;
                length += part.size();
                if (length == text.size() && end > begin) found(end + 1, word, end + 1 - begin);
            }
        });
    }
}

// Calls `found(row, column, group)` where several words of both sides, or of one, spell the same;
// of those that begin at the same words for the shortest.
template <class Found>
void for_each_region(const Texts& reference, const Texts& hypothesis, const Vocabulary& vocabulary,
                     Watch& watch, Found found) {
    const std::vector<std::size_t> numbers = vocabulary.numbers(reference);
    const Places places(vocabulary.numbers(hypothesis), vocabulary.size());
    for (std::size_t begin = 0; begin < reference.size(); ++begin) {
        const auto look_from = [&](std::size_t start) {
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
        };
        const std::size_t number = numbers[begin];
        places.for_each(number + 1, vocabulary.end_of(number), watch, look_from);
        for (const std::size_t prefix : vocabulary.prefixes(number)) {
            places.for_each(prefix, prefix + 1, watch, look_from);
        }
    }
}

// In the order in which the table is filled and compounds are tried: those of the reference first,
// short ones first.
inline std::vector<Compound> compounds(const Texts& reference, const Texts& hypothesis,
                                       const Vocabulary& vocabulary, bool several, Watch& watch) {
    std::vector<Compound> all;
    if (several) {
        for_each_region(reference, hypothesis, vocabulary, watch,
                        [&](auto row, auto column, Group group) {
            all.push_back({row, column, group});
        });
    } else {
        for_each_compound(reference, hypothesis, vocabulary, watch,
                          [&](auto end, auto word, auto count) {
            all.push_back({end, word + 1, {static_cast<std::int32_t>(count), 1}});
        });
        for_each_compound(hypothesis, reference, vocabulary, watch,
                          [&](auto end, auto word, auto count) {
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
//
// A table of more than `most_bytes` is filled twice: the costs before each block of rows are kept,
// and on the way back the blocks are filled again, the last first.
class CompoundTable {
public:
    CompoundTable(const Texts& reference, const Texts& hypothesis, const Vocabulary& vocabulary,
                  const std::vector<Compound>& compounds, const Costs& costs, std::size_t most_bytes,
                  Watch& watch)
        : reference_(vocabulary.numbers(reference)), hypothesis_(vocabulary.numbers(hypothesis)), costs_(costs),
          watch_(watch), height_(reference.size() + 1), width_(hypothesis.size() + 1), block_(height_),
          compounds_(compounds), next_(compounds.begin()) {
        for (const Compound& one : compounds) {
            depth_ = std::max(depth_, static_cast<std::size_t>(one.group.reference) + 1);
        }
        if (height_ > most_bytes / width_) {
            // as much memory for the steps of a block as for the costs before all blocks
            const double rows = std::sqrt(static_cast<double>(height_ * depth_ * sizeof(std::int64_t)));
            block_ = std::min(height_, static_cast<std::size_t>(rows) + 1);
        }
        rows_.resize(depth_ * width_);
        steps_.resize(block_ * width_);
        for (std::size_t begin = 0; begin < height_; begin += block_) {
            if (begin > 0) kept_.push_back(rows_);
            fill_block(begin);
        }
    }

    // The groups of a cheapest alignment in order.
    std::vector<Group> groups() {
        std::vector<Group> found;
        auto taken = taken_.end();
        std::size_t i = height_ - 1;
        std::size_t j = width_ - 1;
        std::size_t begin = i / block_ * block_;
        while (i > 0 || j > 0) {
            if (i < begin) {
                begin = i / block_ * block_;
                if (begin > 0) rows_ = kept_[begin / block_ - 1];
                fill_block(begin);
                taken = taken_.end();
            }
            Group group = plain_groups[steps_[(i - begin) * width_ + j]];
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

    // Fills the rows from the first of a block; those of costs before it are there.
    void fill_block(std::size_t begin) {
        taken_.clear();
        next_ = std::partition_point(compounds_.begin(), compounds_.end(),
                                     [begin](const Compound& one) { return one.row < begin; });
        for (std::size_t i = begin; i < std::min(begin + block_, height_); ++i) {
            watch_.spend(8 * static_cast<std::int64_t>(width_));
            fill_row(i, steps_.data() + (i - begin) * width_);
        }
    }

    void fill_row(std::size_t i, std::uint8_t* steps) {
        std::int64_t* here = row(i);
        const std::int64_t* above = i > 0 ? row(i - 1) : nullptr;
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
            for (; next_ != compounds_.end() && next_->row == i && next_->column == j; ++next_) {
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

    std::vector<std::size_t> reference_;
    std::vector<std::size_t> hypothesis_;
    Costs costs_;
    Watch& watch_;
    std::size_t height_;
    std::size_t width_;
    std::size_t block_;  // rows whose steps are there at a time
    std::size_t depth_ = 2;
    const std::vector<Compound>& compounds_;
    std::vector<Compound>::const_iterator next_;
    std::vector<Compound> taken_;
    std::vector<std::int64_t> rows_;
    std::vector<std::vector<std::int64_t>> kept_;  // the rows of costs before each block but the first
    std::vector<std::uint8_t> steps_;
};

}  // namespace alignment
