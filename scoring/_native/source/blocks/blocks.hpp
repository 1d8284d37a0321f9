// The blocks of text that show the alignments of utterances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"

namespace report {

// Properties of an utterance, as in scoring.alignment.system.
enum Attribute : std::int64_t {
    character_aligned = 1,
    case_sensitive = 2,
    reference_weights = 4,
    hypothesis_weights = 8,
    reference_times = 16,
    hypothesis_times = 32,
    reference_confidences = 64,
    hypothesis_confidences = 128,
    reference_span = 256,
    hypothesis_span = 512,
};

// The content of the heads of blocks.
struct Utterances {
    Texts identifiers;
    Texts labels;
    Texts files;
    Texts channels;
    Integers attributes;
    Integers counts;
    Doubles span_begins;
    Doubles span_ends;
    Doubles hypothesis_span_begins;
    Doubles hypothesis_span_ends;
};

// Copies of texts, every one followed by blanks, so that a short one can be written together with
// the blanks after it by a copy of fixed size.
class PaddedTexts {
public:
    static constexpr std::size_t chunk = 16;

    explicit PaddedTexts(const Texts& texts);

    std::size_t size() const { return lengths_.size(); }
    const char* data(std::size_t text) const { return pool_.data() + begins_[text]; }
    std::size_t length(std::size_t text) const { return lengths_[text]; }

private:
    std::string pool_;
    std::vector<std::size_t> begins_;
    std::vector<std::size_t> lengths_;
};

// Bytes that grow. Room is asked for once per stretch, then written through a bare pointer.
class Output {
public:
    void clear() { size_ = 0; }
    std::string_view text() const { return {data_.get(), size_}; }

    // A place to write up to `count` bytes at (and one chunk beyond); `advance_to` keeps them.
    char* room(std::size_t count);
    void advance_to(const char* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
    void append(std::string_view text);
    void append(std::int64_t number);

private:
    std::unique_ptr<char[]> data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

// Draws blocks, each as scoring.nist.report.blocks.PlainBlockRenderer does.
class Blocks {
public:
    Blocks(const Texts& texts, const Texts& upper, Doubles weights, Utterances utterances,
           Words reference, Words hypothesis, Edits edits);

    void draw(std::size_t utterance, std::int64_t line_width, bool full, Output& out);

private:
    struct Text {
        const char* data;  // readable for a chunk, blanks after the text
        std::size_t length;
    };
    struct Slot {
        Text reference;
        Text hypothesis;
        std::size_t width;
        std::int64_t left;   // position of the word, or no_word, or skipped_word
        std::int64_t right;
        char edit;
    };
    static constexpr std::int64_t no_word = -1;
    static constexpr std::int64_t skipped_word = -2;

    void head(std::size_t utterance, bool full, Output& out) const;
    void collect(std::size_t utterance);
    Text shown(const PaddedTexts& texts, const Words& words, std::int64_t position) const;
    std::int64_t take(const Words& words, std::int64_t& position, std::int64_t end) const;
    std::size_t pass_end(std::size_t begin, std::int64_t line_width) const;
    void pass(std::size_t begin, std::size_t end, std::int64_t attributes, Output& out) const;
    void word_row(const char* row, Text Slot::*side, std::size_t begin, std::size_t end,
                  Output& out) const;
    void edit_row(std::size_t begin, std::size_t end, Output& out) const;
    template <class Value>
    void number_row(const char* row, std::int64_t Slot::*side, int decimals, Value value,
                    std::size_t begin, std::size_t end, Output& out) const;
    void measure_rows(bool of_reference, std::int64_t attributes, std::size_t begin,
                      std::size_t end, Output& out) const;
    void weight_row(const char* row, std::int64_t Slot::*side, const Words& words,
                    std::size_t begin, std::size_t end, Output& out) const;
    std::size_t type_of(const Words& words, std::int64_t position) const;

    PaddedTexts texts_;
    PaddedTexts upper_;
    PaddedTexts stars_;
    Doubles weights_;
    Utterances utterances_;
    Words reference_;
    Words hypothesis_;
    Edits edits_;
    std::vector<Slot> slots_;
};

}  // namespace report
