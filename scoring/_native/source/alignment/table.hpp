// Any whole-number costs: the plain table, two bits per cell for the way back.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "../common/watch.hpp"
#include "sequences.hpp"

namespace alignment {

// `Cost` is a signed integer wide enough for the dearest step taken once per word of both sides.
template <class Cost, Ties ties>
class Table {
public:
    Table(Sequence reference, Sequence hypothesis, const Costs& costs, Watch& watch)
        : reference_(reference),
          hypothesis_(hypothesis),
          substitution_(static_cast<Cost>(costs.substitution)),
          deletion_(static_cast<Cost>(costs.deletion)),
          insertion_(static_cast<Cost>(costs.insertion)),
          column_bytes_(static_cast<std::size_t>(reference.size) / 4 + 1),
          kept_columns_(static_cast<std::int64_t>(
              std::max<std::size_t>(kept_bytes / column_bytes_, 1))),
          watch_(watch) {}

    void align(Path& path) {
        fill();
        std::int64_t i = reference_.size;
        std::int64_t j = hypothesis_.size;
        while (true) {
            walk(path, i, j);
            if (i == 0 || j == 0) break;
            refill(j);
        }
        path.finish(i, j);
    }

private:
    static constexpr std::size_t kept_bytes = std::size_t{1} << 26;
    enum Direction : unsigned { diagonal = 0, up = 1, left = 2 };

    static Direction choose(bool match, Cost across, Cost above, Cost before) {
        if constexpr (ties == Ties::rapidfuzz) {
            if (above <= across && above <= before) return up;
            return across < before || (!match && across == before) ? diagonal : left;
        }
        if constexpr (ties == Ties::compute_wer) {
            if (across < above && across < before) return diagonal;
            return above < before ? up : left;
        } else {
            if (across <= above && across <= before) return diagonal;
            if constexpr (ties == Ties::align_text) return above <= before ? up : left;
            return above < before ? up : left;
        }
    }

    // Turns `costs_`, the column before hypothesis word j, into the column after it.
    void advance(std::int64_t j) {
        watch_.spend(2 * reference_.size);
        const Type word = hypothesis_[j];
        std::uint8_t* packed =
            kept_.data() + static_cast<std::size_t>(j - kept_begin_) * column_bytes_;
        std::fill(packed, packed + column_bytes_, std::uint8_t{0});
        Cost* costs = costs_.data();
        Cost corner = costs[0];
        Cost above = costs[0] = static_cast<Cost>(corner + insertion_);
        for (std::int64_t i = 0; i < reference_.size; ++i) {
            const Cost before = costs[i + 1];
            const Cost differing = reference_[i] == word ? 0 : substitution_;
            const Cost across = static_cast<Cost>(corner + differing);
            const Cost down = static_cast<Cost>(above + deletion_);
            const Cost right = static_cast<Cost>(before + insertion_);
            const unsigned direction = choose(reference_[i] == word, across, down, right);
            packed[i >> 2] = static_cast<std::uint8_t>(packed[i >> 2] | direction << (i & 3) * 2);
            above = std::min(across, std::min(down, right));
            costs[i + 1] = above;
            corner = before;
        }
    }

    // The whole table, forgetting directions beyond the limit but keeping a column to restart from.
    void fill() {
        costs_.resize(static_cast<std::size_t>(reference_.size) + 1);
        for (std::size_t i = 1; i < costs_.size(); ++i) {
            costs_[i] = static_cast<Cost>(costs_[i - 1] + deletion_);
        }
        kept_.resize(static_cast<std::size_t>(std::min(kept_columns_, hypothesis_.size)) *
                     column_bytes_);
        kept_begin_ = 0;
        for (std::int64_t j = 0; j < hypothesis_.size; ++j) {
            if (j % kept_columns_ == 0) {
                if (hypothesis_.size > kept_columns_) checkpoints_.push_back(costs_);
                kept_begin_ = j;
            }
            advance(j);
        }
    }

    void refill(std::int64_t end) {
        kept_begin_ = end - kept_columns_;
        costs_ = checkpoints_[static_cast<std::size_t>(kept_begin_ / kept_columns_)];
        for (std::int64_t j = kept_begin_; j < end; ++j) advance(j);
    }

    void walk(Path& path, std::int64_t& i, std::int64_t& j) const {
        while (i > 0 && j > kept_begin_) {
            const std::uint8_t* packed =
                kept_.data() + static_cast<std::size_t>(j - 1 - kept_begin_) * column_bytes_;
            const unsigned direction = packed[(i - 1) >> 2] >> ((i - 1) & 3) * 2 & 3U;
            if (direction == diagonal) {
                --i;
                --j;
                path.step_diagonal(reference_[i] == hypothesis_[j]);
            } else if (direction == up) {
                --i;
                path.step_deletion();
            } else {
                --j;
                path.step_insertion();
            }
        }
    }

    Sequence reference_;
    Sequence hypothesis_;
    Cost substitution_;
    Cost deletion_;
    Cost insertion_;
    std::size_t column_bytes_;
    std::int64_t kept_columns_;
    Watch& watch_;
    std::int64_t kept_begin_ = 0;
    std::vector<Cost> costs_;
    std::vector<std::uint8_t> kept_;
    std::vector<std::vector<Cost>> checkpoints_;
};

}  // namespace alignment
