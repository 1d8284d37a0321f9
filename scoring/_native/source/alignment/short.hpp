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

    // False: an item is no whole number of at most 64 bits.
    bool numbers(std::int64_t* out) const {
        for (std::int64_t at = 0; at < size; ++at) {
            int beyond = 0;
            if (kind == &PyLong_Type) out[at] = PyLong_AsLongLongAndOverflow(items[at], &beyond);
            if (kind != &PyLong_Type || beyond != 0) return false;
        }
        return true;
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

// Finds the directions of each column, given the rows that match it.
using Fill = void (*)(const Bits* columns, std::int64_t size, Directions* directions);

template <class Step, Ties ties>
void fill_columns(const Bits* columns, std::int64_t size, Directions* directions) {
    typename Step::Column column;
    for (std::int64_t j = 0; j < size; ++j) {
        typename Step::Entry top;
        // rows below the last one do not matter to those above
        directions[j] = Step::template step<ties>(column, top, columns[j]);
    }
}

template <class Step>
constexpr Fill fills[] = {&fill_columns<Step, Ties::sclite>, &fill_columns<Step, Ties::align_text>,
                          &fill_columns<Step, Ties::compute_wer>, &fill_columns<Step, Ties::rapidfuzz>};

// Two lists of strings or of whole numbers, the reference within a machine word.
class ShortPair {
public:
    ShortPair(PyObject* reference, PyObject* hypothesis)
        : left_(reference, word_bits), right_(hypothesis, ShortList::most) {}

    // Counts the edits of the cheapest alignment, and puts them into the path. False: the pair is of
    // another kind.
    template <class Path>
    bool count(Fill fill, Ties ties, std::int64_t* counts, Path& path) const {
        if (left_.size < 0 || right_.size < 0) return false;
        if (left_.kind != right_.kind && left_.size > 0 && right_.size > 0) return false;
        if (left_.kind != &PyLong_Type && right_.kind != &PyLong_Type) {
            count_keys(left_.items, right_.items, fill, ties, counts, path);
            return true;
        }
        std::int64_t left[word_bits];
        std::int64_t right[ShortList::most];
        if (!left_.numbers(left) || !right_.numbers(right)) return false;
        count_keys(left, right, fill, ties, counts, path);
        return true;
    }

private:
    static constexpr std::size_t table_size = 256;  // four times as many as a reference has items
    static constexpr std::int64_t few = 8;          // so many items are compared with each other

    template <class Key>
    struct Entry {
        Key key;
        Bits places;  // 0: the entry is free
    };

    // First and last items that are equal stand outside the table, which begins after the first.
    template <class Key, class Path>
    void count_keys(const Key* left, const Key* right, Fill fill, Ties ties, std::int64_t* counts,
                    Path& path) const {
        std::int64_t rows = left_.size;
        std::int64_t size = right_.size;
        std::int64_t equal = 0;
        const auto trim = [&] {
            while (equal < rows && equal < size && is_equal(left[equal], right[equal])) ++equal;
        };
        if (ties == Ties::rapidfuzz) trim();
        // as `Aligner::choose`
        if (ties != Ties::compute_wer) {
            while (rows > equal && size > equal && is_equal(left[rows - 1], right[size - 1])) {
                --rows;
                --size;
                path.put(Edit::correct);
            }
        }
        std::int64_t diagonal = left_.size - rows;
        std::int64_t correct = diagonal;
        trim();
        if (rows > equal && size > equal) {
            Bits columns[ShortList::most];
            Directions directions[ShortList::most];
            std::int64_t row = rows - equal;
            std::int64_t column = size - equal;
            find_matches(left + equal, row, right + equal, column, columns);
            fill(columns, column, directions);
            trace(columns, directions, row, column, diagonal, correct, path);
            rows = row + equal;
            size = column + equal;
        }
        // The cheapest ways through equal first items have only deletions, or only insertions.
        const bool prefers_diagonal = ties == Ties::sclite || ties == Ties::align_text;
        while (rows != size) {
            if (prefers_diagonal && rows > 0 && size > 0 && is_equal(left[rows - 1], right[size - 1])) {
                --rows;
                --size;
                path.put(Edit::correct);
            } else if (rows > size) {
                --rows;
                path.put(Edit::deletion);
            } else {
                --size;
                path.put(Edit::insertion);
            }
        }
        for (; rows > 0; --rows) path.put(Edit::correct);
        diagonal += equal;
        counts[0] = correct + equal;
        counts[1] = diagonal - counts[0];
        counts[2] = left_.size - diagonal;
        counts[3] = right_.size - diagonal;
    }

    template <class Path>
    static void trace(const Bits* columns, const Directions* directions, std::int64_t& rows,
                      std::int64_t& size, std::int64_t& diagonal, std::int64_t& correct, Path& path) {
        while (rows > 0 && size > 0) {
            const Directions here = directions[size - 1];
            const Bits bit = Bits{1} << (rows - 1);
            if ((here.diagonal & bit) != 0) {
                --rows;
                --size;
                ++diagonal;
                const bool match = (columns[size] & bit) != 0;
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

    // Finds the rows that match each column.
    template <class Key>
    static void find_matches(const Key* left, std::int64_t rows, const Key* right, std::int64_t size,
                             Bits* columns) {
        if (rows <= few) {
            for (std::int64_t j = 0; j < size; ++j) {
                columns[j] = 0;
                for (std::int64_t i = 0; i < rows; ++i) {
                    columns[j] |= Bits{is_equal(left[i], right[j])} << i;
                }
            }
            return;
        }
        const TokenHash hash;
        std::size_t room = 32;
        while (room < 3 * static_cast<std::size_t>(rows)) room *= 2;
        const std::size_t mask = room - 1;
        Entry<Key> entries[table_size];
        for (std::size_t at = 0; at < room; ++at) entries[at].places = 0;
        Entry<Key>* found[word_bits];
        for (std::int64_t i = 0; i < rows; ++i) {
            found[i] = find(entries, mask, left[i], hash);
            found[i]->key = left[i];
            found[i]->places |= Bits{1} << i;
        }
        std::int64_t next = 0;  // most hypotheses follow their reference
        for (std::int64_t j = 0; j < size; ++j) {
            if (next < rows && is_equal(left[next], right[j])) {
                columns[j] = found[next++]->places;
                continue;
            }
            columns[j] = find(entries, mask, right[j], hash)->places;
            if (next + 1 < rows && (columns[j] >> (next + 1) & 1) != 0) ++next;
            ++next;
        }
    }

    // The entry of a key, or the free one where it belongs.
    template <class Key>
    static Entry<Key>* find(Entry<Key>* entries, std::size_t mask, Key key, const TokenHash& hashes) {
        std::size_t place = hash(key, hashes);
        for (place ^= place >> 32;; ++place) {
            Entry<Key>* const entry = entries + (place & mask);
            if (entry->places == 0 || is_equal(entry->key, key)) return entry;
        }
    }

    static std::size_t hash(PyObject* key, const TokenHash& hashes) {
        return static_cast<std::size_t>(hashes.of_string(key));
    }
    static std::size_t hash(std::int64_t key, const TokenHash& hashes) {
        return static_cast<std::size_t>(hashes.of_hash(key));
    }
    static bool is_equal(PyObject* left, PyObject* right) {
        return left == right || equal_strings(left, right);
    }
    static bool is_equal(std::int64_t left, std::int64_t right) { return left == right; }

    ShortList left_;
    ShortList right_;
};

// The costs, as `Costs`, and the number of the ties; false where they are not small.
inline bool small_numbers(PyObject* costs, PyObject* ties, std::int64_t* numbers) {
    if (!PyTuple_Check(costs) || PyTuple_GET_SIZE(costs) != 3) return false;
    for (int at = 0; at < 4; ++at) {
        PyObject* const value = at < 3 ? PyTuple_GET_ITEM(costs, at) : ties;
        if (!PyLong_CheckExact(value)) return false;
        int beyond = 0;
        numbers[at] = PyLong_AsLongLongAndOverflow(value, &beyond);
        if (beyond != 0) return false;
    }
    return true;
}

// Aligns a short pair by the arguments of `count_tokens`; false: the pair is not short. `cost` gets
// the cost of the edits.
template <class Path>
bool align_short(PyObject* const* arguments, std::int64_t* counts, std::int64_t& cost, Path& path) {
    std::int64_t numbers[4];
    if (!small_numbers(arguments[2], arguments[3], numbers)) return false;
    const bool unit = numbers[0] == 1 && numbers[1] == 1 && numbers[2] == 1;
    const bool sclite = numbers[0] == 4 && numbers[1] == 3 && numbers[2] == 3;
    if (!(unit || sclite) || numbers[3] < 0 || numbers[3] > 3) return false;
    const ShortPair pair(arguments[0], arguments[1]);
    const Fill fill = (unit ? fills<UnitCosts> : fills<ScliteCosts>)[numbers[3]];
    if (!pair.count(fill, static_cast<Ties>(numbers[3]), counts, path)) return false;
    cost = counts[1] * numbers[0] + counts[2] * numbers[1] + counts[3] * numbers[2];
    return true;
}

// Fills new items of a tuple; null if one could not be made.
inline PyObject* filled(PyObject* tuple, const std::int64_t* numbers, py::ssize_t size) {
    for (py::ssize_t at = 0; tuple != nullptr && at < size; ++at) {
        PyObject* const item = PyLong_FromLongLong(numbers[at]);
        if (item == nullptr) {
            Py_CLEAR(tuple);
        } else {
            PyTuple_SET_ITEM(tuple, at, item);
        }
    }
    return tuple;
}

// A class whose objects keep four attributes in slots: they are filled without its `__init__`.
class SlottedKind {
public:
    // False: it has no such slots.
    bool knows(PyObject* wanted) {
        if (wanted == kind_) return true;
        static constexpr const char* names[] = {"edits", "reference", "hypothesis", "cost"};
        for (int at = 0; at < 4; ++at) {
            PyObject* const slot = PyObject_GetAttrString(wanted, names[at]);
            if (slot == nullptr) PyErr_Clear();
            if (slot == nullptr || Py_TYPE(slot) != &PyMemberDescr_Type) {
                Py_XDECREF(slot);
                return false;
            }
            places_[at] = reinterpret_cast<PyMemberDescrObject*>(slot)->d_member->offset;
            Py_DECREF(slot);
        }
        Py_XDECREF(kind_);
        kind_ = Py_NewRef(wanted);
        return true;
    }

    // A new object; takes the references to its attributes, which may be null. Strings and numbers
    // have no way back to it: the collector of cycles need not visit it, which takes as long as to
    // make it.
    PyObject* make(PyObject* const (&attributes)[4]) const {
        auto* const kind = reinterpret_cast<PyTypeObject*>(kind_);
        PyObject* object = kind->tp_alloc(kind, 0);
        bool whole = object != nullptr;
        for (int at = 0; at < 4; ++at) {
            whole = whole && attributes[at] != nullptr;
            if (object == nullptr) {
                Py_XDECREF(attributes[at]);
            } else {
                *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + places_[at]) = attributes[at];
            }
        }
        if (!whole) {
            Py_CLEAR(object);
            return nullptr;
        }
        for (PyObject* const one : {attributes[1], attributes[2], object}) PyObject_GC_UnTrack(one);
        return object;
    }

private:
    PyObject* kind_ = nullptr;
    py::ssize_t places_[4] = {};
};

}  // namespace alignment
