// Segments of two alignments between words that both have right, as scoring.stats.matched_pairs.segments cuts them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace resampling {

// Three columns of the segments of many utterances.
struct MatchedSegments {
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> first_errors;
    std::vector<std::int32_t> second_errors;
};

class Cutter {
public:
    explicit Cutter(std::int64_t boundary_words) : boundary_words_(boundary_words) {}

    void cut(std::string_view first, std::string_view second) {
        sides_[0] = {first};
        sides_[1] = {second};
        std::int64_t run = 0;  // words in a row both have right, within a segment
        bool inside = false;
        while (sides_[0].more()) {
            for (Side& side : sides_) {
                while (side.is(insertion)) {
                    ++side.at;
                    inside = true;
                    run = 0;
                }
            }
            if (!sides_[0].is(correct) || !sides_[1].is(correct)) {
                inside = true;
                run = 0;
            } else if (!inside) {
                // straight to the last word that both have right before the next mistake of either
                const std::size_t ahead = std::min(sides_[0].in_a_row(), sides_[1].in_a_row()) - 1;
                for (Side& side : sides_) side.last = side.at += ahead;
            } else if (++run == boundary_words_) {
                close(sides_[0].at + 1, sides_[1].at + 1);
                for (Side& side : sides_) side.last = side.at;
                inside = false;
                run = 0;
            }
            for (Side& side : sides_) side.at += side.more();
        }
        if (inside || sides_[1].more()) close(first.size(), second.size());
    }

    MatchedSegments segments;

private:
    static constexpr char correct = 0;
    static constexpr char insertion = 3;

    struct Side {
        std::string_view edits;
        std::size_t at = 0;
        std::size_t last = 0;

        bool more() const { return at < edits.size(); }
        bool is(char edit) const { return more() && edits[at] == edit; }
        std::size_t in_a_row() const {
            const std::size_t wrong = edits.find_first_not_of(correct, at);
            return std::min(wrong, edits.size()) - at;
        }
    };

    // The ends are behind the last places.
    void close(std::size_t first_end, std::size_t second_end) {
        const std::size_t ends[] = {first_end, second_end};
        std::int64_t words = 0;
        std::int64_t errors[] = {0, 0};
        for (std::size_t number = 0; number < 2; ++number) {
            const Side& side = sides_[number];
            const auto begin = static_cast<std::size_t>(
                std::max<std::int64_t>(0, static_cast<std::int64_t>(side.last) - boundary_words_ + 1));
            for (std::size_t place = begin; place < ends[number]; ++place) {
                words += side.edits[place] != insertion;
                errors[number] += side.edits[place] != correct;
            }
        }
        segments.words.push_back(static_cast<std::int32_t>(words / 2));
        segments.first_errors.push_back(static_cast<std::int32_t>(errors[0]));
        segments.second_errors.push_back(static_cast<std::int32_t>(errors[1]));
    }

    const std::int64_t boundary_words_;
    Side sides_[2];
};

}  // namespace resampling
