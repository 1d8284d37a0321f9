// The rows that match a column's word, for references of many blocks.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sequences.hpp"

namespace alignment {

// Memory stays linear in the reference: a type that is frequent enough to have a place in every
// other block (there are at most 128 of those) has a full bit row, every other type a sorted list
// of its places, from which the bits of the wanted blocks are set in a row shared by all.
class Matches {
public:
    // `by_type` has an entry, zero, for every type; it is used here and left zero.
    Matches(Sequence reference, Sequence hypothesis, std::vector<Bits>& by_type)
        : blocks_((reference.size + word_bits - 1) / word_bits),
          shared_(static_cast<std::size_t>(blocks_), 0) {
        number_types(reference, hypothesis, by_type);
        list_places();
        fill_dense_rows();
    }

    std::int64_t blocks() const { return blocks_; }

    // The bits of column `j`, valid in blocks low..high until `release` with the same arguments.
    const Bits* row(std::int64_t j, std::int64_t low, std::int64_t high) {
        const std::int32_t type = columns_[static_cast<std::size_t>(j)];
        if (type == absent) return shared_.data();
        const std::int64_t dense = dense_[static_cast<std::size_t>(type)];
        if (dense >= 0) return rows_.data() + dense * blocks_;
        for (auto [place, end] = places(type, low, high); place != end; ++place) {
            const auto block = static_cast<std::size_t>(*place / word_bits);
            shared_[block] |= Bits{1} << (*place % word_bits);
        }
        return shared_.data();
    }

    void release(std::int64_t j, std::int64_t low, std::int64_t high) {
        const std::int32_t type = columns_[static_cast<std::size_t>(j)];
        if (type == absent || dense_[static_cast<std::size_t>(type)] >= 0) return;
        for (auto [place, end] = places(type, low, high); place != end; ++place) {
            shared_[static_cast<std::size_t>(*place / word_bits)] = 0;
        }
    }

private:
    using Place = std::vector<std::int64_t>::const_iterator;
    static constexpr std::int32_t absent = -1;

    void number_types(Sequence reference, Sequence hypothesis, std::vector<Bits>& by_type) {
        const auto entry = [&by_type](Type type) -> Bits& {
            return by_type[static_cast<std::size_t>(type)];
        };
        words_.reserve(static_cast<std::size_t>(reference.size));
        for (std::int64_t i = 0; i < reference.size; ++i) {
            Bits& number = entry(reference[i]);
            if (number == 0) number = ++types_;
            words_.push_back(static_cast<std::int32_t>(number - 1));
        }
        columns_.reserve(static_cast<std::size_t>(hypothesis.size));
        for (std::int64_t j = 0; j < hypothesis.size; ++j) {
            columns_.push_back(static_cast<std::int32_t>(entry(hypothesis[j])) - 1);
        }
        for (std::int64_t i = 0; i < reference.size; ++i) entry(reference[i]) = 0;
    }

    void list_places() {
        begins_.assign(static_cast<std::size_t>(types_) + 1, 0);
        for (const std::int32_t type : words_) ++begins_[static_cast<std::size_t>(type) + 1];
        for (std::size_t type = 0; type < types_; ++type) begins_[type + 1] += begins_[type];
        std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
        places_.resize(words_.size());
        for (std::size_t i = 0; i < words_.size(); ++i) {
            places_[next[static_cast<std::size_t>(words_[i])]++] = static_cast<std::int64_t>(i);
        }
    }

    void fill_dense_rows() {
        dense_.assign(static_cast<std::size_t>(types_), -1);
        std::int64_t rows = 0;
        for (std::size_t type = 0; type < types_; ++type) {
            const auto count = static_cast<std::int64_t>(begins_[type + 1] - begins_[type]);
            if (2 * count >= blocks_) dense_[type] = rows++;
        }
        rows_.assign(static_cast<std::size_t>(rows * blocks_), 0);
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const std::int64_t row = dense_[static_cast<std::size_t>(words_[i])];
            if (row < 0) continue;
            const auto block = static_cast<std::int64_t>(i) / word_bits;
            rows_[static_cast<std::size_t>(row * blocks_ + block)] |= Bits{1} << (i % word_bits);
        }
    }

    std::pair<Place, Place> places(std::int32_t type, std::int64_t low, std::int64_t high) const {
        const auto begin = places_.begin() +
                           static_cast<std::ptrdiff_t>(begins_[static_cast<std::size_t>(type)]);
        const auto end = places_.begin() +
                         static_cast<std::ptrdiff_t>(begins_[static_cast<std::size_t>(type) + 1]);
        const auto first = std::lower_bound(begin, end, low * word_bits);
        return {first, std::lower_bound(first, end, (high + 1) * word_bits)};
    }

    std::int64_t blocks_;
    Bits types_ = 0;
    std::vector<Bits> shared_;
    std::vector<std::int32_t> words_;    // per row: number of its type
    std::vector<std::int32_t> columns_;  // per column: number of its type, or absent
    std::vector<std::size_t> begins_;
    std::vector<std::int64_t> places_;
    std::vector<std::int64_t> dense_;  // per type: its bit row, or -1
    std::vector<Bits> rows_;
};

}  // namespace alignment
