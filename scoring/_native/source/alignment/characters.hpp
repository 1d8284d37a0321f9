// The code points of texts as tokens, without an object for each; and how many edits are between two.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "../common/lanes.hpp"
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

enum class TextKind { other = 0, texts = 1, printable = 2, spaced = 3, signless = 4 };

// What the bytes of an ASCII string have: others than printable ones, blanks together, signs of
// names of files and of references of HTML.
struct Marks {
    bool is_odd;
    bool has_pairs;
    bool has_signs;
};

#if defined(__GNUC__)
// A zero follows the bytes.
inline Marks marks_in(const std::uint8_t* bytes, std::size_t size) {
    std::uint8_t filled[lanes + 1];
    if (size < lanes) {
        std::fill_n(std::copy_n(bytes, size, filled), lanes + 1 - size, std::uint8_t{'a'});
        bytes = filled;
        size = lanes;
    }
    Lanes odd{};
    Lanes pairs{};
    Lanes signs{};
    for (std::size_t at = 0; at < size; at += lanes) {
        const std::size_t begin = std::min(at, size - lanes);  // the last lanes begin earlier
        const Lanes part = lanes_at(bytes + begin);
        odd |= static_cast<Lanes>(part < 0x20) | static_cast<Lanes>(part == 0x7F);
        pairs |= static_cast<Lanes>(part == ' ') & static_cast<Lanes>(lanes_at(bytes + begin + 1) == ' ');
        signs |= static_cast<Lanes>(part == '&') | static_cast<Lanes>(part == '.') |
                 static_cast<Lanes>(part == '/') | static_cast<Lanes>(part == '\\');
    }
    return {has_any(odd), has_any(pairs), has_any(signs)};
}
#else
inline Marks marks_in(const std::uint8_t* bytes, std::size_t size) {
    Marks marks{};
    for (std::size_t at = 0; at < size; ++at) {
        const std::uint8_t byte = bytes[at];
        marks.is_odd = marks.is_odd || byte < 0x20 || byte == 0x7F;
        marks.has_pairs = marks.has_pairs || (at > 0 && byte == ' ' && bytes[at - 1] == ' ');
        marks.has_signs = marks.has_signs || byte == '&' || byte == '.' || byte == '/' || byte == '\\';
    }
    return marks;
}
#endif

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
    TextKind kind = TextKind::signless;
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
        const Marks marks = marks_in(bytes, size);
        TextKind own = marks.has_signs ? TextKind::spaced : TextKind::signless;
        if (marks.has_pairs || (size > 0 && (bytes[0] == ' ' || bytes[size - 1] == ' '))) own = TextKind::printable;
        if (marks.is_odd) own = TextKind::texts;
        kind = std::min(kind, own);
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

// Rows of a column, a bit each, by the bit vectors of Myers (1999) in Hyyrö's (2003) form.
template <class Word>
struct Block {
    Word more = ~Word{0};
    Word less = 0;

    // `right_more` and `right_less` return the changes along each row; `carried_more` and
    // `carried_less`: bit 0, the change of the row above the block.
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

    // The first row is the first of the table.
    void advance(Word match) {
        Word right_more;
        Word right_less;
        advance(match, right_more, right_less, 1, 0);
    }

    // By how much the last of so many rows exceeds the row above the block.
    std::int64_t change(std::size_t rows) const {
        const Word counted = rows < 8 * sizeof(Word) ? (Word{1} << rows) - 1 : ~Word{0};
        return ones(more & counted) - ones(less & counted);
    }

private:
    static std::int64_t ones(Word word) {
        std::size_t count = 0;
        for (std::size_t at = 0; at < sizeof(Word); at += sizeof(Bits)) {
            count += std::bitset<word_bits>(static_cast<Bits>(word >> (8 * at))).count();
        }
        return static_cast<std::int64_t>(count);
    }
};

// Two texts without what they have in common at both ends. The way back matters to nobody here,
// so that the shorter text has the rows.
template <class Code>
struct Trimmed {
    Trimmed() = default;
    Trimmed(const Code* reference, std::size_t reference_size, const Code* hypothesis,
            std::size_t hypothesis_size)
        : rows(reference), row_count(reference_size), columns(hypothesis), column_count(hypothesis_size) {
        if (row_count > column_count) {
            std::swap(rows, columns);
            std::swap(row_count, column_count);
        }
        constexpr std::size_t several = sizeof(Bits) / sizeof(Code);
        while (row_count >= several && bits_at(rows) == bits_at(columns)) drop_first(several);
        while (row_count > 0 && *rows == *columns) drop_first(1);
        while (row_count >= several &&
               bits_at(rows + row_count - several) == bits_at(columns + column_count - several)) {
            drop_last(several);
        }
        while (row_count > 0 && rows[row_count - 1] == columns[column_count - 1]) drop_last(1);
    }

    const Code* rows = nullptr;
    std::size_t row_count = 0;
    const Code* columns = nullptr;
    std::size_t column_count = 0;

private:
    static Bits bits_at(const Code* place) {
        Bits bits;
        std::memcpy(&bits, place, sizeof bits);
        return bits;
    }

    void drop_first(std::size_t count) { rows += count, columns += count, drop_last(count); }
    void drop_last(std::size_t count) { row_count -= count, column_count -= count; }
};

// Takes the steps of two pairs together: those of one pair wait for each other.
template <class Word>
class Twins {
public:
    static constexpr std::size_t most_rows = 8 * sizeof(Word);

    // The pair has 1 to `most_rows` rows.
    void add(const Trimmed<std::uint8_t>& pair, std::int32_t* into) {
        lanes_[lanes_[0].into == nullptr ? 0 : 1].begin(pair, into);
        if (lanes_[0].into != nullptr && lanes_[1].into != nullptr) advance_both();
    }

    void finish() {
        for (Lane& lane : lanes_) {
            if (lane.into != nullptr) lane.advance(lane.left);
        }
    }

private:
    struct Lane {
        void begin(const Trimmed<std::uint8_t>& given, std::int32_t* place) {
            pair = given;
            left = pair.column_count;
            into = place;
            block = {};
            for (std::size_t row = 0; row < pair.row_count; ++row) {
                words(row)[row / word_bits] |= Bits{1} << (row % word_bits);
            }
        }

        const std::uint8_t* columns() const { return pair.columns + (pair.column_count - left); }

        Word match(std::uint8_t code) const {
            const auto& all = matches[code];
            if constexpr (sizeof(Word) == sizeof(Bits)) {
                return all[0];
            } else {
                return static_cast<Word>(all[1]) << word_bits | all[0];
            }
        }

        void advance(std::size_t count) {
            Block<Word> own = block;
            const std::uint8_t* const codes = columns();
            for (std::size_t column = 0; column < count; ++column) own.advance(match(codes[column]));
            take(own, count);
        }

        // `count` columns on; with the last one, the distance.
        void take(const Block<Word>& advanced, std::size_t count) {
            block = advanced;
            left -= count;
            if (left > 0) return;
            *into = static_cast<std::int32_t>(static_cast<std::int64_t>(pair.column_count) + block.change(pair.row_count));
            into = nullptr;
            for (std::size_t row = 0; row < pair.row_count; ++row) words(row) = {};
        }

        std::array<Bits, sizeof(Word) / sizeof(Bits)>& words(std::size_t row) { return matches[pair.rows[row]]; }

        std::array<std::array<Bits, sizeof(Word) / sizeof(Bits)>, 256> matches{};  // rows by byte; all 0 between two pairs
        Trimmed<std::uint8_t> pair;
        Block<Word> block;
        std::size_t left = 0;
        std::int32_t* into = nullptr;  // null: the lane is free
    };

    void advance_both() {
        Lane& first = lanes_[0];
        Lane& second = lanes_[1];
        const std::size_t count = std::min(first.left, second.left);
        Block<Word> one = first.block;
        Block<Word> other = second.block;
        const std::uint8_t* const left = first.columns();
        const std::uint8_t* const right = second.columns();
        for (std::size_t column = 0; column < count; ++column) {
            one.advance(first.match(left[column]));
            other.advance(second.match(right[column]));
        }
        first.take(one, count);
        second.take(other, count);
    }

    Lane lanes_[2];
};

// Counts the fewest substitutions, deletions and insertions between the texts of many pairs.
class CharacterDistances {
public:
    explicit CharacterDistances(Watch& watch)
        : watch_(watch), aligner_({1, 1, 1}, Ties::sclite, watch) {}

    // The distance is written by the end of `finish`; until then both texts are in use.
    void add(const Characters& reference, const Characters& hypothesis, std::int32_t* into) {
        watch_.spend(static_cast<std::int64_t>(reference.size() + hypothesis.size()));
        if (reference.bytes() != nullptr && hypothesis.bytes() != nullptr) {
            const Trimmed<std::uint8_t> pair(reference.bytes(), reference.size(), hypothesis.bytes(), hypothesis.size());
            if (pair.row_count == 0) return write(static_cast<std::int64_t>(pair.column_count), into);
            if (pair.row_count <= narrow_.most_rows) return narrow_.add(pair, into);
            // most sentences have two words of rows, which wait less for each other in one wide word
            if (pair.row_count <= wide_.most_rows) return wide_.add(pair, into);
            if (pair.row_count <= most_rows) return write(of_bytes(pair), into);
        }
        reference.copy(left_);
        hypothesis.copy(right_);
        write(of_codes({left_.data(), left_.size(), right_.data(), right_.size()}), into);
    }

    void finish() {
        narrow_.finish();
        wide_.finish();
    }

private:
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
#else
    using Wide = Bits;
#endif
    // Beyond it the aligner's band is worth its preparation.
    static constexpr std::size_t most_rows = 16 * word_bits;

    static void write(std::int64_t distance, std::int32_t* into) { *into = static_cast<std::int32_t>(distance); }

    std::int64_t of_bytes(const Trimmed<std::uint8_t>& pair) {
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

    std::int64_t of_codes(const Trimmed<std::uint32_t>& pair) {
        if (pair.row_count == 0) return static_cast<std::int64_t>(pair.column_count);
        types_.resize(pair.row_count);
        const Type last = numbers_.number(pair.rows, pair.row_count, types_.data());
        std::int64_t distance = 0;
        if (pair.row_count <= word_bits) {
            place_rows(1, last);
            distance = in_word(pair);
        } else {
            distance = pair.row_count <= most_rows ? in_blocks_of_types(pair, last) : by_aligner(pair);
        }
        numbers_.forget(pair.rows, pair.row_count);
        return distance;
    }

    // Marks the rows of each type.
    void place_rows(std::size_t blocks, Type last) {
        matches_.assign((static_cast<std::size_t>(last) + 1) * blocks, 0);
        for (std::size_t row = 0; row < types_.size(); ++row) {
            matches_[static_cast<std::size_t>(types_[row]) * blocks + row / word_bits] |=
                Bits{1} << (row % word_bits);
        }
    }

    std::int64_t in_word(const Trimmed<std::uint32_t>& pair) const {
        Block<Bits> block;
        for (std::size_t column = 0; column < pair.column_count; ++column) {
            block.advance(matches_[static_cast<std::size_t>(numbers_[pair.columns[column]])]);
        }
        return static_cast<std::int64_t>(pair.column_count) + block.change(pair.row_count);
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
        const std::size_t blocks = (pair.row_count + word_bits - 1) / word_bits;
        Block<Bits> column_blocks[most_rows / word_bits];
        for (std::size_t column = 0; column < pair.column_count; ++column) {
            const Bits* const match = matches(pair.columns[column]);
            Bits carried_more = 1;
            Bits carried_less = 0;
            for (std::size_t block = 0; block < blocks; ++block) {
                Bits more;
                Bits less;
                column_blocks[block].advance(match[block], more, less, carried_more, carried_less);
                carried_more = more >> (word_bits - 1);
                carried_less = less >> (word_bits - 1);
            }
        }
        watch_.spend(static_cast<std::int64_t>(4 * blocks * pair.column_count));
        auto distance = static_cast<std::int64_t>(pair.column_count);
        for (std::size_t block = 0; block < blocks; ++block) {
            distance += column_blocks[block].change(pair.row_count - block * word_bits);
        }
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
    Twins<Bits> narrow_;
    Twins<Wide> wide_;
    std::vector<Bits> rows_by_byte_;  // all 0 between two pairs; some words for each byte
    std::vector<std::uint32_t> left_;
    std::vector<std::uint32_t> right_;
    std::vector<Type> types_;
    std::vector<Type> others_;
    std::vector<Bits> matches_;  // by type and block
};

}  // namespace alignment
