// Counts by places: a place with several readings counts as the words of its written form.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace spoken {

// The numbers of each form, as `FormPairs::settle` returns them.
constexpr std::size_t form_numbers = 7;

// The edits of all utterances; those of utterance u begin at `offsets[u]`.
struct EditColumn {
    std::string_view edits;
    const std::int64_t* offsets;

    std::string_view of(std::int64_t row) const {
        const auto begin = static_cast<std::size_t>(offsets[row]);
        return edits.substr(begin, static_cast<std::size_t>(offsets[row + 1]) - begin);
    }
};

// Utterances whose readings are decided: their rows, the first form of each, the forms, and the words in each text.
struct SettledRows {
    const std::int64_t* rows;
    std::int64_t size;
    const std::int32_t* bounds;
    const std::int32_t* forms;
    const std::int32_t* lengths;
};

// Replaces the counts of the settled utterances in `counts`, four numbers for each utterance.
void count_places(const EditColumn& column, const SettledRows& settled, std::int32_t* counts);

}  // namespace spoken
