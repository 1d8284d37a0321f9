// One short pair of strings or whole numbers, aligned without storage from the heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "steps.hpp"
#include "tokens.hpp"

namespace alignment {

// The items of one list, read in place: neither hashing nor comparing them runs foreign code.
struct ShortList {
    static constexpr std::int64_t most = 192;

    // `size` is -1 if the object is no such list, or has more than `limit` items.
    ShortList(PyObject* object, std::int64_t limit) {
#ifndef Py_GIL_DISABLED
        if (!PyList_CheckExact(object) || PyList_GET_SIZE(object) > limit) return;
        items = reinterpret_cast<PyListObject*>(object)->ob_item;
        const std::int64_t count = PyList_GET_SIZE(object);
        kind = count > 0 ? Py_TYPE(items[0]) : nullptr;
        if (count > 0 && kind != &PyUnicode_Type && kind != &PyLong_Type) return;
        for (std::int64_t at = 1; at < count; ++at) {
            if (Py_TYPE(items[at]) != kind) return;
        }
        size = count;
#else
        (void)object;
        (void)limit;
#endif
    }

    PyObject* const* items = nullptr;
    PyTypeObject* kind = nullptr;
    std::int64_t size = -1;
};

// The edits of a short pair, written from the last one on.
class ShortPath {
public:
    void put(Edit edit) { *--first_ = edit; }
    const std::uint8_t* begin() const { return first_; }
    std::int64_t size() const { return edits_ + most - first_; }

private:
    static constexpr std::int64_t most = word_bits + ShortList::most;

    std::uint8_t edits_[most];
    std::uint8_t* first_ = edits_ + most;
};

// Takes the place of a path where only counts are needed.
struct NoPath {
    void put(Edit) {}
};

// Two lists of strings or of whole numbers, the reference within a machine word.
class ShortPair {
public:
    ShortPair(PyObject* reference, PyObject* hypothesis)
        : left_(reference, word_bits), right_(hypothesis, ShortList::most) {
        if (left_.size < 0 || right_.size < 0) return;
        if (left_.size == 0 || right_.size == 0) {
            fits_ = true;
        } else if (left_.kind == right_.kind) {
            fits_ = left_.kind == &PyUnicode_Type ? match<PyObject*>() : match<std::int64_t>();
        }
    }

    // False: the pair is of another kind.
    bool fits() const { return fits_; }

    // Counts the edits of the cheapest alignment, and puts them into the path.
    template <class Step, Ties ties, class Path>
    void count(std::int64_t* counts, Path& path) {
        std::int64_t rows = left_.size;
        const Bits* columns = matches_;
        std::int64_t size = right_.size;
        std::int64_t diagonal = 0;
        std::int64_t correct = 0;
        if constexpr (ties == Ties::rapidfuzz) {
            std::int64_t equal = 0;
            while (equal < rows && equal < size && (columns[equal] >> equal & 1) != 0) ++equal;
            correct = diagonal = equal;
            shift_ = equal;
            columns += equal;
            rows -= equal;
            size -= equal;
        }
        // as `Aligner::choose`
        if constexpr (ties != Ties::compute_wer) {
            while (rows > 0 && size > 0 && is_match(columns[size - 1], rows - 1)) {
                --rows;
                --size;
                ++diagonal;
                ++correct;
                path.put(Edit::correct);
            }
        }
        if (rows > 0 && size > 0) trace<Step, ties>(columns, rows, size, diagonal, correct, path);
        for (; rows > 0; --rows) path.put(Edit::deletion);
        for (; size > 0; --size) path.put(Edit::insertion);
        for (std::int64_t equal = shift_; equal > 0; --equal) path.put(Edit::correct);
        counts[0] = correct;
        counts[1] = diagonal - correct;
        counts[2] = left_.size - diagonal;
        counts[3] = right_.size - diagonal;
    }

private:
    static constexpr std::size_t table_size = 256;  // four times as many as a reference has items

    template <class Key>
    struct Entry {
        Key key;
        Bits places;  // 0: the entry is free
    };

    bool is_match(Bits column, std::int64_t row) const {
        return (column >> (row + shift_) & 1) != 0;
    }

    template <class Step, Ties ties, class Path>
    void trace(const Bits* columns, std::int64_t& rows, std::int64_t& size, std::int64_t& diagonal,
               std::int64_t& correct, Path& path) {
        Directions directions[ShortList::most];
        typename Step::Column column;
        for (std::int64_t j = 0; j < size; ++j) {
            typename Step::Entry top;
            // rows below the last one do not matter to those above
            directions[j] = Step::template step<ties>(column, top, columns[j] >> shift_);
        }
        while (rows > 0 && size > 0) {
            const Directions here = directions[size - 1];
            const Bits bit = Bits{1} << (rows - 1);
            if ((here.diagonal & bit) != 0) {
                --rows;
                --size;
                ++diagonal;
                const bool match = is_match(columns[size], rows);
                correct += match ? 1 : 0;
                path.put(match ? Edit::correct : Edit::substitution);
            } else if ((here.deletion & bit) != 0) {
                --rows;
                path.put(Edit::deletion);
            } else {
                --size;
                path.put(Edit::insertion);
            }
        }
    }

    // Finds the rows that match each column; false if a number has more than 64 bits.
    template <class Key>
    bool match() {
        std::size_t room = 32;
        while (room < 3 * static_cast<std::size_t>(left_.size)) room *= 2;
        const std::size_t mask = room - 1;
        Entry<Key> entries[table_size];
        for (std::size_t at = 0; at < room; ++at) entries[at].places = 0;
        Key keys[word_bits];
        Entry<Key>* found[word_bits];
        for (std::int64_t i = 0; i < left_.size; ++i) {
            if (!key_of(left_.items[i], keys[i])) return false;
            found[i] = find(entries, mask, keys[i]);
            found[i]->key = keys[i];
            found[i]->places |= Bits{1} << i;
        }
        std::int64_t next = 0;  // most hypotheses follow their reference
        for (std::int64_t j = 0; j < right_.size; ++j) {
            Key key;
            if (!key_of(right_.items[j], key)) return false;
            if (next < left_.size && is_equal(keys[next], key)) {
                matches_[j] = found[next++]->places;
                continue;
            }
            matches_[j] = find(entries, mask, key)->places;
            if (next + 1 < left_.size && (matches_[j] >> (next + 1) & 1) != 0) ++next;
            ++next;
        }
        return true;
    }

    // The entry of a key, or the free one where it belongs.
    template <class Key>
    Entry<Key>* find(Entry<Key>* entries, std::size_t mask, Key key) const {
        std::size_t place = hash(key);
        for (place ^= place >> 32;; ++place) {
            Entry<Key>* const entry = entries + (place & mask);
            if (entry->places == 0 || is_equal(entry->key, key)) return entry;
        }
    }

    static bool key_of(PyObject* item, PyObject*& key) {
        key = item;
        return true;
    }
    static bool key_of(PyObject* item, std::int64_t& key) {
        int beyond = 0;
        key = PyLong_AsLongLongAndOverflow(item, &beyond);
        return beyond == 0;
    }
    std::size_t hash(PyObject* key) const { return static_cast<std::size_t>(hash_.of_string(key)); }
    std::size_t hash(std::int64_t key) const { return static_cast<std::size_t>(hash_.of_hash(key)); }
    static bool is_equal(PyObject* left, PyObject* right) {
        return left == right || equal_strings(left, right);
    }
    static bool is_equal(std::int64_t left, std::int64_t right) { return left == right; }

    ShortList left_;
    ShortList right_;
    const TokenHash hash_;
    bool fits_ = false;
    std::int64_t shift_ = 0;
    Bits matches_[ShortList::most];
};

// A tuple of four items, or an instance of a subclass; takes the references to them.
inline PyObject* tuple_of(PyTypeObject* kind, PyObject* const* items) {
    PyObject* const answer = kind == &PyTuple_Type ? PyTuple_New(4) : kind->tp_alloc(kind, 4);
    for (int at = 0; at < 4; ++at) {
        if (answer == nullptr || items[at] == nullptr) {
            Py_XDECREF(items[at]);
        } else {
            PyTuple_SET_ITEM(answer, at, items[at]);
        }
    }
    return answer;
}

// Aligns a short pair by the arguments of `count_tokens`, and returns a tuple of `kind` with the
// counts; null without a Python error: the pair is not short.
template <class Path>
PyObject* align_short(PyObject* const* arguments, PyTypeObject* kind, Path& path) {
    std::int64_t numbers[4];  // costs and ties
    for (int at = 0; at < 4; ++at) {
        PyObject* const value = arguments[2 + at];
        if (!PyLong_CheckExact(value)) return nullptr;
        int beyond = 0;
        numbers[at] = PyLong_AsLongLongAndOverflow(value, &beyond);
        if (beyond != 0) return nullptr;
    }
    const bool unit = numbers[0] == 1 && numbers[1] == 1 && numbers[2] == 1;
    const bool sclite = numbers[0] == 4 && numbers[1] == 3 && numbers[2] == 3;
    if (!(unit || sclite) || numbers[3] < 0 || numbers[3] > 3) return nullptr;
    ShortPair pair(arguments[0], arguments[1]);
    if (!pair.fits()) return nullptr;
    std::int64_t counts[4];
    const auto count = [&](auto step) {
        using Step = decltype(step);
        switch (static_cast<Ties>(numbers[3])) {
            case Ties::sclite: return pair.count<Step, Ties::sclite>(counts, path);
            case Ties::align_text: return pair.count<Step, Ties::align_text>(counts, path);
            case Ties::compute_wer: return pair.count<Step, Ties::compute_wer>(counts, path);
            case Ties::rapidfuzz: return pair.count<Step, Ties::rapidfuzz>(counts, path);
        }
    };
    unit ? count(UnitCosts()) : count(ScliteCosts());
    PyObject* items[4];
    for (int at = 0; at < 4; ++at) items[at] = PyLong_FromLongLong(counts[at]);
    return tuple_of(kind, items);
}

}  // namespace alignment
