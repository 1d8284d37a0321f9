// One short pair of strings or whole numbers, aligned without storage from the heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

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

// Makes objects of a class that keeps four attributes in slots, without its `__init__`: edits and
// words lie in the object as bytes, and become attributes when somebody asks. To make them at once,
// and to drop them, takes as long as the alignment.
class SlottedKind {
public:
    static SlottedKind& instance() {
        static SlottedKind kind;
        return kind;
    }

    // False: it has no such slots, or is not the first class that had.
    bool knows(PyObject* wanted) {
        if (kind_ != nullptr) return wanted == kind_;
        py::ssize_t places[4] = {};
        for (std::size_t at = 0; at < 4; ++at) {
            const auto slot = py::reinterpret_steal<py::object>(PyObject_GetAttrString(wanted, names[at]));
            if (!slot) PyErr_Clear();
            if (!slot || Py_TYPE(slot.ptr()) != &PyMemberDescr_Type) return false;
            places[at] = reinterpret_cast<PyMemberDescrObject*>(slot.ptr())->d_member->offset;
        }
        std::copy(places, places + 4, places_);
        make_type(wanted);
        kind_ = Py_NewRef(wanted);
        return true;
    }

    // A new object of the lists of a short pair; null without an error if they have no room. It refers
    // to no other: the collector of cycles need not visit it.
    PyObject* make(PyObject* reference, PyObject* hypothesis, const ShortPath& path, std::int64_t cost) const {
        Packed packed;
        PyObject* const* left = reinterpret_cast<PyListObject*>(reference)->ob_item + PyList_GET_SIZE(reference);
        PyObject* const* right = reinterpret_cast<PyListObject*>(hypothesis)->ob_item + PyList_GET_SIZE(hypothesis);
        for (const std::uint8_t* edit = path.begin() + path.size(); edit != path.begin();) {
            --edit;
            if (*edit != Edit::deletion) --right;
            if (*edit != Edit::deletion && *edit != Edit::correct && !packed.put(*right)) return nullptr;
            if (*edit != Edit::insertion && !packed.put(*--left)) return nullptr;
        }
        const auto size = static_cast<py::ssize_t>(sizeof(Held)) + path.size() + packed.size();
        auto* const made = PyObject_NewVar(PyVarObject, type_, size);
        if (made == nullptr) return nullptr;
        auto* const object = reinterpret_cast<PyObject*>(made);
        // a slot lies where others have their size
        for (std::size_t at = 0; at < 4; ++at) attribute(object, at) = nullptr;
        Held* const held = held_in(object);
        held->cost = static_cast<std::int16_t>(cost);
        held->edits = static_cast<std::int16_t>(path.size());
        held->items = static_cast<std::int32_t>(packed.size());
        std::copy_n(packed.begin(), packed.size(), std::copy_n(path.begin(), path.size(), held->codes()));
        return object;
    }

private:
    // What lies behind the slots: this, the edits, and from place to place the items of the reference and
    // those of the hypothesis that differ from their partners.
    struct Held {
        std::int16_t cost;
        std::int16_t edits;
        std::int32_t items;

        char* codes() { return reinterpret_cast<char*>(this + 1); }
    };

    // The byte before an item: the size of a short text of ASCII, or more than that by the kind of the item: 0
    // for a number, 3 for ASCII, or how many bytes a character has in memory. A text of a kind has the number
    // of its characters first.
    static constexpr unsigned char long_item = 250;

    // Items under construction, from the last one on.
    class Packed {
    public:
        // False: there is no room for the item, or it lies in two pieces.
        bool put(PyObject* item) {
            if (PyLong_CheckExact(item)) {
                const std::int64_t number = PyLong_AsLongLong(item);
                first_ -= sizeof number;
                std::memcpy(first_, &number, sizeof number);
                return put_byte(long_item);
            }
            const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(item));
            const std::size_t size = length * PyUnicode_KIND(item);
            if (!PyUnicode_IS_COMPACT(item) || size > static_cast<std::size_t>(first_ - bytes_) - 2 * slack) {
                return false;
            }
            // Sixteen bytes are copied faster than a few. Those before the characters belong to the
            // string as well, and the next item takes their place.
            const char* const end = static_cast<const char*>(PyUnicode_DATA(item)) + size;
            std::memcpy(first_ - slack, end - slack, slack);
            first_ -= size;
            if (size > slack) std::memcpy(first_, end - size, size);
            if (PyUnicode_IS_ASCII(item) && size < long_item) return put_byte(size);
            const auto characters = static_cast<std::uint32_t>(length);
            first_ -= sizeof characters;
            std::memcpy(first_, &characters, sizeof characters);
            return put_byte(long_item + (PyUnicode_IS_ASCII(item) ? 3U : static_cast<unsigned>(PyUnicode_KIND(item))));
        }

        const char* begin() const { return first_; }
        py::ssize_t size() const { return bytes_ + sizeof bytes_ - first_; }

    private:
        static constexpr std::size_t slack = 16;

        bool put_byte(std::size_t value) {
            *--first_ = static_cast<char>(value);
            return first_ >= bytes_ + 2 * slack;
        }

        char bytes_[4096];
        char* first_ = bytes_ + sizeof bytes_;
    };

    // A new object of the item at a place, which moves to the next one; `wanted`: or null.
    static PyObject* taken(const char*& place, bool wanted) {
        const auto first = static_cast<unsigned char>(*place++);
        const int kind = first < long_item ? 3 : first - long_item;
        std::uint32_t characters = first;
        if (first > long_item) {
            std::memcpy(&characters, place, sizeof characters);
            place += sizeof characters;
        }
        const char* const from = place;
        const std::size_t size = kind == 0 ? sizeof(std::int64_t) : kind == 3 ? characters : characters * static_cast<std::size_t>(kind);
        place += size;
        if (!wanted) return nullptr;
        if (kind == 0) {
            std::int64_t number = 0;
            std::memcpy(&number, from, sizeof number);
            return PyLong_FromLongLong(number);
        }
        const Py_UCS4 largest = kind == 3 ? 0x7F : kind == 1 ? 0xFF : kind == 2 ? 0xFFFF : 0x10FFFF;
        PyObject* const text = PyUnicode_New(static_cast<py::ssize_t>(characters), largest);
        if (text != nullptr && size > 0) std::memcpy(PyUnicode_DATA(text), from, size);
        return text;
    }

    static constexpr const char* names[] = {"edits", "reference", "hypothesis", "cost"};

    static PyObject*& attribute(PyObject* object, std::size_t at) {
        return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + instance().places_[at]);
    }

    static Held* held_in(PyObject* object) {
        return reinterpret_cast<Held*>(reinterpret_cast<char*>(object) + Py_TYPE(object)->tp_basicsize);
    }

    static PyObject* computed(PyObject* object, std::size_t at) {
        Held* const held = held_in(object);
        const char* const codes = held->codes();
        if (at == 0) return PyBytes_FromStringAndSize(codes, held->edits);
        if (at == 3) return PyFloat_FromDouble(held->cost);
        const Edit absent = at == 1 ? Edit::insertion : Edit::deletion;
        auto tuple = py::reinterpret_steal<py::object>(
            PyTuple_New(held->edits - std::count(codes, codes + held->edits, static_cast<char>(absent))));
        if (!tuple) return nullptr;
        const char* next = codes + held->edits;
        py::ssize_t place = 0;
        for (const char* code = codes; code != codes + held->edits; ++code) {
            PyObject* item = nullptr;
            if (*code != Edit::insertion) item = taken(next, at == 1 || *code == Edit::correct);
            if (*code == Edit::substitution || *code == Edit::insertion) {
                PyObject* const other = taken(next, at == 2);
                if (at == 2) item = other;
            }
            if (*code == absent) continue;
            if (item == nullptr) return nullptr;
            PyTuple_SET_ITEM(tuple.ptr(), place++, item);
        }
        return tuple.release().ptr();
    }

    static PyObject* get(PyObject* object, void* place) {
        const auto at = reinterpret_cast<std::size_t>(place);
        PyObject*& found = attribute(object, at);
        if (found == nullptr) found = computed(object, at);
        return Py_XNewRef(found);
    }

    static int set(PyObject* object, PyObject* value, void* place) {
        if (value == nullptr) {
            PyErr_SetString(PyExc_AttributeError, "the attributes of a result cannot be deleted");
            return -1;
        }
        PyObject* const before = attribute(object, reinterpret_cast<std::size_t>(place));
        attribute(object, reinterpret_cast<std::size_t>(place)) = Py_NewRef(value);
        Py_XDECREF(before);
        return 0;
    }

    static PyObject* reduce(PyObject* object, PyObject*) {
        PyObject* attributes[4] = {};
        for (std::size_t at = 0; at < 4; ++at) {
            attributes[at] = get(object, reinterpret_cast<void*>(at));
            if (attributes[at] == nullptr) break;
        }
        PyObject* const answer =
            attributes[3] == nullptr ? nullptr
                                     : Py_BuildValue("O(OOOO)", instance().kind_, attributes[0], attributes[1],
                                                     attributes[2], attributes[3]);
        for (PyObject* const one : attributes) Py_XDECREF(one);
        return answer;
    }

    static PyObject* size_of(PyObject* object, PyObject*) {
        const py::ssize_t size = Py_TYPE(object)->tp_basicsize + static_cast<py::ssize_t>(sizeof(Held));
        return PyLong_FromSsize_t(size + held_in(object)->edits + held_in(object)->items);
    }

    static void free(PyObject* object) {
        PyTypeObject* const type = Py_TYPE(object);
        for (std::size_t at = 0; at < 4; ++at) Py_XDECREF(attribute(object, at));
        PyObject_Free(object);
        Py_DECREF(type);
    }

    // A type that has this of its own, and not the flag of those that the collector of cycles visits, does
    // not take the flag from its base: its objects are smaller and are made sooner.
    static int traverse(PyObject*, visitproc, void*) { return 0; }

    void make_type(PyObject* wanted) {
        const py::handle base(wanted);
        name_ = base.attr("__module__").cast<std::string>() + "." + base.attr("__name__").cast<std::string>();
        for (std::size_t at = 0; at < 4; ++at) {
            attributes_[at] = {names[at], &get, &set, nullptr, reinterpret_cast<void*>(at)};
        }
        PyType_Slot slots[] = {{Py_tp_getset, attributes_},
                               {Py_tp_methods, methods_},
                               {Py_tp_dealloc, reinterpret_cast<void*>(&free)},
                               {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
                               {0, nullptr}};
        PyType_Spec spec = {name_.c_str(),
                            static_cast<int>(reinterpret_cast<PyTypeObject*>(wanted)->tp_basicsize),
                            1,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                            slots};
        const py::tuple bases = py::make_tuple(base);
        type_ = reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&spec, bases.ptr()));
        if (type_ == nullptr) throw py::error_already_set();
    }

    PyObject* kind_ = nullptr;
    PyTypeObject* type_ = nullptr;
    std::string name_;
    PyGetSetDef attributes_[5] = {};
    PyMethodDef methods_[3] = {{"__reduce__", &reduce, METH_NOARGS, nullptr},
                               {"__sizeof__", &size_of, METH_NOARGS, nullptr},
                               {nullptr, nullptr, 0, nullptr}};
    py::ssize_t places_[4] = {};
};

}  // namespace alignment
