// JSON that has been decoded, seen again as text: formats/json/scanning.py has the same in plain Python.
#include <cmath>
#include <vector>

#include "parts.hpp"

namespace {

// How many members the objects of some values have together.
std::size_t members_of(const py::list& values) {
    std::size_t members = 0;
    std::vector<PyObject*> waiting{values.ptr()};
    const auto look_at = [&waiting](PyObject* value) {
        if (PyDict_CheckExact(value) || PyList_CheckExact(value)) waiting.push_back(value);
    };
    while (!waiting.empty()) {
        PyObject* const value = waiting.back();
        waiting.pop_back();
        if (PyList_CheckExact(value)) {
            for (py::ssize_t at = 0; at < PyList_GET_SIZE(value); ++at) look_at(PyList_GET_ITEM(value, at));
            continue;
        }
        members += static_cast<std::size_t>(PyDict_GET_SIZE(value));
        PyObject* member = nullptr;
        for (py::ssize_t at = 0; PyDict_Next(value, &at, nullptr, &member) != 0;) look_at(member);
    }
    return members;
}

// True if no name occurs twice in an object, and nothing is nested deeper than that: the values have as many
// members as the text has colons outside of its texts.
bool is_plain(const py::str& text, const py::list& values, std::size_t deepest) {
    py::ssize_t size = 0;
    const char* const begin = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (begin == nullptr) {
        PyErr_Clear();
        return false;
    }
    std::size_t members = 0;
    std::size_t depth = 0;
    bool is_inside = false;
    for (const char* at = begin; at < begin + size; ++at) {
        const char sign = *at;
        if (is_inside) {
            at += sign == '\\';
            is_inside = sign != '"';
            continue;
        }
        is_inside = sign == '"';
        members += sign == ':';
        depth += sign == '[' || sign == '{';
        depth -= sign == ']' || sign == '}';
        if (depth > deepest) return false;
    }
    return members == members_of(values);
}

// The nanoseconds of one number that formats.json.numbers converts without a closer look; -1 for any other.
std::int64_t plain_nanoseconds(PyObject* value, std::int64_t per_second) {
    constexpr std::int64_t second = 1'000'000'000;
    constexpr double certain = 562'949'953'421'312.0;  // 2**49
    if (PyFloat_CheckExact(value)) {
        const double product = PyFloat_AS_DOUBLE(value) * static_cast<double>(second / per_second);
        if (!(product >= 0 && product < certain)) return -1;
        const double whole = std::nearbyint(product);
        return std::abs(product - whole) < 0.25 ? static_cast<std::int64_t>(whole) : -1;
    }
    if (PyLong_CheckExact(value)) {
        int overflow = 0;
        const std::int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow);
        const bool is_near = overflow == 0 && number >= 0 && number <= second * per_second;
        return is_near ? number * (second / per_second) : -1;
    }
    if (per_second == 1 && PyUnicode_CheckExact(value) && PyUnicode_IS_ASCII(value)) {
        const auto* const signs = static_cast<const char*>(PyUnicode_DATA(value));
        return plain_time({signs, static_cast<std::size_t>(PyUnicode_GET_LENGTH(value))});
    }
    return -1;
}

// The nanoseconds of numbers, None as None; None for all if one wants a closer look.
py::object plain_nanoseconds_of(const py::list& values, std::int64_t per_second) {
    py::list times(values.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
        PyObject* const value = PyList_GET_ITEM(values.ptr(), static_cast<py::ssize_t>(at));
        if (value == Py_None) {
            times[at] = py::none();
            continue;
        }
        const std::int64_t time = plain_nanoseconds(value, per_second);
        if (time < 0) return py::none();
        times[at] = py::int_(time);
    }
    return std::move(times);
}

// Of each object of a list the first of some members that is there, or None; None for all if one is no object.
py::object members_named(const py::list& values, const py::tuple& names) {
    py::list column(values.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
        PyObject* const value = PyList_GET_ITEM(values.ptr(), static_cast<py::ssize_t>(at));
        if (!PyDict_CheckExact(value)) return py::none();
        PyObject* member = Py_None;
        for (const auto name : names) {
            PyObject* const other = PyDict_GetItemWithError(value, name.ptr());
            if (other == nullptr && PyErr_Occurred() != nullptr) throw py::error_already_set();
            if (other != nullptr) member = other;
            if (member != Py_None) break;
        }
        column[at] = py::reinterpret_borrow<py::object>(member);
    }
    return std::move(column);
}

// Where the elements begin of the list that begins at a position of a valid text.
template <typename Sign>
py::list starts_in(const Sign* signs, py::ssize_t at, py::ssize_t size) {
    py::list starts;
    int depth = 0;
    bool is_before = true;
    for (++at; at < size; ++at) {
        const Sign sign = signs[at];
        if (sign == ' ' || sign == '\n' || sign == '\t' || sign == '\r') continue;
        if (depth == 0 && sign == ']') break;
        if (is_before) starts.append(at);
        is_before = depth == 0 && sign == ',';
        depth += sign == '[' || sign == '{';
        depth -= sign == ']' || sign == '}';
        if (sign != '"') continue;
        for (++at; at < size && signs[at] != '"'; ++at) at += signs[at] == '\\';
    }
    return starts;
}

py::list element_starts(const py::str& text, py::ssize_t position) {
    const py::ssize_t size = PyUnicode_GET_LENGTH(text.ptr());
    const void* const signs = PyUnicode_DATA(text.ptr());
    switch (PyUnicode_KIND(text.ptr())) {
        case PyUnicode_1BYTE_KIND: return starts_in(static_cast<const Py_UCS1*>(signs), position, size);
        case PyUnicode_2BYTE_KIND: return starts_in(static_cast<const Py_UCS2*>(signs), position, size);
        default: return starts_in(static_cast<const Py_UCS4*>(signs), position, size);
    }
}

}  // namespace

void add_json(py::module_& module) {
    module.def("is_plain", is_plain);
    module.def("element_starts", element_starts);
    module.def("members_named", members_named);
    module.def("plain_nanoseconds_of", plain_nanoseconds_of);
}
