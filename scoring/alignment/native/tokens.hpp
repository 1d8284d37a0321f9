// Turns the tokens of pairs, hashable Python objects, into word types.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "python.hpp"
#include "sequences.hpp"

namespace alignment {

namespace py = pybind11;

// The items of one sequence. Comparing strings runs no foreign code, so a list of strings is read
// in place; anything else is held in a tuple, because comparing it might change the list.
class Tokens {
public:
    Tokens(py::handle sequence, const char* name, std::int64_t position) {
        PyObject* object = sequence.ptr();
        if (PyList_CheckExact(object) && strings(object)) {
            items_ = reinterpret_cast<PyListObject*>(object)->ob_item;
            size_ = PyList_GET_SIZE(object);
            return;
        }
        const bool text = PyUnicode_Check(object) || PyBytes_Check(object);
        if (text || (Py_TYPE(object)->tp_iter == nullptr && !PySequence_Check(object))) {
            std::string place = name;
            if (position >= 0) place += "[" + std::to_string(position) + "]";
            throw py::type_error(place + ": expected a sequence of tokens, found " +
                                 Py_TYPE(object)->tp_name +
                                 (text ? "; split it into tokens first" : ""));
        }
        held_ = py::reinterpret_steal<py::object>(PySequence_Tuple(object));
        if (!held_) throw py::error_already_set();
        items_ = reinterpret_cast<PyTupleObject*>(held_.ptr())->ob_item;
        size_ = PyTuple_GET_SIZE(held_.ptr());
    }

    PyObject* const* begin() const { return items_; }
    PyObject* const* end() const { return items_ + size_; }
    std::size_t size() const { return static_cast<std::size_t>(size_); }

private:
    static bool strings(PyObject* list) {
        const py::ssize_t size = PyList_GET_SIZE(list);
        for (py::ssize_t at = 0; at < size; ++at) {
            if (!PyUnicode_CheckExact(PyList_GET_ITEM(list, at))) return false;
        }
        return true;
    }

    py::object held_;
    PyObject* const* items_ = nullptr;
    py::ssize_t size_ = 0;
};

// Numbers the distinct tokens of one reference from 1; a hypothesis token gets the number of the
// equal reference token, or 0.
class Numbering {
public:
    void append(const Tokens& reference, const Tokens& hypothesis, std::vector<Type>& references,
                std::vector<Type>& hypotheses) {
        clear(reference.size());
        Type types = 0;
        for (PyObject* token : reference) {
            const Py_hash_t token_hash = hash(token);
            Entry& entry = find(token, token_hash);
            if (entry.round != round_) entry = {token, token_hash, ++types, round_};
            references.push_back(entry.type);
        }
        for (PyObject* token : hypothesis) {
            const Entry& entry = find(token, hash(token));
            hypotheses.push_back(entry.round == round_ ? entry.type : 0);
        }
    }

private:
    struct Entry {
        PyObject* token = nullptr;
        Py_hash_t hash = 0;
        Type type = 0;
        std::uint32_t round = 0;  // occupied in this round only
    };

    void clear(std::size_t tokens) {
        std::size_t size = 64;
        while (size < 2 * tokens) size *= 2;
        if (size > entries_.size() || ++round_ == 0) {
            entries_.assign(std::max(size, entries_.size()), Entry{});
            round_ = 1;
        }
        // short pairs stay within the nearest part of the table
        mask_ = size - 1;
    }

    static Py_hash_t hash(PyObject* token) {
        if (PyUnicode_CheckExact(token)) {
            const Py_hash_t known = reinterpret_cast<PyASCIIObject*>(token)->hash;
            if (known != -1) return known;
        }
        const Py_hash_t computed = PyObject_Hash(token);
        if (computed == -1) throw py::error_already_set();
        return computed;
    }

    static bool equal(PyObject* left, PyObject* right) {
        if (left == right) return true;
        if (PyUnicode_CheckExact(left) && PyUnicode_CheckExact(right)) {
            const py::ssize_t size = PyUnicode_GET_LENGTH(left);
            return size == PyUnicode_GET_LENGTH(right) &&
                   PyUnicode_KIND(left) == PyUnicode_KIND(right) &&
                   std::memcmp(PyUnicode_DATA(left), PyUnicode_DATA(right),
                               static_cast<std::size_t>(size) * PyUnicode_KIND(left)) == 0;
        }
        const int answer = PyObject_RichCompareBool(left, right, Py_EQ);
        if (answer < 0) throw py::error_already_set();
        return answer != 0;
    }

    // The entry of an equal token, or the free entry where this one belongs.
    Entry& find(PyObject* token, Py_hash_t hash) {
        auto place = static_cast<std::size_t>(hash);
        place ^= place >> 32;  // small integers hash to themselves, strings to anything
        while (true) {
            Entry& entry = entries_[place & mask_];
            if (entry.round != round_) return entry;
            if (entry.hash == hash && equal(entry.token, token)) return entry;
            ++place;
        }
    }

    std::vector<Entry> entries_;
    std::size_t mask_ = 0;
    std::uint32_t round_ = 0;
};

}  // namespace alignment
