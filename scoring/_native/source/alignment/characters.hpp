// The code points of texts as tokens, without an object for each; and how many edits are between two.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "linear.hpp"
#include "tokens.hpp"

namespace alignment {

// The code points of one string.
class Characters {
public:
    Characters(py::handle text, const char* name, std::int64_t position) {
        if (!PyUnicode_CheckExact(text.ptr())) {
            throw py::type_error(std::string(name) + "[" + std::to_string(position) +
                                 "]: expected a text, found " + type_name(text));
        }
        data_ = PyUnicode_DATA(text.ptr());
        width_ = PyUnicode_KIND(text.ptr());
        size_ = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr()));
    }

    std::size_t size() const { return size_; }
    // The code points themselves, if none is beyond Latin-1.
    const std::uint8_t* bytes() const { return width_ == 1 ? static_cast<const std::uint8_t*>(data_) : nullptr; }

    // Copies the code points, which need no lock: strings do not change.
    void copy(std::vector<std::uint32_t>& into) const {
        into.resize(size_);
        if (width_ == 1) {
            std::copy_n(static_cast<const std::uint8_t*>(data_), size_, into.data());
        } else if (width_ == 2) {
            std::copy_n(static_cast<const std::uint16_t*>(data_), size_, into.data());
        } else {
            std::copy_n(static_cast<const std::uint32_t*>(data_), size_, into.data());
        }
    }

private:
    const void* data_;
    unsigned width_;
    std::size_t size_;
};

enum class TextKind { other = 0, texts = 1, printable = 2, spaced = 3 };

#if defined(__GNUC__)
using Lanes = std::uint8_t __attribute__((vector_size(16)));
constexpr std::size_t lanes = sizeof(Lanes);

inline Lanes lanes_at(const std::uint8_t* bytes) {
    Lanes part;
    std::memcpy(&part, bytes, lanes);
    return part;
}

inline bool has_any(const Lanes& part) {
    std::uint64_t halves[2];
    std::memcpy(halves, &part, lanes);
    return (halves[0] | halves[1]) != 0;
}

// Does what `is_printable` does for a string of at least 16 bytes, whose end a zero follows.
inline bool is_long_printable(const std::uint8_t* bytes, std::size_t size, bool& is_spaced) {
    Lanes odd{};
    Lanes pairs{};
    for (std::size_t at = 0; at < size; at += lanes) {
        const std::size_t begin = std::min(at, size - lanes);  // the last lanes begin earlier
        const Lanes part = lanes_at(bytes + begin);
        odd |= static_cast<Lanes>(part < 0x20) | static_cast<Lanes>(part == 0x7F);
        pairs |= static_cast<Lanes>(part == ' ') & static_cast<Lanes>(lanes_at(bytes + begin + 1) == ' ');
    }
    is_spaced = is_spaced && !has_any(pairs);
    return !has_any(odd);
}
#endif

// True if all bytes of an ASCII string are printable; `is_spaced` becomes false if two of them are
// blanks together.
inline bool is_printable(const std::uint8_t* bytes, std::size_t size, bool& is_spaced) {
#if defined(__GNUC__)
    if (size >= lanes) return is_long_printable(bytes, size, is_spaced);
#endif
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t tops = 0x80 * ones;
    std::uint64_t odd = 0;
    std::uint64_t pairs = 0;
    std::uint64_t before = 0;  // a blank at the end of the part before
    // eight at a time, the last ones filled up with letters; a top bit answers for each byte
    for (std::size_t at = 0; at < size; at += 8) {
        std::uint64_t part = 'a' * ones;
        if (size - at >= 8) {
            std::memcpy(&part, bytes + at, 8);
        } else {
            std::memcpy(&part, bytes + at, size - at);
        }
        odd |= ~(part + (0x80 - 0x20) * ones) & tops;      // below a blank
        odd |= (part + ones) & tops;                       // 0x7F
        const std::uint64_t blanks = ~((part ^ ' ' * ones) + 0x7F * ones) & tops;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        pairs |= blanks & (blanks >> 8 | before << 56);
        before = blanks & 0x80;
#else
        pairs |= blanks & (blanks << 8 | before >> 56);
        before = blanks & (std::uint64_t{0x80} << 56);
#endif
    }
    is_spaced = is_spaced && pairs == 0;
    return odd == 0;
}

inline constexpr std::size_t ahead = 8;  // so many texts from now a text is asked for

// Asks for the first bytes of a text, which lies anywhere in memory.
inline void prefetch([[maybe_unused]] const PyObject* text) {
#if defined(__GNUC__)
    __builtin_prefetch(text);
    __builtin_prefetch(reinterpret_cast<const char*>(text) + 64);
#endif
}

// What the items of a list have in common: see `text_kind` of scoring/alignment/plain.py.
inline TextKind text_kind(const Tokens& texts) {
    TextKind kind = TextKind::spaced;
    for (std::size_t k = 0; k < texts.size(); ++k) {
        if (k + ahead < texts.size()) prefetch(texts[k + ahead]);
        PyObject* const text = texts[k];
        if (!PyUnicode_CheckExact(text)) return TextKind::other;
        if (kind == TextKind::texts) continue;
        if (!PyUnicode_IS_ASCII(text)) {
            kind = TextKind::texts;
            continue;
        }
        const auto* const bytes = static_cast<const std::uint8_t*>(PyUnicode_DATA(text));
        const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text));
        bool is_spaced = size == 0 || (bytes[0] != ' ' && bytes[size - 1] != ' ');
        if (!is_printable(bytes, size, is_spaced)) {
            kind = TextKind::texts;
        } else if (kind == TextKind::spaced && !is_spaced) {
            kind = TextKind::printable;
        }
    }
    return kind;
}

// Numbers the code points of one reference from 1, as `Numbering` does tokens.
class CharacterNumbers {
public:
    // Numbers of the reference; returns how many differ.
    Type number(const std::uint32_t* text, std::size_t size, Type* types) {
        Type last = 0;
        for (std::size_t at = 0; at < size; ++at) {
            const std::uint32_t code = text[at];
            if (code >= numbers_.size()) numbers_.resize(std::max<std::size_t>(256, 2 * code));
            if (numbers_[code] == 0) numbers_[code] = ++last;
            types[at] = numbers_[code];
        }
        return last;
    }

    Type operator[](std::uint32_t code) const { return code < numbers_.size() ? numbers_[code] : 0; }

    void forget(const std::uint32_t* text, std::size_t size) {
        for (std::size_t at = 0; at < size; ++at) numbers_[text[at]] = 0;
    }

private:
    std::vector<Type> numbers_;  // by code point; all 0 between two pairs
};

// Takes the part of `Numbering` where tokens are code points.
class CharacterNumbering {
public:
    explicit CharacterNumbering(Watch&) {}

    void append(const Characters& reference, const Characters& hypothesis,
                std::vector<Type>& references, std::vector<Type>& hypotheses) {
        reference.copy(left_);
        hypothesis.copy(right_);
        const std::size_t first = references.size();
        references.resize(first + left_.size());
        numbers_.number(left_.data(), left_.size(), references.data() + first);
        for (const std::uint32_t code : right_) hypotheses.push_back(numbers_[code]);
        numbers_.forget(left_.data(), left_.size());
    }

private:
    std::vector<std::uint32_t> left_;
    std::vector<std::uint32_t> right_;
    CharacterNumbers numbers_;
};

// Counts the fewest substitutions, deletions and insertions between two texts.
class CharacterDistance {
public:
    explicit CharacterDistance(Watch& watch)
        : watch_(watch), aligner_({1, 1, 1}, Ties::sclite, watch) {}

    std::int64_t operator()(const Characters& reference, const Characters& hypothesis) {
        watch_.spend(static_cast<std::int64_t>(reference.size() + hypothesis.size()));
        if (reference.bytes() != nullptr && hypothesis.bytes() != nullptr) {
            const Trimmed<std::uint8_t> pair(reference.bytes(), reference.size(), hypothesis.bytes(), hypothesis.size());
            if (pair.row_count <= most_rows) return of_bytes(pair);
        }
        reference.copy(left_);
        hypothesis.copy(right_);
        return of_codes({left_.data(), left_.size(), right_.data(), right_.size()});
    }

private:
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
#else
    using Wide = Bits;
#endif
    // Beyond it the aligner's band is worth its preparation.
    static constexpr std::size_t most_rows = 16 * word_bits;

    // Two texts without what they have in common at both ends. The way back matters to nobody here,
    // so that the shorter text has the rows.
    template <class Code>
    struct Trimmed {
        Trimmed(const Code* reference, std::size_t reference_size, const Code* hypothesis,
                std::size_t hypothesis_size)
            : rows(reference), row_count(reference_size), columns(hypothesis), column_count(hypothesis_size) {
            if (row_count > column_count) {
                std::swap(rows, columns);
                std::swap(row_count, column_count);
            }
            while (row_count > 0 && *rows == *columns) {
                ++rows, ++columns, --row_count, --column_count;
            }
            while (row_count > 0 && rows[row_count - 1] == columns[column_count - 1]) {
                --row_count, --column_count;
            }
        }

        const Code* rows;
        std::size_t row_count;
        const Code* columns;
        std::size_t column_count;
    };

    std::int64_t of_bytes(const Trimmed<std::uint8_t>& pair) {
        if (pair.row_count == 0) return static_cast<std::int64_t>(pair.column_count);
        // most sentences have two words of rows, which wait less for each other in one wide word
        if (pair.row_count <= word_bits) return of_bytes(by_byte_, pair);
        if (pair.row_count <= 8 * sizeof(Wide)) return of_bytes(wide_by_byte_, pair);
        constexpr std::size_t words = most_rows / word_bits;
        rows_by_byte_.resize(256 * words);
        for (std::size_t row = 0; row < pair.row_count; ++row) {
            rows_by_byte_[pair.rows[row] * words + row / word_bits] |= Bits{1} << (row % word_bits);
        }
        const std::int64_t distance =
            in_blocks(pair, [&](std::uint8_t code) { return rows_by_byte_.data() + code * words; });
        for (std::size_t row = 0; row < pair.row_count; ++row) {
            rows_by_byte_[pair.rows[row] * words + row / word_bits] = 0;
        }
        return distance;
    }

    template <class Word>
    static std::int64_t of_bytes(std::array<Word, 256>& matches, const Trimmed<std::uint8_t>& pair) {
        for (std::size_t row = 0; row < pair.row_count; ++row) matches[pair.rows[row]] |= Word{1} << row;
        const std::int64_t distance = in_word<Word>(pair, [&](std::uint8_t code) { return matches[code]; });
        for (std::size_t row = 0; row < pair.row_count; ++row) matches[pair.rows[row]] = 0;
        return distance;
    }

    std::int64_t of_codes(const Trimmed<std::uint32_t>& pair) {
        if (pair.row_count == 0) return static_cast<std::int64_t>(pair.column_count);
        types_.resize(pair.row_count);
        const Type last = numbers_.number(pair.rows, pair.row_count, types_.data());
        std::int64_t distance = 0;
        if (pair.row_count <= word_bits) {
            place_rows(1, last);
            distance = in_word<Bits>(pair, [&](std::uint32_t code) {
                return matches_[static_cast<std::size_t>(numbers_[code])];
            });
        } else {
            distance = pair.row_count <= most_rows ? in_blocks_of_types(pair, last) : by_aligner(pair);
        }
        numbers_.forget(pair.rows, pair.row_count);
        return distance;
    }

    // Rows of a column, a bit each, by the bit vectors of Myers (1999) in Hyyrö's (2003) form.
    template <class Word>
    struct Block {
        Word more = ~Word{0};
        Word less = 0;

        // `carried_more` and `carried_less`: bit 0, the change of the row above the block.
        void advance(Word match, Word& right_more, Word& right_less, Word carried_more, Word carried_less) {
            const Word vertical = match | less;
            const Word start = match | carried_less;
            const Word horizontal = (((start & more) + more) ^ more) | start;
            right_more = less | ~(horizontal | more);
            right_less = more & horizontal;
            const Word above_more = (right_more << 1) | carried_more;
            more = ((right_less << 1) | carried_less) | ~(vertical | above_more);
            less = above_more & vertical;
        }
    };

    // Marks the rows of each type.
    void place_rows(std::size_t blocks, Type last) {
        matches_.assign((static_cast<std::size_t>(last) + 1) * blocks, 0);
        for (std::size_t row = 0; row < types_.size(); ++row) {
            matches_[static_cast<std::size_t>(types_[row]) * blocks + row / word_bits] |=
                Bits{1} << (row % word_bits);
        }
    }

    template <class Word, class Code, class Matches>
    static std::int64_t in_word(const Trimmed<Code>& pair, const Matches& matches) {
        Block<Word> block;
        const Word last = Word{1} << (pair.row_count - 1);
        auto distance = static_cast<std::int64_t>(pair.row_count);
        for (std::size_t column = 0; column < pair.column_count; ++column) {
            Word more;
            Word less;
            block.advance(matches(pair.columns[column]), more, less, 1, 0);
            distance += static_cast<std::int64_t>((more & last) != 0) - static_cast<std::int64_t>((less & last) != 0);
        }
        return distance;
    }

    std::int64_t in_blocks_of_types(const Trimmed<std::uint32_t>& pair, Type last) {
        const std::size_t blocks = (pair.row_count + word_bits - 1) / word_bits;
        place_rows(blocks, last);
        return in_blocks(pair, [&](std::uint32_t code) {
            return matches_.data() + static_cast<std::size_t>(numbers_[code]) * blocks;
        });
    }

    // `matches`: the words of rows that match a code.
    template <class Code, class Matches>
    std::int64_t in_blocks(const Trimmed<Code>& pair, const Matches& matches) {
        const std::size_t rows = pair.row_count;
        const std::size_t blocks = (rows + word_bits - 1) / word_bits;
        Block<Bits> column_blocks[most_rows / word_bits];
        const std::size_t last_bit = (rows - 1) % word_bits;
        auto distance = static_cast<std::int64_t>(rows);
        for (std::size_t column = 0; column < pair.column_count; ++column) {
            const Bits* const match = matches(pair.columns[column]);
            Bits carried_more = 1;
            Bits carried_less = 0;
            Bits more = 0;
            Bits less = 0;
            for (std::size_t block = 0; block < blocks; ++block) {
                column_blocks[block].advance(match[block], more, less, carried_more, carried_less);
                carried_more = more >> (word_bits - 1);
                carried_less = less >> (word_bits - 1);
            }
            distance += static_cast<std::int64_t>(more >> last_bit & 1) -
                        static_cast<std::int64_t>(less >> last_bit & 1);
        }
        watch_.spend(static_cast<std::int64_t>(4 * blocks * pair.column_count));
        return distance;
    }

    std::int64_t by_aligner(const Trimmed<std::uint32_t>& pair) {
        others_.resize(pair.column_count);
        for (std::size_t column = 0; column < pair.column_count; ++column) {
            others_[column] = numbers_[pair.columns[column]];
        }
        aligner_.expect_types(pair.row_count + 1);
        std::int32_t counts[4];
        aligner_.align({types_.data(), static_cast<std::int64_t>(pair.row_count)},
                       {others_.data(), static_cast<std::int64_t>(pair.column_count)}, counts);
        return static_cast<std::int64_t>(counts[1]) + counts[2] + counts[3];
    }

    Watch& watch_;
    Aligner aligner_;
    CharacterNumbers numbers_;
    std::array<Bits, 256> by_byte_{};  // all 0 between two pairs
    std::array<Wide, 256> wide_by_byte_{};
    std::vector<Bits> rows_by_byte_;  // likewise, some words for each byte
    std::vector<std::uint32_t> left_;
    std::vector<std::uint32_t> right_;
    std::vector<Type> types_;
    std::vector<Type> others_;
    std::vector<Bits> matches_;  // by type and block
};

}  // namespace alignment
