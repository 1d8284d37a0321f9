// Pairs whose reference needs several machine words: only the blocks that can matter.
//
// A first pass in a narrow fixed band finds the cost of some real path, an upper bound of the true
// cost. The exact pass then keeps, column by column, the blocks that a path within that bound can
// visit. Every cell on a cheapest path has its true cost, every other cell the cost of some real
// path, so the steps taken back, ties included, are those of the full table.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "../common/watch.hpp"
#include "matches.hpp"
#include "word.hpp"

namespace alignment {

// The blocks of a column that are computed: the first and the last.
struct Span {
    std::int64_t low;
    std::int64_t high;
};

// The state before column `begin`, from which later columns can be computed again.
template <class Column>
struct ColumnsFrom {
    std::int64_t begin;
    Span span;
    std::vector<Column> columns;
};

template <class Step, Ties ties>
class Blocks {
public:
    Blocks(Sequence reference, Sequence hypothesis, Scratch& scratch, Watch& watch)
        : reference_(reference),
          hypothesis_(hypothesis),
          matches_(reference, hypothesis, scratch.by_type),
          shift_(hypothesis.size - reference.size),
          columns_(static_cast<std::size_t>(matches_.blocks())),
          bottoms_(static_cast<std::size_t>(matches_.blocks()) + 1),
          kept_(scratch.directions),
          watch_(watch) {}

    void align(Path& path) {
        bound_ = upper_bound();
        fill();
        std::int64_t i = reference_.size;
        std::int64_t j = hypothesis_.size;
        while (true) {
            walk(path, i, j);
            if (checkpoints_.empty() || i == 0 || j == 0) break;
            refill();
        }
        path.finish(i, j);
    }

private:
    using Column = typename Step::Column;
    using Checkpoint = ColumnsFrom<Column>;

    // Directions kept at a time: 64 MiB of them.
    static constexpr std::size_t kept_limit = std::size_t{1} << 22;
    static constexpr std::int64_t first_width = 128;

    void start() {
        std::fill(columns_.begin(), columns_.end(), Column{});
        for (std::size_t block = 0; block < bottoms_.size(); ++block) {
            bottoms_[block] = static_cast<std::int64_t>(block) * word_bits * Step::indel;
        }
        span_ = {0, 0};
    }

    std::int64_t& bottom(std::int64_t block) {
        return bottoms_[static_cast<std::size_t>(block) + 1];
    }

    // Takes in the next block below: reached only by deletions so far.
    void open_block() {
        const std::int64_t block = ++span_.high;
        columns_[static_cast<std::size_t>(block)] = Column{};
        bottom(block) = bottom(block - 1) + word_bits * Step::indel;
    }

    void advance(std::int64_t j, Directions* directions) {
        watch_.spend(8 * (span_.high - span_.low + 1));
        const Bits* bits = matches_.row(j, span_.low, span_.high);
        typename Step::Entry entry;
        for (std::int64_t block = span_.low; block <= span_.high; ++block) {
            const Directions here = Step::template step<ties>(
                columns_[static_cast<std::size_t>(block)], entry, bits[block]);
            bottom(block) += Step::change(entry);
            if (directions != nullptr) *directions++ = here;
        }
        matches_.release(j, span_.low, span_.high);
    }

    // Cost of the cheapest path inside the fixed band that reaches `width` beyond both corners.
    std::int64_t cost_within(std::int64_t width) {
        const std::int64_t above = std::max(shift_, std::int64_t{0}) + width;
        const std::int64_t below = std::max(-shift_, std::int64_t{0}) + width;
        start();
        for (std::int64_t j = 0; j < hypothesis_.size; ++j) {
            span_.low = std::max(span_.low, std::max(j - above, std::int64_t{0}) / word_bits);
            const std::int64_t high = std::min(j + below, reference_.size - 1) / word_bits;
            while (span_.high < high) open_block();
            advance(j, nullptr);
        }
        return final_cost();
    }

    std::int64_t final_cost() {
        const std::int64_t last = matches_.blocks() - 1;
        const std::int64_t used = reference_.size - last * word_bits;
        const Bits padding = used == word_bits ? 0 : ~Bits{0} << used;
        return bottom(last) - Step::rise(columns_[static_cast<std::size_t>(last)], padding);
    }

    // Widening is worth while only if it is cheap beside what the exact pass would have to visit.
    std::int64_t upper_bound() {
        std::int64_t width = first_width;
        std::int64_t cost = cost_within(width);
        const std::int64_t unavoidable = std::max(shift_, -shift_);
        while (width * 4 * 8 <= (cost / Step::indel - unavoidable) / 2 + unavoidable) {
            width *= 4;
            cost = std::min(cost, cost_within(width));
        }
        return cost;
    }

    // Least cost from row `row` (after that many reference words) of column `j` to the end.
    std::int64_t least_rest(std::int64_t row, std::int64_t j) const {
        const std::int64_t offset = shift_ - (j - row);
        return Step::indel * (offset < 0 ? -offset : offset);
    }

    // Neighbouring rows differ by at most `indel`, and so does the least rest, hence one look at
    // the row between two blocks judges a whole block: below the goal's diagonal the row above the
    // block, above that diagonal the block's last row. `j` columns are done.
    void choose_blocks(std::int64_t j) {
        while (span_.high > span_.low) {
            const std::int64_t row = span_.high * word_bits;
            if (row < j - shift_) break;
            if (bottom(span_.high - 1) + least_rest(row, j) <= bound_) break;
            --span_.high;
        }
        while (span_.high + 1 < matches_.blocks()) {
            const std::int64_t row = (span_.high + 1) * word_bits;
            if (bottom(span_.high) + least_rest(row, j) > bound_) break;
            open_block();
        }
        while (span_.low < span_.high) {
            const std::int64_t row = (span_.low + 1) * word_bits;
            if (row > j - shift_) break;
            if (bottom(span_.low) + least_rest(row, j) <= bound_) break;
            ++span_.low;
        }
    }

    void keep_column(std::int64_t j) {
        const auto size = static_cast<std::size_t>(span_.high - span_.low + 1);
        if (kept_used_ + size > kept_.size()) {
            kept_.resize(std::max(kept_used_ + size, std::min(kept_.size() * 2, kept_limit)));
        }
        offsets_[static_cast<std::size_t>(j - kept_begin_)] = kept_used_;
        advance(j, kept_.data() + kept_used_);
        kept_used_ += size;
    }

    // The exact pass. Directions that no longer fit are dropped, to be computed again from the
    // checkpoint left in their place.
    void fill() {
        start();
        spans_.resize(static_cast<std::size_t>(hypothesis_.size));
        offsets_.resize(spans_.size());
        kept_begin_ = 0;
        kept_used_ = 0;
        Checkpoint begin{0, span_, {Column{}}};  // column 0: nothing but deletions
        checkpoints_.clear();
        for (std::int64_t j = 0; j < hypothesis_.size; ++j) {
            choose_blocks(j);
            const auto size = static_cast<std::size_t>(span_.high - span_.low + 1);
            if (kept_used_ > 0 && kept_used_ + size > kept_limit) {
                checkpoints_.push_back(std::move(begin));
                const auto first = columns_.begin();
                begin = {j, span_, {first + span_.low, first + span_.high + 1}};
                kept_begin_ = j;
                kept_used_ = 0;
            }
            spans_[static_cast<std::size_t>(j)] = span_;
            keep_column(j);
        }
    }

    // Computes the columns from the last checkpoint to those walked already once more.
    void refill() {
        const Checkpoint from = std::move(checkpoints_.back());
        checkpoints_.pop_back();
        const std::int64_t end = kept_begin_;
        std::copy(from.columns.begin(), from.columns.end(), columns_.begin() + from.span.low);
        span_ = from.span;
        kept_begin_ = from.begin;
        kept_used_ = 0;
        for (std::int64_t j = from.begin; j < end; ++j) {
            const Span wanted = spans_[static_cast<std::size_t>(j)];
            while (span_.high < wanted.high) open_block();
            span_ = wanted;
            keep_column(j);
        }
    }

    // Follows the kept directions back to a border or to the first kept column.
    void walk(Path& path, std::int64_t& i, std::int64_t& j) const {
        while (i > 0 && j > kept_begin_) {
            const std::int64_t row = i - 1;
            const Span span = spans_[static_cast<std::size_t>(j - 1)];
            const std::size_t place = offsets_[static_cast<std::size_t>(j - 1 - kept_begin_)] +
                                      static_cast<std::size_t>(row / word_bits - span.low);
            const Bits bit = Bits{1} << (row % word_bits);
            if (kept_[place].diagonal & bit) {
                --i;
                --j;
                path.step_diagonal(reference_[i] == hypothesis_[j]);
            } else if (kept_[place].deletion & bit) {
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
    Matches matches_;
    std::int64_t shift_;  // hypothesis words more than reference words
    std::int64_t bound_ = 0;
    Span span_{0, 0};
    std::vector<Column> columns_;
    std::vector<std::int64_t> bottoms_;  // cost above block 0, then in each block's last row
    std::vector<Span> spans_;            // per column: its blocks
    std::vector<Directions>& kept_;      // directions of the columns from `kept_begin_` on
    Watch& watch_;
    std::vector<std::size_t> offsets_;   // where each kept column begins in `kept_`
    std::size_t kept_used_ = 0;
    std::int64_t kept_begin_ = 0;
    std::vector<Checkpoint> checkpoints_;
};

}  // namespace alignment
