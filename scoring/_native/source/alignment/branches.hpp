// The branches that paths take through rows of words and marks; needs the interpreter's lock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../common/helpers.hpp"
#include "reference_rows.hpp"

namespace alignment {

// Of each choice on a path, from left to right: the branch taken, and the range of its words.
class BranchReader {
public:
    // The places are those of the words of the path, which rise.
    void read(const RowItems& row, const std::int32_t* place, const std::int32_t* end) {
        levels_.clear();
        needs_none_ = true;
        words_ = 0;
        std::size_t next = 0;  // the first item that is not read yet
        for (const auto& [at, mark] : row.marks()) {
            take_words(next, at, place, end);
            next = at + 1;
            if (mark == open_mark) {
                levels_.push_back({branches_.size(), branches_.size() + 3, words_, words_, 0, -1, false, needs_none_});
                branches_.insert(branches_.end(), {0, words_, words_});
                needs_none_ = true;
            } else if (mark == bar_mark || mark == close_mark) {
                require(!levels_.empty(), "rows: expected a mark that opens alternatives");
                finish_branch(levels_.back());
                if (mark == close_mark) finish_choice();
            }
        }
        require(levels_.empty(), "rows: expected a mark that closes alternatives, found none");
        offsets_.push_back(static_cast<std::int64_t>(branches_.size()) / 3);
    }

    py::bytes branches() const { return packed(branches_); }
    py::bytes offsets() const { return packed(offsets_); }

private:
    struct Level {
        std::size_t slot;    // of the choice among the branches
        std::size_t inner;   // where choices within the branch that is read begin
        std::int32_t begin;  // words of the path before the choice, and before this branch
        std::int32_t branch_begin;
        std::int32_t number;  // of this branch
        std::int32_t chosen;  // -1: none yet
        bool may_be_empty;
        bool needs_none_before;  // the branch around it, as far as the choice
    };

    void take_words(std::size_t begin, std::size_t end, const std::int32_t*& place, const std::int32_t* last) {
        if (begin < end) needs_none_ = false;
        for (; place != last && static_cast<std::size_t>(*place) < end; ++place) ++words_;
    }

    void finish_branch(Level& level) {
        const bool has_words = words_ > level.branch_begin;
        const bool is_taken = level.chosen >= 0 && words_before(level) > 0;
        const bool keep = !is_taken && (has_words || (needs_none_ && level.chosen < 0));
        const auto first = branches_.begin() + static_cast<std::ptrdiff_t>(level.slot) + 3;
        const auto inner = branches_.begin() + static_cast<std::ptrdiff_t>(level.inner);
        if (keep) {
            branches_.erase(first, inner);
            level.chosen = level.number;
        } else {
            branches_.erase(inner, branches_.end());
        }
        level.may_be_empty = level.may_be_empty || needs_none_;
        ++level.number;
        level.inner = branches_.size();
        level.branch_begin = words_;
        needs_none_ = true;
    }

    // Words of the branches before this one.
    static std::int32_t words_before(const Level& level) { return level.branch_begin - level.begin; }

    void finish_choice() {
        const Level level = levels_.back();
        levels_.pop_back();
        branches_[level.slot] = std::max(level.chosen, 0);
        branches_[level.slot + 2] = words_;
        needs_none_ = level.needs_none_before && level.may_be_empty;
    }

    std::vector<Level> levels_;
    std::vector<std::int32_t> branches_;
    std::vector<std::int64_t> offsets_{0};
    std::int32_t words_ = 0;
    bool needs_none_ = true;
};

}  // namespace alignment
