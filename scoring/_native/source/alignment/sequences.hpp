// Vocabulary of the aligners: sequences of word types, costs, ties, edits. No Python in here.
#pragma once

#include <cstddef>
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>

namespace alignment {

using Type = std::int32_t;
using Bits = std::uint64_t;

inline constexpr std::int64_t word_bits = 64;

// The values of scoring.model.counts.Edit.
enum Edit : std::uint8_t { correct = 0, substitution = 1, deletion = 2, insertion = 3 };

// Preference among equally cheap steps, walking back from the end of both sequences.
enum class Ties {
    sclite = 0,       // diagonal, insertion, deletion
    align_text = 1,   // diagonal, deletion, insertion
    compute_wer = 2,  // insertion, deletion, diagonal
    // Equal words at the beginning, then at the end; between: deletion, unequal words, insertion,
    // equal words.
    rapidfuzz = 3,
};

struct Costs {
    static constexpr std::int64_t greatest = std::int64_t{1} << 62;

    std::int64_t substitution;
    std::int64_t deletion;
    std::int64_t insertion;

    // A common factor changes no choice.
    Costs reduced() const {
        const std::int64_t factor = std::gcd(substitution, std::gcd(deletion, insertion));
        if (factor < 2) return *this;
        return {substitution / factor, deletion / factor, insertion / factor};
    }
    std::int64_t dearest() const { return std::max({substitution, deletion, insertion}); }

    // Refuses what could pass 62 bits: the dearest step, once per word of both sides and two more.
    void check(std::int64_t words) const {
        if (dearest() <= greatest / (words + 2)) return;
        throw std::overflow_error("costs are too large for sequences of this length");
    }
};

// A view of word types; two words match if their types are equal.
struct Sequence {
    const Type* data;
    std::int64_t size;

    Type operator[](std::int64_t position) const { return data[position]; }
    Sequence from(std::int64_t begin) const { return {data + begin, size - begin}; }
};

// The edits of one pair are written backwards from the end of a buffer with room for every word
// of both sides; `first` ends up at the first edit.
struct Path {
    std::uint8_t* first;
    std::int64_t correct = 0;
    std::int64_t diagonal = 0;  // correct and substituted

    void step_diagonal(bool match) {
        *--first = match ? Edit::correct : Edit::substitution;
        correct += match ? 1 : 0;
        ++diagonal;
    }
    void step_deletion() { *--first = Edit::deletion; }
    void step_insertion() { *--first = Edit::insertion; }

    // The rest once one side is used up.
    void finish(std::int64_t reference_left, std::int64_t hypothesis_left) {
        for (; hypothesis_left > 0; --hypothesis_left) step_insertion();
        for (; reference_left > 0; --reference_left) step_deletion();
    }
};

}  // namespace alignment
