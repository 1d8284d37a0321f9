// The PATH elements of SGML, each as scoring.nist.report.sgml.PlainPathWriter writes it.
#pragma once

#include <string_view>
#include <utility>

#include "blocks.hpp"
#include "columns.hpp"
#include "numbers.hpp"

namespace report {

class Paths {
public:
    // `quoted` are the words as they stand in SGML; `slots` and `fields` the separators.
    Paths(Texts quoted, Doubles weights, Utterances utterances, Integers sequences,
          Words reference, Words hypothesis, Edits edits, char slots, char fields)
        : quoted_(std::move(quoted)),
          weights_(weights),
          utterances_(std::move(utterances)),
          sequences_(sequences),
          reference_(reference),
          hypothesis_(hypothesis),
          edits_(edits),
          slot_separator_(&slots, 1),
          field_separator_(&fields, 1) {}

    void draw(std::size_t utterance, Output& out) const {
        if (utterance >= utterances_.identifiers.size()) {
            throw std::out_of_range("there is no such utterance");
        }
        const std::string_view edits = edits_.of(utterance);
        const std::int64_t attributes = utterances_.attributes[utterance];
        head(utterance, static_cast<std::int64_t>(edits.size()), attributes, out);
        Place place{reference_.begins[utterance], hypothesis_.begins[utterance], correct};
        bool first = true;
        for (const char edit : edits) {
            if (static_cast<unsigned char>(edit) > last_edit) {
                throw std::invalid_argument("expected edits from 0 to 7");
            }
            if (!first) out.append(slot_separator_);
            first = false;
            place.edit = edit;
            slot(place, attributes, out);
            place.left += has_reference(edit);
            place.right += has_hypothesis(edit);
        }
        out.append("\n</PATH>\n");
    }

private:
    struct Place {
        std::int64_t left;
        std::int64_t right;
        char edit;
    };

    void head(std::size_t utterance, std::int64_t size, std::int64_t attributes,
              Output& out) const {
        out.append("<PATH id=\"");
        out.append(utterances_.identifiers[utterance]);
        out.append("\" word_cnt=\"");
        out.append(size);
        const auto optional = [&](std::string_view name, const Texts& column) {
            if (utterance >= column.size() || column[utterance].data() == nullptr) return;
            out.append(name);
            out.append(column[utterance]);
        };
        optional("\" labels=\"", utterances_.labels);
        optional("\" file=\"", utterances_.files);
        optional("\" channel=\"", utterances_.channels);
        out.append("\" sequence=\"");
        out.append(sequences_[utterance]);
        const auto span = [&](Attribute bit, const Doubles& begins, std::string_view begin,
                              const Doubles& ends, std::string_view end) {
            if ((attributes & bit) == 0 || begins.empty() || ends.empty()) return;
            out.append(begin);
            number(begins[utterance], 3, out);
            out.append(end);
            number(ends[utterance], 3, out);
        };
        span(reference_span, utterances_.span_begins, "\" R_T1=\"", utterances_.span_ends,
             "\" R_T2=\"");
        span(hypothesis_span, utterances_.hypothesis_span_begins, "\" H_T1=\"",
             utterances_.hypothesis_span_ends, "\" H_T2=\"");
        flag(attributes, character_aligned, "\" char_align=\"1", out);
        flag(attributes, case_sensitive, "\" case_sense=\"1", out);
        flag(attributes, hypothesis_weights, "\" hyp_weight=\"1", out);
        flag(attributes, reference_weights, "\" ref_weight=\"1", out);
        measure_names(attributes, out);
        out.append("\">\n");
    }

    static void flag(std::int64_t attributes, Attribute bit, std::string_view text, Output& out) {
        if ((attributes & bit) != 0) out.append(text);
    }

    static void measure_names(std::int64_t attributes, Output& out) {
        std::string_view before = "\" word_aux=\"";
        const auto name = [&](Attribute bit, std::string_view text) {
            if ((attributes & bit) == 0) return;
            out.append(before);
            out.append(text);
            before = ",";
        };
        name(reference_times, "r_t1+t2");
        name(hypothesis_times, "h_t1+t2");
        name(reference_confidences, "r_conf");
        name(hypothesis_confidences, "h_conf");
        name(reference_weights, "r_weight");
        name(hypothesis_weights, "h_weight");
    }

    void slot(const Place& place, std::int64_t attributes, Output& out) const {
        out.append(std::string_view("CSDICCMT").substr(static_cast<std::size_t>(place.edit), 1));
        word(place, true, out);
        word(place, false, out);
        times(place, attributes & reference_times, true, out);
        times(place, attributes & hypothesis_times, false, out);
        confidence(place, attributes & reference_confidences, true, out);
        confidence(place, attributes & hypothesis_confidences, false, out);
        weight(place, attributes & reference_weights, true, out);
        weight(place, attributes & hypothesis_weights, false, out);
    }

    static bool present(const Place& place, bool of_reference) {
        return of_reference ? has_reference(place.edit) : has_hypothesis(place.edit);
    }
    // The other side of a word that was skipped is an empty word: not there, but not missing.
    static bool empty(const Place& place, bool of_reference) {
        return place.edit == (of_reference ? skipped_hypothesis : skipped_reference);
    }
    const Words& side(bool of_reference) const { return of_reference ? reference_ : hypothesis_; }
    static std::size_t position(const Place& place, bool of_reference) {
        return static_cast<std::size_t>(of_reference ? place.left : place.right);
    }
    std::size_t type(const Place& place, bool of_reference) const {
        const std::int64_t number = side(of_reference).types[position(place, of_reference)];
        if (number < 0 || static_cast<std::size_t>(number) >= quoted_.size()) {
            throw std::out_of_range("a word is not in the vocabulary");
        }
        return static_cast<std::size_t>(number);
    }

    void word(const Place& place, bool of_reference, Output& out) const {
        out.append(field_separator_);
        if (present(place, of_reference)) {
            out.append(quoted_[type(place, of_reference)]);
        } else if (empty(place, of_reference)) {
            out.append("\"\"");
        }
    }

    void times(const Place& place, std::int64_t wanted, bool of_reference, Output& out) const {
        if (wanted == 0) return;
        out.append(field_separator_);
        if (present(place, of_reference)) {
            const Words& words = side(of_reference);
            number(value(words.starts, position(place, of_reference)), 3, out);
            out.append("+");
            number(value(words.finishes, position(place, of_reference)), 3, out);
        } else if (empty(place, of_reference)) {
            out.append("0.000+0.000");
        }
    }

    void confidence(const Place& place, std::int64_t wanted, bool of_reference,
                    Output& out) const {
        if (wanted == 0) return;
        out.append(field_separator_);
        if (present(place, of_reference)) {
            const Doubles& column = side(of_reference).confidences;
            number(value(column, position(place, of_reference)), 6, out);
        } else if (empty(place, of_reference)) {
            out.append("0.000000");
        }
    }

    void weight(const Place& place, std::int64_t wanted, bool of_reference, Output& out) const {
        if (wanted == 0) return;
        out.append(field_separator_);
        if (present(place, of_reference)) {
            const Doubles& own = side(of_reference).weights;
            number(own.empty() ? value(weights_, type(place, of_reference))
                               : own[position(place, of_reference)],
                   6, out);
        } else if (empty(place, of_reference)) {
            out.append("0.000000");
        }
    }

    static double value(const Doubles& column, std::size_t position) {
        return column.empty() ? 0.0 : column[position];
    }

    static void number(double value, int decimals, Output& out) {
        NumberText text;
        out.append(std::string_view(text, format(text, value, decimals)));
    }

    Texts quoted_;
    Doubles weights_;
    Utterances utterances_;
    Integers sequences_;
    Words reference_;
    Words hypothesis_;
    Edits edits_;
    std::string slot_separator_;
    std::string field_separator_;
};

}  // namespace report
