// JSON that has been decoded, seen again as text: formats/json/scanning.py has the same in plain Python.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "parts.hpp"

namespace {

// Meanings of a byte outside of texts.
enum Sign : std::uint8_t { other, quote, colon, opening, closing };

constexpr std::array<Sign, 256> kSigns = [] {
    std::array<Sign, 256> signs{};
    signs['"'] = quote;
    signs[':'] = colon;
    signs['['] = signs['{'] = opening;
    signs[']'] = signs['}'] = closing;
    return signs;
}();

// Stands for the number of members of values that are nested too deep.
constexpr std::size_t kTooDeep = ~std::size_t{0};

// The number of members that the objects of some values have together.
std::size_t members_of(const py::list& values, std::size_t deepest) {
    struct Nested {
        PyObject* value;
        std::size_t depth;
    };
    std::size_t members = 0;
    std::vector<Nested> waiting{{values.ptr(), 0}};
    while (!waiting.empty()) {
        const auto [value, depth] = waiting.back();
        if (depth > deepest) return kTooDeep;
        waiting.pop_back();
        const auto look_at = [&waiting, within = depth + 1](PyObject* inner) {
            if (PyDict_CheckExact(inner) || PyList_CheckExact(inner)) waiting.push_back({inner, within});
        };
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

// The number of colons after a quote or a blank: all that stand outside of texts, and some within.
std::size_t likely_members(const char* at, const char* end) {
    constexpr std::ptrdiff_t block = 64;  // a fixed number of bytes, which compilers compare side by side
    const auto is_likely = [](const char* before) {
        return static_cast<unsigned char>((before[1] == ':') &
                                          ((before[0] == '"') | (static_cast<unsigned char>(before[0]) <= ' ')));
    };
    std::size_t count = 0;
    for (; end - at > block; at += block) {
        unsigned char within = 0;
        for (std::ptrdiff_t place = 0; place < block; ++place) {
            within = static_cast<unsigned char>(within + is_likely(at + place));
        }
        count += within;
    }
    for (; end - at > 1; ++at) count += is_likely(at);
    return count;
}

// The number of colons outside of texts.
std::size_t certain_members(const char* at, const char* end) {
    std::size_t count = 0;
    for (; at < end; ++at) {
        if (*at == '"') {
            for (++at; at < end && *at != '"'; ++at) at += *at == '\\';
        } else {
            count += *at == ':';
        }
    }
    return count;
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
    const std::size_t members = members_of(values, deepest);
    if (members == kTooDeep) return false;
    // the values never have more members than the text has colons outside of texts
    return members == likely_members(begin, begin + size) || members == certain_members(begin, begin + size);
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

// The first of some members of an object that is there, or None.
PyObject* member_named(PyObject* object, const py::tuple& names) {
    for (const auto name : names) {
        PyObject* const member = PyDict_GetItemWithError(object, name.ptr());
        if (member == nullptr && PyErr_Occurred() != nullptr) throw py::error_already_set();
        if (member != nullptr && member != Py_None) return member;
    }
    return Py_None;
}

// The first of some members that each object of a list has, or None; None for all if one is no object.
py::object members_named(const py::list& values, const py::tuple& names) {
    py::list column(values.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
        PyObject* const value = PyList_GET_ITEM(values.ptr(), static_cast<py::ssize_t>(at));
        if (!PyDict_CheckExact(value)) return py::none();
        column[at] = py::reinterpret_borrow<py::object>(member_named(value, names));
    }
    return std::move(column);
}

// Texts, starts, ends and confidences of the words of a list, whose members have these names; None if one word has
// no text, a time that wants a closer look or breaks the rule of formats.schema.model, or another confidence than
// a finite number with a point.
py::object plain_words_of(const py::list& values, const py::tuple& texts, const py::tuple& starts,
                          const py::tuple& ends, const py::tuple& confidences, std::int64_t per_second) {
    const std::size_t size = values.size();
    py::list text_column(size);
    py::tuple start_column(size), end_column(size), confidence_column(size);
    for (std::size_t at = 0; at < size; ++at) {
        const py::object word = values[at];
        if (!PyDict_CheckExact(word.ptr())) return py::none();
        PyObject* const text = member_named(word.ptr(), texts);
        PyObject* const start = member_named(word.ptr(), starts);
        PyObject* const end = member_named(word.ptr(), ends);
        PyObject* const confidence = member_named(word.ptr(), confidences);
        const bool has_start = start != Py_None, has_end = end != Py_None;
        const std::int64_t first = has_start ? plain_nanoseconds(start, per_second) : 0;
        const std::int64_t last = has_end ? plain_nanoseconds(end, per_second) : first;
        if (!PyUnicode_CheckExact(text) || first < 0 || last < first) return py::none();
        const bool is_sure = PyFloat_CheckExact(confidence) && std::isfinite(PyFloat_AS_DOUBLE(confidence));
        if (!is_sure && confidence != Py_None) return py::none();
        text_column[at] = py::reinterpret_borrow<py::object>(text);
        start_column[at] = has_start ? py::object(py::int_(first)) : py::none();
        end_column[at] = has_end ? py::object(py::int_(last)) : py::none();
        confidence_column[at] = py::reinterpret_borrow<py::object>(confidence);
    }
    return py::make_tuple(text_column, start_column, end_column, confidence_column);
}

// Calls a function with the characters of a text and their number.
template <typename Function>
auto with_characters(const py::str& text, Function function) {
    const py::ssize_t size = PyUnicode_GET_LENGTH(text.ptr());
    const void* const signs = PyUnicode_DATA(text.ptr());
    switch (PyUnicode_KIND(text.ptr())) {
        case PyUnicode_1BYTE_KIND: return function(static_cast<const Py_UCS1*>(signs), size);
        case PyUnicode_2BYTE_KIND: return function(static_cast<const Py_UCS2*>(signs), size);
        default: return function(static_cast<const Py_UCS4*>(signs), size);
    }
}

// Places of the elements of the list that begins at a position of a valid text.
py::list element_starts(const py::str& text, py::ssize_t position) {
    return with_characters(text, [position](const auto* signs, py::ssize_t size) {
        py::list starts;
        int depth = 0;
        bool is_before = true;
        for (py::ssize_t at = position + 1; at < size; ++at) {
            const auto sign = signs[at];
            const Sign kind = sign < 128 ? kSigns[static_cast<std::size_t>(sign)] : other;
            if (depth > 0 && kind == other) continue;
            if (sign == ' ' || sign == '\n' || sign == '\t' || sign == '\r') continue;
            if (depth == 0 && sign == ']') break;
            if (is_before) starts.append(at);
            is_before = depth == 0 && sign == ',';
            depth += kind == opening;
            depth -= kind == closing;
            if (kind != quote) continue;
            for (++at; at < size && signs[at] != '"'; ++at) at += signs[at] == '\\';
        }
        return starts;
    });
}

// The lines of ascending positions in a text, the first of which is in this line; none where it is not sure that
// they ascend.
py::object lines_at(const py::str& text, const py::list& starts, std::int64_t line) {
    return with_characters(text, [&starts, line](const auto* signs, py::ssize_t size) -> py::object {
        py::list lines(starts.size());
        std::int64_t number = line;
        py::ssize_t before = 0;
        for (std::size_t at = 0; at < starts.size(); ++at) {
            PyObject* const value = PyList_GET_ITEM(starts.ptr(), static_cast<py::ssize_t>(at));
            const py::ssize_t start = PyLong_CheckExact(value) ? PyLong_AsSsize_t(value) : -1;
            if (start < before || start > size) {
                PyErr_Clear();
                return py::none();
            }
            number += std::count(signs + before, signs + start, '\n');
            before = start;
            lines[at] = py::int_(number);
        }
        return std::move(lines);
    });
}

}  // namespace

void add_json(py::module_& module) {
    module.def("is_plain", is_plain);
    module.def("element_starts", element_starts);
    module.def("lines_at", lines_at);
    module.def("members_named", members_named);
    module.def("plain_nanoseconds_of", plain_nanoseconds_of);
    module.def("plain_words_of", plain_words_of);
}
