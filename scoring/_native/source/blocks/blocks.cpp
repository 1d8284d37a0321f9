#include "blocks.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "numbers.hpp"

namespace report {

namespace {

constexpr std::size_t full_width = 7;
constexpr std::int64_t measured = reference_times | hypothesis_times | reference_confidences |
                                  hypothesis_confidences | reference_weights | hypothesis_weights;
// Columns a line starts with: its head, and `>> ` on all but the first.
constexpr std::int64_t first_indent = 6;
constexpr std::int64_t later_indent = 9;
constexpr std::string_view continued = ">> ";

// The letter of every edit, with the blanks of a chunk.
constexpr char letters[last_edit + 1][PaddedTexts::chunk + 1] = {
    "                ", "S               ", "D               ", "I               ",
    "                ", "                ", "S               ", "S               ",
};

std::size_t longest(const Texts& texts) {
    std::size_t length = 0;
    for (const std::string_view text : texts) length = std::max(length, text.size());
    return length;
}

// Texts of 0, 1, 2, … stars.
class Stars {
public:
    explicit Stars(std::size_t count) : all_(count, '*') {
        for (std::size_t length = 0; length <= count; ++length) {
            texts.emplace_back(all_.data(), length);
        }
    }
    Texts texts;

private:
    std::string all_;
};

// Stars are prepared up to this many; longer rows of them are made as they are needed.
constexpr std::size_t prepared_stars = 256;

char* put(char* out, const char* text, std::size_t length, std::size_t width) {
    const std::size_t span = std::max(length, width) + 1;
    if (span <= PaddedTexts::chunk) {
        std::memcpy(out, text, PaddedTexts::chunk);
    } else {
        std::memcpy(out, text, length);
        std::memset(out + length, ' ', span - length);
    }
    return out + span;
}

void append_number(Output& out, double value, int decimals) {
    NumberText text;
    out.append(std::string_view(text, format(text, value, decimals)));
}

}  // namespace

PaddedTexts::PaddedTexts(const Texts& texts) {
    std::size_t total = 0;
    for (const std::string_view text : texts) total += text.size() + chunk;
    pool_.reserve(total);
    begins_.reserve(texts.size());
    lengths_.reserve(texts.size());
    for (const std::string_view text : texts) {
        begins_.push_back(pool_.size());
        lengths_.push_back(text.size());
        pool_.append(text);
        pool_.append(chunk, ' ');
    }
}

char* Output::room(std::size_t count) {
    const std::size_t needed = size_ + count + PaddedTexts::chunk;
    if (needed > capacity_) {
        const std::size_t capacity = std::max<std::size_t>(needed, 2 * capacity_);
        std::unique_ptr<char[]> larger(new char[capacity]);
        if (size_ != 0) std::memcpy(larger.get(), data_.get(), size_);
        data_ = std::move(larger);
        capacity_ = capacity;
    }
    return data_.get() + size_;
}

void Output::append(std::string_view text) {
    char* out = room(text.size());
    if (!text.empty()) std::memcpy(out, text.data(), text.size());
    size_ += text.size();
}

void Output::append(std::int64_t number) {
    char text[24];
    const auto end = std::to_chars(text, text + sizeof text, number);
    append(std::string_view(text, static_cast<std::size_t>(end.ptr - text)));
}

Blocks::Blocks(const Texts& texts, const Texts& upper, Doubles weights, Utterances utterances,
               Words reference, Words hypothesis, Edits edits)
    : texts_(texts),
      upper_(upper),
      stars_(Stars(std::min(longest(texts), prepared_stars)).texts),
      weights_(weights),
      utterances_(std::move(utterances)),
      reference_(reference),
      hypothesis_(hypothesis),
      edits_(edits) {
    if (texts_.size() != upper_.size()) {
        throw std::invalid_argument("expected an upper-case text for every text");
    }
}

void Blocks::draw(std::size_t utterance, std::int64_t line_width, bool full, Output& out) {
    if (utterance >= utterances_.identifiers.size()) {
        throw std::out_of_range("there is no such utterance");
    }
    head(utterance, full, out);
    collect(utterance);
    const std::int64_t attributes = full ? utterances_.attributes[utterance] : 0;
    if ((attributes & measured) != 0) {
        for (Slot& slot : slots_) slot.width = std::max(slot.width, full_width);
    }
    for (std::size_t begin = 0; begin < slots_.size();) {
        const std::size_t end = pass_end(begin, line_width);
        pass(begin, end, attributes, out);
        begin = end;
    }
}

void Blocks::head(std::size_t utterance, bool full, Output& out) const {
    const auto line = [&](std::string_view name, const Texts& column) {
        if (utterance >= column.size() || column[utterance].data() == nullptr) return;
        out.append(name);
        out.append(column[utterance]);
        out.append("\n");
    };
    line("id: ", utterances_.identifiers);
    line("Labels: ", utterances_.labels);
    line("File: ", utterances_.files);
    line("Channel: ", utterances_.channels);
    const std::string_view edits = edits_.of(utterance);
    const auto uncounted = std::count_if(edits.begin(), edits.end(), [](char edit) {
        return static_cast<unsigned char>(edit) > skipped_hypothesis;
    });
    out.append(uncounted == 0 ? "Scores: (#C #S #D #I)" : "Scores: (#C #S #D #I #UNK)");
    for (std::size_t kind = 0; kind < 4; ++kind) {
        out.append(" ");
        out.append(utterances_.counts[4 * utterance + kind]);
    }
    if (uncounted != 0) {
        out.append(" ");
        out.append(static_cast<std::int64_t>(uncounted));
    }
    out.append("\n");
    const std::int64_t attributes = utterances_.attributes[utterance];
    const std::int64_t named = full ? attributes : attributes & case_sensitive;
    if ((named & (character_aligned | case_sensitive | reference_weights | hypothesis_weights)) !=
        0) {
        out.append("Attributes: ");
        if ((named & character_aligned) != 0) out.append("Character_align ");
        if ((named & case_sensitive) != 0) out.append("Case_sensitve ");
        if ((named & reference_weights) != 0) out.append("Ref_weight ");
        if ((named & hypothesis_weights) != 0) out.append("Hyp_weight ");
        out.append("\n");
    }
    if (full && (attributes & reference_span) != 0) {
        out.append("Ref times: t1= ");
        append_number(out, utterances_.span_begins[utterance], 2);
        out.append(" t2= ");
        append_number(out, utterances_.span_ends[utterance], 2);
        out.append("\n");
    }
    if (full && (attributes & hypothesis_span) != 0 &&
        !utterances_.hypothesis_span_begins.empty() && !utterances_.hypothesis_span_ends.empty()) {
        out.append("Hyp times: t1= ");
        append_number(out, utterances_.hypothesis_span_begins[utterance], 2);
        out.append(" t2= ");
        append_number(out, utterances_.hypothesis_span_ends[utterance], 2);
        out.append("\n");
    }
}

std::size_t Blocks::type_of(const Words& words, std::int64_t position) const {
    const std::int64_t type = words.types[static_cast<std::size_t>(position)];
    if (type < 0 || static_cast<std::size_t>(type) >= texts_.size()) {
        throw std::out_of_range("a word is not in the vocabulary");
    }
    return static_cast<std::size_t>(type);
}

// The position of the next word of an utterance.
std::int64_t Blocks::take(const Words& words, std::int64_t& position, std::int64_t end) const {
    if (position < 0 || position >= end ||
        static_cast<std::size_t>(position) >= words.types.size) {
        throw std::out_of_range("an alignment has more words than its utterance");
    }
    return position++;
}

Blocks::Text Blocks::shown(const PaddedTexts& texts, const Words& words,
                           std::int64_t position) const {
    const std::size_t type = type_of(words, position);
    return {texts.data(type), texts.length(type)};
}

// Fills `slots_` with the places of an utterance's alignment.
void Blocks::collect(std::size_t utterance) {
    const std::string_view edits = edits_.of(utterance);
    const bool folded = (utterances_.attributes[utterance] & case_sensitive) == 0;
    std::int64_t left = reference_.begins[utterance];
    std::int64_t right = hypothesis_.begins[utterance];
    const std::int64_t left_end = reference_.ends[utterance];
    const std::int64_t right_end = hypothesis_.ends[utterance];
    const Text blank{letters[correct], 0};
    slots_.resize(edits.size());
    Slot* slot = slots_.data();
    for (const char edit : edits) {
        if (static_cast<unsigned char>(edit) > last_edit) {
            throw std::invalid_argument("expected edits from 0 to 7");
        }
        const bool wrong = edit != correct && edit != skipped_reference && edit != skipped_hypothesis;
        const PaddedTexts& texts = wrong && folded ? upper_ : texts_;
        slot->edit = edit;
        slot->reference = slot->hypothesis = blank;
        slot->left = edit == skipped_hypothesis ? skipped_word : no_word;
        slot->right = edit == skipped_reference ? skipped_word : no_word;
        // A side without a word takes a column, even if the other side's word has no text.
        std::size_t width = has_reference(edit) && has_hypothesis(edit) ? 0 : 1;
        // Width and stars go by the word as it is stored: its upper case may take more bytes.
        if (has_reference(edit)) {
            slot->left = take(reference_, left, left_end);
            slot->reference = shown(texts, reference_, slot->left);
            width = std::max(width, texts_.length(type_of(reference_, slot->left)));
        }
        if (has_hypothesis(edit)) {
            slot->right = take(hypothesis_, right, right_end);
            slot->hypothesis = shown(texts, hypothesis_, slot->right);
            width = std::max(width, texts_.length(type_of(hypothesis_, slot->right)));
        }
        slot->width = width;
        ++slot;
    }
}

// The slot before which a line that starts with slot `begin` is broken.
std::size_t Blocks::pass_end(std::size_t begin, std::int64_t line_width) const {
    std::int64_t position = begin == 0 ? first_indent : later_indent;
    std::size_t end = begin;
    while (position < line_width && end < slots_.size()) {
        position += static_cast<std::int64_t>(slots_[end].width) + 1;
        ++end;
    }
    // the word that reached the width goes to the next line, unless it is the very last
    if (end < slots_.size() && end > begin) --end;
    return std::max(end, begin + 1);
}

void Blocks::pass(std::size_t begin, std::size_t end, std::int64_t attributes,
                  Output& out) const {
    if (begin != 0) out.append("\n");
    word_row("REF:  ", &Slot::reference, begin, end, out);
    measure_rows(true, attributes, begin, end, out);
    word_row("HYP:  ", &Slot::hypothesis, begin, end, out);
    measure_rows(false, attributes, begin, end, out);
    if ((attributes & reference_weights) != 0) {
        weight_row("R_WE: ", &Slot::left, reference_, begin, end, out);
    }
    if ((attributes & hypothesis_weights) != 0) {
        weight_row("H_WE: ", &Slot::right, hypothesis_, begin, end, out);
    }
    edit_row(begin, end, out);
}

void Blocks::word_row(const char* row, Text Slot::*side, std::size_t begin, std::size_t end,
                      Output& out) const {
    if (begin != 0) out.append(continued);
    out.append(row);
    std::size_t needed = 1;
    for (std::size_t position = begin; position < end; ++position) {
        const Slot& slot = slots_[position];
        needed += std::max((slot.*side).length, slot.width) + 1;
    }
    char* to = out.room(needed);
    for (std::size_t position = begin; position < end; ++position) {
        const Slot& slot = slots_[position];
        const bool missing = (side == &Slot::reference && slot.edit == insertion) ||
                             (side == &Slot::hypothesis && slot.edit == deletion);
        if (!missing) {
            to = put(to, (slot.*side).data, (slot.*side).length, slot.width);
            continue;
        }
        const Words& other = slot.edit == insertion ? hypothesis_ : reference_;
        const std::size_t stars =
            texts_.length(type_of(other, slot.edit == insertion ? slot.right : slot.left));
        if (stars < stars_.size()) {
            to = put(to, stars_.data(stars), stars, slot.width);
        } else {
            std::memset(to, '*', stars);
            std::memset(to + stars, ' ', slot.width - stars + 1);
            to += slot.width + 1;
        }
    }
    *to++ = '\n';
    out.advance_to(to);
}

void Blocks::edit_row(std::size_t begin, std::size_t end, Output& out) const {
    if (begin != 0) out.append(continued);
    out.append("Eval: ");
    std::size_t needed = 1;
    for (std::size_t position = begin; position < end; ++position) {
        needed += slots_[position].width + 2;
    }
    char* to = out.room(needed);
    for (std::size_t position = begin; position < end; ++position) {
        const Slot& slot = slots_[position];
        const char* letter = letters[static_cast<std::size_t>(slot.edit)];
        to = put(to, letter, *letter == ' ' ? 0 : 1, slot.width);
    }
    *to++ = '\n';
    out.advance_to(to);
}

template <class Value>
void Blocks::number_row(const char* row, std::int64_t Slot::*side, int decimals, Value value,
                        std::size_t begin, std::size_t end, Output& out) const {
    if (begin != 0) out.append(continued);
    out.append(row);
    NumberText text;
    for (std::size_t position = begin; position < end; ++position) {
        const Slot& slot = slots_[position];
        const std::int64_t word = slot.*side;
        std::size_t length = 0;
        // the empty partner of a skipped word has numbers too: zeros
        if (word != no_word) {
            length = format(text, word == skipped_word ? 0.0 : value(word), decimals);
        }
        const std::size_t span = std::max(length, slot.width) + 1;
        char* to = out.room(span);
        std::memcpy(to, text, length);
        std::memset(to + length, ' ', span - length);
        out.advance_to(to + span);
    }
    out.append("\n");
}

void Blocks::measure_rows(bool of_reference, std::int64_t attributes, std::size_t begin,
                          std::size_t end, Output& out) const {
    const Words& words = of_reference ? reference_ : hypothesis_;
    const auto side = of_reference ? &Slot::left : &Slot::right;
    const auto from = [](const Doubles& column) {
        return [&column](std::int64_t word) {
            return column.empty() ? 0.0 : column[static_cast<std::size_t>(word)];
        };
    };
    if ((attributes & (of_reference ? reference_times : hypothesis_times)) != 0) {
        const char* first = of_reference ? "R_T1: " : "H_T1: ";
        const char* second = of_reference ? "R_T2: " : "H_T2: ";
        number_row(first, side, 2, from(words.starts), begin, end, out);
        number_row(second, side, 2, from(words.finishes), begin, end, out);
    }
    if ((attributes & (of_reference ? reference_confidences : hypothesis_confidences)) != 0) {
        const char* row = of_reference ? "RCNF: " : "CONF: ";
        number_row(row, side, 4, from(words.confidences), begin, end, out);
    }
}

void Blocks::weight_row(const char* row, std::int64_t Slot::*side, const Words& words,
                        std::size_t begin, std::size_t end, Output& out) const {
    const auto weight = [this, &words](std::int64_t word) {
        if (!words.weights.empty()) return words.weights[static_cast<std::size_t>(word)];
        return weights_.empty() ? 0.0 : weights_[type_of(words, word)];
    };
    number_row(row, side, 4, weight, begin, end, out);
}

}  // namespace report
