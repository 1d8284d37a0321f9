// JSON that has been decoded, seen again as text: formats/json/scanning.py has the same in plain Python.
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

// Whether no name occurs twice in an object, and nothing is nested deeper than that: the values have as many
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

}  // namespace

void add_json(py::module_& module) { module.def("is_plain", is_plain); }
