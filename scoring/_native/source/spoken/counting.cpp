#include "counting.hpp"

#include <algorithm>
#include <array>

namespace spoken {

namespace {

// The value of `Edit` for an inserted word; other edits of plain words are smaller.
constexpr char insertion = 3;

// Correct, substituted, deleted and inserted words.
using Counts = std::array<std::int32_t, 4>;

Counts counts_of(std::string_view edits) {
    Counts counts{};
    for (const char edit : edits) ++counts[static_cast<std::size_t>(edit) & 3U];
    return counts;
}

// Converts the counts along a reading to those of a place with `written` written words.
Counts of_place(const Counts& inside, std::int32_t written) {
    const auto [correct, substitutions, deletions, insertions] = inside;
    if (substitutions + deletions + insertions <= written) {
        return {written - substitutions - deletions, substitutions, deletions, insertions};
    }
    const std::int32_t paired = std::min(written, correct + substitutions + insertions);
    return {0, paired, written - paired, 0};
}

// Counts an utterance; `places` are the positions of the edits that have a word of the reference.
Counts counts_by_places(std::string_view edits, const std::vector<std::size_t>& places, const SettledRows& settled,
                        std::int64_t number) {
    Counts total = counts_of(edits);
    std::size_t done = 0;  // edits before are counted
    for (std::int32_t form = settled.bounds[number]; form < settled.bounds[number + 1]; ++form) {
        const std::int32_t* numbers = settled.forms + form_numbers * static_cast<std::size_t>(form);
        const std::int32_t written = settled.lengths[numbers[2]], chosen = settled.lengths[numbers[3]];
        if (chosen == 0) {  // a reading of no words has no errors
            total[0] += written;
            continue;
        }
        const auto first = static_cast<std::size_t>(numbers[4]);
        std::size_t begin = places.at(first), end = places.at(first + static_cast<std::size_t>(chosen) - 1) + 1;
        Counts inside = counts_of(edits.substr(begin, end - begin));
        if (inside[1] > 0 || inside[2] > 0) {
            std::int32_t room = numbers[6] - (inside[0] + inside[1] + inside[3]);
            for (; room > 0 && begin > done && edits[begin - 1] == insertion; --room) --begin;
            for (; room > 0 && end < edits.size() && edits[end] == insertion; --room) ++end;
            inside = counts_of(edits.substr(begin, end - begin));
        }
        const Counts counted = of_place(inside, written);
        for (std::size_t kind = 0; kind < total.size(); ++kind) total[kind] += counted[kind] - inside[kind];
        done = end;
    }
    return total;
}

}  // namespace

void count_places(const EditColumn& column, const SettledRows& settled, std::int32_t* counts) {
    std::vector<std::size_t> places;
    for (std::int64_t number = 0; number < settled.size; ++number) {
        const std::int64_t row = settled.rows[number];
        const std::string_view edits = column.of(row);
        places.clear();
        for (std::size_t place = 0; place < edits.size(); ++place) {
            if (edits[place] != insertion) places.push_back(place);
        }
        const Counts total = counts_by_places(edits, places, settled, number);
        std::copy(total.begin(), total.end(), counts + 4 * row);
    }
}

}  // namespace spoken
