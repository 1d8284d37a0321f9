// Read access to Python buffers of numbers, and bytes objects to write numbers into.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "python.hpp"

namespace alignment {

namespace py = pybind11;

// A contiguous buffer of `Number`, alive as long as this object. Empty for None.
template <class Number>
class Buffer {
public:
    Buffer(py::handle object, const char* name) {
        if (object.is_none()) return;
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_ND | PyBUF_FORMAT) != 0) {
            throw py::error_already_set();
        }
        held_ = true;
        if (!fits()) {
            const std::string found = view_.format == nullptr ? "B" : view_.format;
            PyBuffer_Release(&view_);
            throw py::type_error(std::string(name) + ": expected a buffer of " + wanted() +
                                 ", found one of format '" + found + "'");
        }
        size_ = static_cast<std::int64_t>(view_.len) / static_cast<std::int64_t>(sizeof(Number));
        data_ = static_cast<const Number*>(view_.buf);
        const auto address = reinterpret_cast<std::uintptr_t>(view_.buf);
        if (size_ > 0 && address % alignof(Number) != 0) {
            copy_.resize(static_cast<std::size_t>(size_));
            std::memcpy(copy_.data(), view_.buf, static_cast<std::size_t>(view_.len));
            data_ = copy_.data();
        }
    }
    ~Buffer() {
        if (held_) PyBuffer_Release(&view_);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    const Number* data() const { return data_; }
    std::int64_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

private:
    bool fits() const {
        const char* format = view_.format == nullptr ? "B" : view_.format;
        if (*format == '@' || *format == '=') ++format;
        if (view_.itemsize != static_cast<py::ssize_t>(sizeof(Number))) return false;
        if (*format == '\0' || format[1] != '\0') return false;
        const char* kinds = "ilq";
        if (std::is_floating_point<Number>::value) kinds = "d";
        if (sizeof(Number) == 1) kinds = "Bb?c";
        return std::strchr(kinds, *format) != nullptr;
    }

    static std::string wanted() {
        if (std::is_floating_point<Number>::value) return "float64";
        return sizeof(Number) == 1 ? "bytes" : "int" + std::to_string(8 * sizeof(Number));
    }

    Py_buffer view_{};
    bool held_ = false;
    const Number* data_ = nullptr;
    std::int64_t size_ = 0;
    std::vector<Number> copy_;
};

// A new bytes object with room for `count` numbers.
template <class Number>
class NumberBytes {
public:
    explicit NumberBytes(std::int64_t count)
        : bytes_(py::reinterpret_steal<py::bytes>(
              PyBytes_FromStringAndSize(nullptr, static_cast<py::ssize_t>(count) * item_size))) {
        if (!bytes_) throw py::error_already_set();
    }

    // The contents of a bytes object are aligned like any allocation of a whole number of words.
    Number* data() { return reinterpret_cast<Number*>(PyBytes_AS_STRING(bytes_.ptr())); }
    py::bytes take() { return std::move(bytes_); }

private:
    static constexpr auto item_size = static_cast<py::ssize_t>(sizeof(Number));

    py::bytes bytes_;
};

}  // namespace alignment
