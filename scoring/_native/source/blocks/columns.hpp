// Columns of a system as C++ sees them: views, whose owner keeps what they look at alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace report {

// Whole numbers of 32 or 64 bits; access is checked.
struct Integers {
    const std::int32_t* narrow = nullptr;
    const std::int64_t* wide = nullptr;
    std::size_t size = 0;

    std::int64_t operator[](std::size_t position) const {
        if (position >= size) throw std::out_of_range("a column is shorter than expected");
        return narrow != nullptr ? narrow[position] : wide[position];
    }
};

// Doubles, or nothing at all; access is checked.
struct Doubles {
    const double* data = nullptr;
    std::size_t size = 0;

    bool empty() const { return data == nullptr; }
    double operator[](std::size_t position) const {
        if (position >= size) throw std::out_of_range("a column is shorter than expected");
        return data[position];
    }
};

// Byte text; a text without data is one the input does not have.
using Texts = std::vector<std::string_view>;

// The words of one side, and where each utterance has its own.
struct Words {
    Integers types;
    Integers begins;
    Integers ends;
    Doubles starts;
    Doubles finishes;
    Doubles confidences;
    Doubles weights;  // of words whose weight depends on their place
};

// The alignments of all utterances.
struct Edits {
    std::string_view codes;
    Integers offsets;

    std::string_view of(std::size_t utterance) const {
        const std::int64_t begin = offsets[utterance];
        const std::int64_t end = offsets[utterance + 1];
        if (begin < 0 || end < begin || end > static_cast<std::int64_t>(codes.size())) {
            throw std::out_of_range("an alignment lies outside the column of edits");
        }
        return codes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }
};

// Codes of what happened at one place of an alignment, as in scoring.model.counts.Edit.
enum Edit : char {
    correct = 0,
    substitution = 1,
    deletion = 2,
    insertion = 3,
    skipped_reference = 4,
    skipped_hypothesis = 5,
    merged = 6,
    split = 7,
};
constexpr unsigned char last_edit = split;

inline bool has_reference(char edit) { return edit != insertion && edit != skipped_hypothesis; }
inline bool has_hypothesis(char edit) { return edit != deletion && edit != skipped_reference; }

}  // namespace report
