// Turns the tokens of pairs, hashable Python objects, into word types.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "../common/arguments.hpp"
#include "../common/watch.hpp"
#include "sequences.hpp"

namespace alignment {

// The items of one sequence. Comparing strings runs no foreign code, so a list of strings is read
// in place while the interpreter's lock is held; anything else is held in a tuple, because comparing
// it might change the list. Without such a lock all is held.
class Tokens {
public:
    // `keep`: the lock will be given away while the items are in use.
    Tokens(py::handle sequence, const char* name, std::int64_t position, bool keep = false) {
        PyObject* object = sequence.ptr();
        const bool list = PyList_CheckExact(object);
#ifndef Py_GIL_DISABLED
        if (list && !keep) {
            items_ = reinterpret_cast<PyListObject*>(object)->ob_item;
            size_ = PyList_GET_SIZE(object);
            text_ = strings();
            if (text_) return;
        }
#endif
        const bool whole = PyUnicode_Check(object) || PyBytes_Check(object);
        if (whole || (Py_TYPE(object)->tp_iter == nullptr && !PySequence_Check(object))) {
            std::string place = name;
            if (position >= 0) place += "[" + std::to_string(position) + "]";
            throw py::type_error(place + ": expected a sequence of tokens, found " +
                                 type_name(sequence) +
                                 (whole ? "; split it into tokens first" : ""));
        }
        held_ = py::reinterpret_steal<py::object>(PySequence_Tuple(object));
        if (!held_) throw py::error_already_set();
        items_ = reinterpret_cast<PyTupleObject*>(held_.ptr())->ob_item;
        size_ = PyTuple_GET_SIZE(held_.ptr());
        text_ = strings();
    }

    PyObject* const* begin() const { return items_; }
    PyObject* const* end() const { return items_ + size_; }
    std::size_t size() const { return static_cast<std::size_t>(size_); }
    PyObject* operator[](std::size_t place) const { return items_[place]; }
    bool text() const { return text_; }  // nothing but strings

private:
    bool strings() const {
#if defined(__GNUC__)
        // they lie anywhere in memory: ask for all before the first is needed
        for (py::ssize_t at = 0; at < std::min<py::ssize_t>(size_, 64); ++at) {
            __builtin_prefetch(items_[at]);
        }
#endif
        for (py::ssize_t at = 0; at < size_; ++at) {
            if (!PyUnicode_CheckExact(items_[at])) return false;
        }
        return true;
    }

    py::object held_;
    PyObject* const* items_ = nullptr;
    py::ssize_t size_ = 0;
    bool text_ = false;
};

// Tokens of one text, each a stretch of its bytes.
class Pieces {
public:
    const std::string_view* begin() const { return items_.data(); }
    const std::string_view* end() const { return items_.data() + items_.size(); }
    std::size_t size() const { return items_.size(); }
    std::string_view operator[](std::size_t place) const { return items_[place]; }
    static bool text() { return true; }

protected:
    // Appends the words of a text that is cut at its blanks.
    void cut(std::string_view text) {
        const char* at = text.data();
        const char* const end = at + text.size();
        while (at < end) {
            const void* const found = std::memchr(at, ' ', static_cast<std::size_t>(end - at));
            const char* const stop = found != nullptr ? static_cast<const char*>(found) : end;
            if (stop > at) items_.emplace_back(at, static_cast<std::size_t>(stop - at));
            at = stop + 1;
        }
    }

    std::vector<std::string_view> items_;
};

// The words of one text of printable ASCII, cut at its blanks.
class Words : public Pieces {
public:
    Words(py::handle text, const char* name, std::int64_t position) {
        if (!PyUnicode_CheckExact(text.ptr()) || !PyUnicode_IS_ASCII(text.ptr())) {
            throw py::type_error(std::string(name) + "[" + std::to_string(position) +
                                 "]: expected a text of ASCII");
        }
        cut({static_cast<const char*>(PyUnicode_DATA(text.ptr())),
             static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr()))});
    }
};

// Up to seven bytes as one number; reads overlap where that saves a loop.
inline std::uint64_t few_bytes(const char* bytes, std::size_t size) {
    if (size >= 4) {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        std::memcpy(&first, bytes, sizeof first);
        std::memcpy(&last, bytes + size - sizeof last, sizeof last);
        return static_cast<std::uint64_t>(first) << 32 | last;
    }
    if (size == 0) return 0;
    const auto at = [bytes](std::size_t place) {
        return static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[place]));
    };
    return at(0) << 16 | at(size / 2) << 8 | at(size - 1);
}

// Hashes of tokens, with keys that differ from process to process: nobody can choose tokens that
// collide.
class TokenHash {
public:
    // Equal strings lie in memory alike, so their bytes can be hashed; Python's own hash takes many
    // times longer.
    Py_hash_t of_bytes(const char* bytes, std::size_t size) const {
        std::uint64_t hash = keys_[0] ^ size;
        std::uint64_t part = 0;
        for (; size >= sizeof part; size -= sizeof part, bytes += sizeof part) {
            std::memcpy(&part, bytes, sizeof part);
            hash = folded(hash ^ part, keys_[1]) ^ keys_[0];
        }
        return static_cast<Py_hash_t>(folded(hash ^ few_bytes(bytes, size), keys_[1]));
    }

    Py_hash_t of_string(PyObject* text) const {
        return of_bytes(
            static_cast<const char*>(PyUnicode_DATA(text)),
            static_cast<std::size_t>(PyUnicode_GET_LENGTH(text)) * PyUnicode_KIND(text));
    }

    // Of a number, or of what Python hashed.
    Py_hash_t of_hash(std::int64_t hash) const {
        return static_cast<Py_hash_t>(folded(static_cast<std::uint64_t>(hash) ^ keys_[0], keys_[1]));
    }

private:
    static const std::array<std::uint64_t, 2>& process_keys() {
        static const std::array<std::uint64_t, 2> keys = [] {
            std::random_device device;
            const auto key = [&device] {
                return (static_cast<std::uint64_t>(device()) << 32 | device()) | 1;
            };
            return std::array<std::uint64_t, 2>{key(), key()};
        }();
        return keys;
    }

    // Both halves of a product, folded: each bit of the result depends on the key.
    static std::uint64_t folded(std::uint64_t left, std::uint64_t right) {
#if defined(__SIZEOF_INT128__)
        __extension__ using Wide = unsigned __int128;
        const Wide product = static_cast<Wide>(left) * right;
        return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
#else
        constexpr std::uint64_t low = 0xFFFFFFFFULL;
        const std::uint64_t inner = (left & low) * (right & low);
        const std::uint64_t cross = (left >> 32) * (right & low) + (inner >> 32);
        const std::uint64_t middle = (left & low) * (right >> 32) + (cross & low);
        const std::uint64_t outer = (left >> 32) * (right >> 32) + (cross >> 32) + (middle >> 32);
        return outer ^ (middle << 32 | (inner & low));
#endif
    }

    const std::array<std::uint64_t, 2> keys_ = process_keys();
};

// True if two strings are the same characters; equal strings lie in memory alike.
inline bool equal_strings(PyObject* left, PyObject* right) {
    const py::ssize_t length = PyUnicode_GET_LENGTH(left);
    if (length != PyUnicode_GET_LENGTH(right) || PyUnicode_KIND(left) != PyUnicode_KIND(right)) return false;
    const std::size_t size = static_cast<std::size_t>(length) * PyUnicode_KIND(left);
    const auto* const one = static_cast<const char*>(PyUnicode_DATA(left));
    const auto* const other = static_cast<const char*>(PyUnicode_DATA(right));
    return size < 8 ? few_bytes(one, size) == few_bytes(other, size) : std::memcmp(one, other, size) == 0;
}

// Numbers the distinct tokens of one reference from 1; a hypothesis token gets the number of the
// equal reference token, or 0.
class Numbering {
public:
    explicit Numbering(Watch& watch) : watch_(watch) {}

    template <class Items>
    void append(const Items& reference, const Items& hypothesis, std::vector<Type>& references,
                std::vector<Type>& hypotheses) {
        clear(reference.size());
        const std::size_t first = references.size();
        references.resize(first + reference.size());
        const std::size_t begin = hypotheses.size();
        hypotheses.resize(begin + hypothesis.size());
        Type* left = references.data() + first;
        Type* right = hypotheses.data() + begin;
        if (reference.text() && hypothesis.text()) {
            number_reference<true>(reference, left);
            number_hypothesis<true>(hypothesis, reference, left, right);
        } else if constexpr (std::is_same_v<Items, Tokens>) {
            number_reference<false>(reference, left);
            number_hypothesis<false>(hypothesis, reference, left, right);
        }
    }

private:
    struct Entry {
        std::size_t first;  // the token's first place in the reference
        Type type;
    };

    template <bool text, class Items>
    void number_reference(const Items& reference, Type* types) {
        Type last = 0;
        for (std::size_t i = 0; i < reference.size(); ++i) {
            const Py_hash_t token_hash = hash<text>(reference[i]);
            reference_hashes_[i] = token_hash;
            const std::size_t place = find<text>(reference[i], token_hash, reference);
            if (hashes_[place] == 0) {
                hashes_[place] = token_hash;
                entries_[place] = {i, ++last};
            }
            types[i] = entries_[place].type;
        }
    }

    // Most hypotheses follow their reference, so the word after the last match is tried first;
    // comparing two strings takes less than hashing one.
    template <bool text, class Items>
    void number_hypothesis(const Items& hypothesis, const Items& reference,
                           const Type* reference_types, Type* types) {
        std::size_t next = 0;
        for (const auto token : hypothesis) {
            if (text && next < reference.size() && equal<text>(reference[next], token)) {
                *types++ = reference_types[next++];
                continue;
            }
            const Py_hash_t token_hash = hash<text>(token);
            if (!text && next < reference.size() && reference_hashes_[next] == token_hash &&
                equal<text>(reference[next], token)) {
                *types++ = reference_types[next++];
                continue;
            }
            const std::size_t place = find<text>(token, token_hash, reference);
            if (hashes_[place] == 0) {
                *types++ = 0;
                ++next;
                continue;
            }
            const std::size_t first = entries_[place].first;
            *types++ = entries_[place].type;
            next = first <= next + 2 && next <= first + 2 ? first + 1 : next + 1;
        }
    }

    void clear(std::size_t tokens) {
        std::size_t size = 32;
        while (size < 3 * tokens) size *= 2;
        if (hashes_.size() < size) {
            hashes_.resize(size);
            entries_.resize(size);
            reference_hashes_.resize(size);
        }
        // short pairs stay within the first part of the table
        std::fill_n(hashes_.begin(), size, Py_hash_t{0});
        mask_ = size - 1;
    }

    // Never 0, which marks a free place.
    template <bool text>
    Py_hash_t hash(std::string_view token) const {
        const Py_hash_t hash = hash_.of_bytes(token.data(), token.size());
        return hash == 0 ? 1 : hash;
    }

    template <bool text>
    Py_hash_t hash(PyObject* token) const {
        Py_hash_t hash;
        if constexpr (text) {
            hash = hash_.of_string(token);
        } else {
            hash = PyObject_Hash(token);
            if (hash == -1) throw py::error_already_set();
            hash = hash_.of_hash(hash);
        }
        return hash == 0 ? 1 : hash;
    }

    template <bool text>
    static bool equal(std::string_view left, std::string_view right) {
        return left == right;
    }

    template <bool text>
    static bool equal(PyObject* left, PyObject* right) {
        if (left == right) return true;
        if constexpr (text) {
            return equal_strings(left, right);
        }
        const int answer = PyObject_RichCompareBool(left, right, Py_EQ);
        if (answer < 0) throw py::error_already_set();
        return answer != 0;
    }

    // The place of an equal token, or the free place where this one belongs.
    template <bool text, class Token, class Items>
    std::size_t find(Token token, Py_hash_t hash, const Items& reference) const {
        auto place = static_cast<std::size_t>(hash);
        place ^= place >> 32;
        while (true) {
            place &= mask_;
            const Py_hash_t there = hashes_[place];
            if (there == hash && equal<text>(reference[entries_[place].first], token)) return place;
            if (there == 0) return place;
            ++place;
            // objects may all have one hash; a list of strings is read in place, which a handler of
            // signals might change, and no one can choose their hashes
            if constexpr (!text) watch_.spend(16);
        }
    }

    Watch& watch_;
    const TokenHash hash_;
    std::vector<Py_hash_t> hashes_;
    std::vector<Entry> entries_;
    std::size_t mask_ = 0;
    std::vector<Py_hash_t> reference_hashes_;
};

}  // namespace alignment
