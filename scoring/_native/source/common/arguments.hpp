// Arguments from Python: the right ones are passed on, the wrong ones named in an error, in the
// words of scoring/alignment/arguments.py.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "python.hpp"

inline std::string type_name(py::handle value) {
    return py::cast<std::string>(py::type::handle_of(value).attr("__name__"));
}

inline py::type_error unexpected(const std::string& name, const std::string& expected,
                                 py::handle found) {
    return py::type_error(name + ": expected " + expected + ", found " + type_name(found));
}

inline void require(bool fulfilled, const std::string& problem) {
    if (!fulfilled) throw py::value_error(problem);
}

// A whole number, as Python's indices are.
inline std::int64_t whole(py::handle value, const std::string& name, std::int64_t low,
                          std::int64_t high) {
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
        PyErr_Clear();
        throw unexpected(name, "a whole number", value);
    }
    int beyond = 0;
    const long long found = PyLong_AsLongLongAndOverflow(number.ptr(), &beyond);
    if (found == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (beyond == 0 && low <= found && found <= high) return found;
    throw py::value_error(name + ": expected a whole number from " + std::to_string(low) + " to " +
                          std::to_string(high) + ", found " +
                          (beyond == 0 ? std::to_string(found) : "one of more than 63 bits"));
}

// A word of 64 bits.
inline std::uint64_t whole_word(py::handle value, const std::string& name) {
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
        PyErr_Clear();
        throw unexpected(name, "a whole number", value);
    }
    const std::uint64_t found = PyLong_AsUnsignedLongLong(number.ptr());
    if (PyErr_Occurred() == nullptr) return found;
    PyErr_Clear();
    throw py::value_error(name + ": expected a whole number from 0 to 18446744073709551615");
}

// The bytes of a bytes object, which the caller keeps alive.
inline std::string_view bytes_of(py::handle value, const std::string& name) {
    if (!PyBytes_Check(value.ptr())) throw unexpected(name, "bytes", value);
    return {PyBytes_AS_STRING(value.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(value.ptr()))};
}

// A contiguous buffer, alive as long as this object; none if the object has none to give.
class View {
public:
    explicit View(py::handle object) {
        held_ = PyObject_GetBuffer(object.ptr(), &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0;
        if (!held_) PyErr_Clear();
    }
    ~View() {
        if (held_) PyBuffer_Release(&view_);
    }
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    bool held() const { return held_; }
    // Its items by the letter of the module struct; '\0' if they are no numbers of this machine.
    char format() const {
        const char* format = view_.format == nullptr ? "B" : view_.format;
        if (*format == '@' || *format == '=') ++format;
        return format[0] != '\0' && format[1] == '\0' ? *format : '\0';
    }
    template <class Number>
    bool holds() const {
        const char* kinds = std::is_floating_point_v<Number> ? "d"
                            : sizeof(Number) == 1            ? "Bb?c"
                            : std::is_unsigned_v<Number>     ? "ILQ"
                                                             : "ilq";
        return format() != '\0' && std::strchr(kinds, format()) != nullptr &&
               view_.itemsize == static_cast<py::ssize_t>(sizeof(Number));
    }
    int dimensions() const { return view_.ndim; }
    std::int64_t extent(int dimension) const { return view_.shape[dimension]; }
    const void* data() const { return view_.buf; }
    std::size_t bytes() const { return static_cast<std::size_t>(view_.len); }

private:
    Py_buffer view_{};
    bool held_ = false;
};

// A buffer of numbers, row by row where it has two dimensions.
template <class Number>
class Buffer {
public:
    Buffer(py::handle object, const std::string& name, int dimensions = 1)
        : view_(std::make_unique<View>(object)) {
        if (!view_->held() || !view_->template holds<Number>() ||
            view_->dimensions() != dimensions) {
            const std::string rows = dimensions == 2 ? "rows" : "a contiguous buffer";
            throw unexpected(name, rows + " of " + wanted(), object);
        }
        size_ = static_cast<std::int64_t>(view_->bytes() / sizeof(Number));
        data_ = static_cast<const Number*>(view_->data());
        if (size_ > 0 && reinterpret_cast<std::uintptr_t>(data_) % alignof(Number) != 0) {
            copy_.resize(static_cast<std::size_t>(size_));
            std::memcpy(copy_.data(), view_->data(), view_->bytes());
            data_ = copy_.data();
        }
    }

    const Number* data() const { return data_; }
    std::int64_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::int64_t extent(int dimension) const { return view_->extent(dimension); }

private:
    static std::string wanted() {
        if (std::is_floating_point_v<Number>) return "float64";
        if (sizeof(Number) == 1) return "bytes";
        return (std::is_unsigned_v<Number> ? "uint" : "int") + std::to_string(8 * sizeof(Number));
    }

    std::unique_ptr<View> view_;
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

template <class Number>
py::bytes packed(const std::vector<Number>& column) {
    return py::bytes(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(Number));
}
