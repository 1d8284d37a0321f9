// PATH elements of SGML as paths.hpp writes them, with a line for each utterance. An element that looks in any way
// different is left to scoring.nist.sgml.path_data.PathTag, which knows what the original makes of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/word_numbers.hpp"
#include "columns.hpp"

namespace report {

enum class Kind { times, confidences, weights };

// What stands after the words of a place: of which side, and its bit of the attributes.
struct Measure {
    bool of_reference = false;
    Kind kind = Kind::times;
    std::int32_t bit = 0;
};

// The words of one side; a column of numbers for every kind, empty if no measure has it.
struct PathWords {
    std::vector<std::string_view> words;  // of the element that is being read
    std::vector<std::int32_t> types;  // of the words of all elements
    std::vector<std::int64_t> ends;
    std::array<std::vector<double>, 4> numbers;  // starts, finishes, confidences, weights

    void cut(std::size_t size) {
        words.clear();
        for (auto& column : numbers) column.resize(std::min(column.size(), size));
    }

    void clear() {
        types.clear();
        ends.clear();
        cut(0);
    }
};

// Columns of consecutive elements.
struct PathColumns {
    enum Text : std::size_t { identifier, labels, file, channel, texts };
    enum Span : std::size_t { r_t1, r_t2, h_t1, h_t2, spans };

    std::array<std::vector<std::string_view>, texts> text;  // without data: not there
    std::array<std::vector<double>, spans> span;
    std::vector<std::int32_t> attributes;
    std::vector<std::int64_t> sequences;
    std::vector<std::int64_t> ends;  // of the edits, with those before
    std::vector<std::int32_t> counts;  // four of each: correct, substituted, deleted, inserted
    std::vector<char> edits;
    std::vector<std::string_view> speakers;  // that began between the elements
    std::vector<std::int64_t> firsts;  // how many elements were before each of these speakers
    std::array<PathWords, 2> sides;

    // Empties the columns, and keeps their memory for the next elements.
    void clear() {
        for (auto& column : text) column.clear();
        for (auto& column : span) column.clear();
        for (PathWords& side : sides) side.clear();
        attributes.clear();
        sequences.clear();
        ends.clear();
        counts.clear();
        edits.clear();
        speakers.clear();
        firsts.clear();
    }
};

class PathReader {
public:
    // `listed`: the attribute word_aux that these measures came from; `sizes`: how many edits, words of the reference
    // and words of the hypothesis are before; `columns`: empty.
    PathReader(std::string_view data, std::string_view listed, std::vector<Measure> measures,
               const std::array<std::int64_t, 3>& sizes, WordNumbers& numbers, PathColumns& columns)
        : columns_(columns),
          at_(data.data()),
          end_(data.data() + data.size()),
          listed_(listed),
          measures_(std::move(measures)),
          sizes_(sizes),
          numbers_(numbers) {}

    // Reads one element; false, with everything as it was, if it is not regular.
    bool next() {
        const char* const before = at_;
        if (head() && places() && take("</PATH>\n")) {
            commit();
            return true;
        }
        at_ = before;
        columns_.edits.resize(committed_);
        for (PathWords& side : columns_.sides) side.cut(side.types.size());
        return false;
    }

    // Reads the end of a speaker and the beginning of the next; false, with everything as it was, if neither is regular.
    bool next_speaker() {
        const char* const before = at_;
        std::string_view speaker;
        if (take("</SPEAKER>\n<SPEAKER id=") && quoted(speaker) && take(">\n")) {
            columns_.speakers.push_back(speaker);
            columns_.firsts.push_back(static_cast<std::int64_t>(columns_.attributes.size()));
            return true;
        }
        at_ = before;
        return false;
    }

    const char* at() const { return at_; }

private:
    enum Name : std::size_t {
        // the first are those of PathColumns::Text, then those of PathColumns::Span
        sequence = PathColumns::texts + PathColumns::spans,
        char_align,
        case_sense,
        hyp_weight,
        ref_weight,
        word_aux,
        known_names
    };
    static constexpr std::array<std::string_view, known_names> names = {
        "id",   "labels",   "file",       "channel",    "R_T1",       "R_T2",       "H_T1",
        "H_T2", "sequence", "char_align", "case_sense", "hyp_weight", "ref_weight", "word_aux"};
    static constexpr std::array<std::int32_t, known_names> bits = {
        0, 0, 0, 0, reference_span, reference_span, hypothesis_span, hypothesis_span,
        0, character_aligned, case_sensitive, hypothesis_weights, reference_weights, 0};

    bool take(std::string_view text) {
        if (static_cast<std::size_t>(end_ - at_) < text.size() ||
            std::string_view(at_, text.size()) != text) {
            return false;
        }
        at_ += text.size();
        return true;
    }

    bool take(char sign) {
        if (at_ == end_ || *at_ != sign) return false;
        ++at_;
        return true;
    }

    // Takes the name of an attribute, and the equals sign behind it.
    bool named(std::string_view& name) {
        const char* const begin = at_;
        const auto is_of_name = [](char sign) {
            return sign != '=' && sign != '"' && sign != ' ' && sign != '\t' && sign != '>' && sign != '\n';
        };
        while (at_ < end_ && is_of_name(*at_)) ++at_;
        name = {begin, static_cast<std::size_t>(at_ - begin)};
        return !name.empty() && take('=');
    }

    bool quoted(std::string_view& text) {
        if (at_ == end_ || *at_ != '"') return false;
        const char* const begin = at_ + 1;
        const char* place = begin;
        // of the signs of words, few are as low as the quote: a letter is compared once
        while (place != end_ && (static_cast<unsigned char>(*place) > '"' || (*place != '"' && *place != '\n'))) ++place;
        if (place == end_ || *place == '\n') return false;
        text = {begin, static_cast<std::size_t>(place - begin)};
        at_ = place + 1;
        return true;
    }

    // Takes the same comma and quoted word once more.
    bool take_again(std::string_view word) {
        const std::size_t size = word.size() + 3;
        if (static_cast<std::size_t>(end_ - at_) < size || std::memcmp(at_, word.data() - 2, size) != 0) {
            return false;
        }
        at_ += size;
        return true;
    }

    bool head() {
        given_.fill({});
        if (!take("<PATH ")) return false;
        do {
            std::string_view name;
            std::string_view value;
            if (!named(name) || !quoted(value)) return false;
            if (name == "word_cnt") continue;
            const auto known = std::find(names.begin(), names.end(), name);
            if (known == names.end()) continue;
            std::string_view& slot = given_[static_cast<std::size_t>(known - names.begin())];
            if (slot.data() == nullptr) slot = value;  // the first one counts
        } while (take(' '));
        return take(">\n") && values_of_head();
    }

    bool values_of_head() {
        bits_ = 0;
        for (std::size_t place = 0; place < known_names; ++place) {
            if (!given_[place].empty()) bits_ |= bits[place];
        }
        for (std::size_t place = 0; place < PathColumns::spans; ++place) {
            const std::string_view text = given_[PathColumns::texts + place];
            spans_[place] = 0.0;
            if (!text.empty() && !decimal(text, spans_[place])) return false;
        }
        sequence_ = -1;
        if (!given_[sequence].empty() && !digits(given_[sequence], sequence_)) return false;
        if (given_[word_aux] != listed_) return false;
        for (const Measure& measure : measures_) bits_ |= measure.bit;
        return true;
    }

    // Fewer than nineteen of them.
    static bool digits(std::string_view text, std::int64_t& value) {
        if (text.empty() || text.size() > 18) return false;
        value = 0;
        for (const char sign : text) {
            if (sign < '0' || sign > '9') return false;
            value = 10 * value + (sign - '0');
        }
        return true;
    }

    // A number without exponent, of at most fifteen digits: it and the power of ten are exact, so
    // that the quotient is what C's atof gives.
    static bool decimal(std::string_view text, double& value) {
        static constexpr std::array<double, 16> powers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                          1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
        const bool negative = !text.empty() && text.front() == '-';
        if (negative) text.remove_prefix(1);
        std::int64_t whole = 0;
        std::size_t size = 0;
        std::size_t decimals = 0;
        bool point = false;
        for (const char sign : text) {
            if (sign == '.' && !point && size > 0) {
                point = true;
            } else if (sign >= '0' && sign <= '9' && size < 15) {
                whole = 10 * whole + (sign - '0');
                ++size;
                decimals += point;
            } else {
                return false;
            }
        }
        if (size == 0) return false;
        value = static_cast<double>(whole) / powers[decimals];
        if (negative) value = -value;
        return true;
    }

    bool places() {
        if (take('\n')) return true;
        while (true) {
            if (!place()) return false;
            if (take('\n')) return true;
            if (!take(':')) return false;
        }
    }

    bool place() {
        if (at_ == end_) return false;
        std::size_t edit = 0;
        switch (*at_++) {
            case 'C': break;
            case 'S': edit = 1; break;
            case 'D': edit = 2; break;
            case 'I': edit = 3; break;
            default: return false;
        }
        columns_.edits.push_back(static_cast<char>(edit));
        const std::array<bool, 2> present = {has_reference(static_cast<char>(edit)),
                                             has_hypothesis(static_cast<char>(edit))};
        std::string_view word;
        if (!take(',')) return false;
        if (present[0]) {
            if (!quoted(word)) return false;
            columns_.sides[0].words.push_back(word);
        }
        // most words are correct: the hypothesis repeats the reference
        if (!(edit == 0 && take_again(word)) && !(take(',') && (!present[1] || quoted(word)))) return false;
        if (present[1]) columns_.sides[1].words.push_back(word);
        for (const Measure& measure : measures_) {
            const std::size_t side = measure.of_reference ? 0 : 1;
            if (!take(',') || !number(measure.kind, present[side], columns_.sides[side].numbers)) {
                return false;
            }
        }
        return true;
    }

    bool number(Kind kind, bool present, std::array<std::vector<double>, 4>& numbers) {
        const char* const begin = at_;
        while (at_ < end_ && *at_ != ',' && *at_ != ':' && *at_ != '\n') ++at_;
        const std::string_view text(begin, static_cast<std::size_t>(at_ - begin));
        if (!present) return text.empty();
        double first = kind == Kind::weights ? -1.0 : 0.0;  // of a word without
        double second = first;
        if (kind != Kind::times) {
            if (!text.empty() && !decimal(text, first)) return false;
            numbers[kind == Kind::weights ? 3 : 2].push_back(first);
            return true;
        }
        if (!text.empty()) {
            const std::size_t plus = text.find('+');
            if (plus == std::string_view::npos || !decimal(text.substr(0, plus), first) ||
                !decimal(text.substr(plus + 1), second)) {
                return false;
            }
        }
        numbers[0].push_back(first);
        numbers[1].push_back(second);
        return true;
    }

    void commit() {
        for (std::size_t place = 0; place < PathColumns::texts; ++place) {
            columns_.text[place].push_back(given_[place]);
        }
        for (std::size_t place = 0; place < PathColumns::spans; ++place) {
            columns_.span[place].push_back(spans_[place]);
        }
        columns_.attributes.push_back(bits_);
        columns_.sequences.push_back(sequence_);
        const std::size_t begin = std::exchange(committed_, columns_.edits.size());
        columns_.ends.push_back(sizes_[0] + static_cast<std::int64_t>(columns_.edits.size()));
        // a word is numbered where it comes first, the reference before the hypothesis
        PathWords& reference = columns_.sides[0];
        PathWords& hypothesis = columns_.sides[1];
        std::int32_t* left = added(reference);
        number_words(reference.words, left);
        std::int32_t* right = added(hypothesis);
        const std::string_view* said = reference.words.data();
        const std::string_view* heard = hypothesis.words.data();
        std::array<std::int32_t, 4> counts{};
        for (std::size_t at = begin; at < columns_.edits.size(); ++at) {
            const char edit = columns_.edits[at];
            ++counts[static_cast<std::size_t>(edit)];
            if (has_hypothesis(edit)) {
                // a word that was taken again has the number of the reference's word
                const bool same = has_reference(edit) && heard->data() == said->data();
                *right++ = same ? *left : numbers_.of(*heard);
                ++heard;
            }
            if (has_reference(edit)) {
                ++said;
                ++left;
            }
        }
        columns_.counts.insert(columns_.counts.end(), counts.begin(), counts.end());
        for (std::size_t of = 0; of < 2; ++of) {
            PathWords& side = columns_.sides[of];
            side.words.clear();
            side.ends.push_back(sizes_[of + 1] + static_cast<std::int64_t>(side.types.size()));
        }
    }

    // Room for the numbers of the element's words behind those of the elements before it.
    static std::int32_t* added(PathWords& side) {
        const std::size_t before = side.types.size();
        side.types.resize(before + side.words.size());
        return side.types.data() + before;
    }

    void number_words(const std::vector<std::string_view>& words, std::int32_t* types) {
        if (words.empty()) return;
        WordNumbers::Sought next = numbers_.prepared(words.front());
        for (std::size_t place = 1; place <= words.size(); ++place) {
            const WordNumbers::Sought sought = next;
            if (place < words.size()) next = numbers_.prepared(words[place]);
            *types++ = numbers_.of(sought);
        }
    }

    PathColumns& columns_;
    const char* at_;
    const char* const end_;
    const std::string_view listed_;
    const std::vector<Measure> measures_;
    const std::array<std::int64_t, 3> sizes_;
    std::size_t committed_ = 0;  // edits of the elements that were read
    WordNumbers& numbers_;
    std::array<std::string_view, known_names> given_;
    std::array<double, PathColumns::spans> spans_{};
    std::int32_t bits_ = 0;
    std::int64_t sequence_ = -1;
};

}  // namespace report
