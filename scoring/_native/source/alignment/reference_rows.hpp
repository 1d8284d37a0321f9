// Rows of words, and of marks between alternatives, as types; needs the interpreter's lock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "references.hpp"
#include "tokens.hpp"

namespace alignment {

// The words of some rows in UTF-8. Marks are bytes that no word has.
class RowItems : public Pieces {
public:
    void clear() {
        items_.clear();
        marks_.clear();
        rows_.clear();
        encoded_.clear();
    }

    // A text is cut at its blanks, and if `braced` has alternatives as NIST's transcripts have them: `{ a / b / @ }`.
    // Any other row is a sequence of words and marks.
    void append(py::handle row, const char* name, std::int64_t position, Type last, bool braced = false) {
        if (PyUnicode_Check(row.ptr())) {
            const std::size_t first = items_.size();
            cut(utf8(row.ptr()));
            if (braced) mark_braces(first);
            return;
        }
        rows_.emplace_back(row, name, position, true);
        for (PyObject* const token : rows_.back()) {
            if (PyUnicode_Check(token)) {
                items_.push_back(utf8(token));
            } else {
                const std::int64_t mark = whole(token, name, last, open_mark);
                items_.emplace_back();
                set_mark(items_.size() - 1, static_cast<Type>(mark));
            }
        }
    }

    // Numbers types from 1 in the order of the words, where they are numbered in another order.
    void sort(Type* types, Type* others, const RowItems& other) {
        firsts_.clear();
        for (std::size_t at = 0; at < items_.size(); ++at) {
            if (static_cast<std::size_t>(types[at]) > firsts_.size()) firsts_.push_back(at);
        }
        std::sort(firsts_.begin(), firsts_.end(), [this](std::size_t left, std::size_t right) {
            return items_[left] < items_[right];
        });
        ranks_.assign(firsts_.size() + 1, 0);
        Type rank = 0;
        for (const std::size_t first : firsts_) ranks_[static_cast<std::size_t>(types[first])] = ++rank;
        const auto ranked = [this](Type type) { return ranks_[static_cast<std::size_t>(type)]; };
        std::transform(types, types + items_.size(), types, ranked);
        std::transform(others, others + other.size(), others, ranked);
    }

    void put_marks(Type* types) const {
        for (const auto& [place, mark] : marks_) types[place] = mark;
    }

    const std::vector<std::pair<std::size_t, Type>>& marks() const { return marks_; }

    // Adds the words, and hands over what they lie in.
    void give(std::vector<std::string_view>& texts, std::vector<Tokens>& rows, std::vector<py::object>& encoded) {
        texts.insert(texts.end(), items_.begin(), items_.end());
        std::move(rows_.begin(), rows_.end(), std::back_inserter(rows));
        std::move(encoded_.begin(), encoded_.end(), std::back_inserter(encoded));
    }

private:
    void set_mark(std::size_t place, Type mark) {
        marks_.emplace_back(place, mark);
        items_[place] = {&"\xff\xfe\xfd\xfc\xfb"[-1 - mark], 1};
    }

    // `/` separates between braces only.
    void mark_braces(std::size_t first) {
        std::int64_t depth = 0;
        for (std::size_t place = first; place < items_.size(); ++place) {
            if (items_[place].size() != 1) continue;
            const char sign = items_[place][0];
            if (sign == '{') {
                ++depth;
                set_mark(place, open_mark);
            } else if (sign == '@') {
                set_mark(place, null_type);
            } else if (depth > 0 && sign == '/') {
                set_mark(place, bar_mark);
            } else if (depth > 0 && sign == '}') {
                --depth;
                set_mark(place, close_mark);
            }
        }
    }

    std::string_view utf8(PyObject* text) {
        if (PyUnicode_IS_ASCII(text)) {
            return {static_cast<const char*>(PyUnicode_DATA(text)),
                    static_cast<std::size_t>(PyUnicode_GET_LENGTH(text))};
        }
        encoded_.push_back(py::reinterpret_steal<py::object>(
            PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass")));
        if (!encoded_.back()) throw py::error_already_set();
        return bytes_of(encoded_.back(), "text");
    }

    std::vector<std::pair<std::size_t, Type>> marks_;
    std::vector<Tokens> rows_;
    std::vector<py::object> encoded_;
    std::vector<std::size_t> firsts_;  // places of different words
    std::vector<Type> ranks_;
};

// The types of the references of all utterances and of their hypotheses.
class TypedRows {
public:
    TypedRows(py::handle references, py::handle hypotheses, std::int64_t number, bool with_texts,
              Watch& watch, bool braced = false) {
        const Tokens lefts = rows_.emplace_back(references, "references", -1, true);
        const Tokens rights = rows_.emplace_back(hypotheses, "hypotheses", -1, true);
        const auto count = static_cast<std::size_t>(number);
        require(lefts.size() == count * rights.size(),
                "references: expected " + std::to_string(number) + " of " +
                    std::to_string(rights.size()) + " utterances, found " +
                    std::to_string(lefts.size()));
        reserve(0, lefts, with_texts);
        reserve(1, rights, with_texts);
        Numbering numbering(watch);
        RowItems left;
        RowItems right;
        for (std::size_t utterance = 0; utterance < rights.size(); ++utterance) {
            left.clear();
            right.clear();
            const std::size_t first = types_[0].size();
            for (std::size_t row = utterance * count; row < (utterance + 1) * count; ++row) {
                left.append(lefts[row], "references", static_cast<std::int64_t>(row), wildcard_type, braced);
                offsets_[0].push_back(static_cast<std::int64_t>(first + left.size()));
            }
            right.append(rights[utterance], "hypotheses", static_cast<std::int64_t>(utterance), close_mark, braced);
            const std::size_t begin = types_[1].size();
            offsets_[1].push_back(static_cast<std::int64_t>(begin + right.size()));
            watch.spend(32 * static_cast<std::int64_t>(left.size() + right.size()));
            numbering.append<Pieces>(left, right, types_[0], types_[1]);
            // the order of references is that of their types
            if (count > 1) left.sort(types_[0].data() + first, types_[1].data() + begin, right);
            left.put_marks(types_[0].data() + first);
            right.put_marks(types_[1].data() + begin);
            if (with_texts) {
                left.give(texts_[0], rows_, encoded_);
                right.give(texts_[1], rows_, encoded_);
            }
        }
    }

    std::int64_t utterances() const { return static_cast<std::int64_t>(offsets_[1].size()) - 1; }
    // Words and marks of an utterance with some number of references.
    std::int64_t size(std::int64_t utterance, std::int64_t number) const {
        const auto first = static_cast<std::size_t>(utterance * number);
        const auto at = static_cast<std::size_t>(utterance);
        return offsets_[0][first + static_cast<std::size_t>(number)] - offsets_[0][first] + offsets_[1][at + 1] -
               offsets_[1][at];
    }
    Rows references() const { return {types_[0].data(), offsets_[0].data(), texts_[0].data()}; }
    Rows hypotheses() const { return {types_[1].data(), offsets_[1].data(), texts_[1].data()}; }

private:
    // As much as most texts need: a column that grows is copied again and again.
    void reserve(std::size_t side, const Tokens& rows, bool with_texts) {
        std::size_t letters = 0;
        for (PyObject* const row : rows) {
            if (PyUnicode_Check(row)) letters += static_cast<std::size_t>(PyUnicode_GET_LENGTH(row));
        }
        types_[side].reserve(letters / 4);
        if (with_texts) texts_[side].reserve(letters / 4);
    }

    std::vector<Type> types_[2];
    std::vector<std::int64_t> offsets_[2] = {{0}, {0}};
    std::vector<std::string_view> texts_[2];
    // what the texts lie in
    std::vector<Tokens> rows_;
    std::vector<py::object> encoded_;
};

// The words of paths through rows: texts in UTF-8 one after the other, and their ends.
class PathTexts {
public:
    PathTexts(py::handle rows, const char* name, const std::vector<std::int32_t>& places,
              const std::vector<std::int64_t>& offsets) {
        const Tokens all(rows, name, -1, true);
        require(all.size() + 1 == offsets.size(), std::string(name) + ": expected as many rows as are compared");
        RowItems items;
        for (std::size_t row = 0; row < all.size(); ++row) {
            items.clear();
            items.append(all[row], name, static_cast<std::int64_t>(row), wildcard_type);
            const auto begin = static_cast<std::size_t>(offsets[row]);
            const auto end = static_cast<std::size_t>(offsets[row + 1]);
            for (std::size_t at = begin; at < end; ++at) {
                const auto place = static_cast<std::size_t>(places[at]);
                require(place < items.size(), std::string(name) + ": expected as many words as are compared");
                if (at > begin) texts_ += ' ';
                texts_ += items[place];
            }
            require(texts_.size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
                    "the texts are too long");
            ends_.push_back(static_cast<std::int32_t>(texts_.size()));
        }
    }

    py::bytes texts() const { return py::bytes(texts_); }
    py::bytes ends() const { return packed(ends_); }

private:
    std::string texts_;
    std::vector<std::int32_t> ends_{0};
};

}  // namespace alignment
