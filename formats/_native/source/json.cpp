// JSON that has been decoded, seen again as text: formats/json/parsing.py has the same in plain
// Python; and times of many records, which formats/json/record.py makes one by one.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "parts.hpp"

namespace {

enum Sign : std::uint8_t { other, line_end, quote, opening, closing, colon, comma };

// Goes through a text of JSON, which is right: others end early, and never beyond their end.
class Text {
public:
    // An empty one for what has no UTF-8.
    explicit Text(const py::str& text, std::size_t place = 0, std::size_t first = 1) : line(first) {
        py::ssize_t size = 0;
        begin_ = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (begin_ == nullptr) PyErr_Clear();
        end_ = begin_ + (begin_ == nullptr ? 0 : size);
        at_ = begin_ + std::min(place, static_cast<std::size_t>(end_ - begin_));
    }

    std::size_t line;

    std::size_t place() const { return static_cast<std::size_t>(at_ - begin_); }

    // The sign that comes next, after which it goes on; `other` at the end.
    Sign next() {
        for (; at_ < end_; ++at_) {
            const Sign sign = sign_of(*at_);
            if (sign == other) continue;
            if (sign == line_end) {
                ++line;
                continue;
            }
            const char* const begin = ++at_;
            if (sign == quote) {
                end_text();
                last_ = {begin, static_cast<std::size_t>(at_ - begin) - (at_ > begin)};
            }
            return sign;
        }
        return other;
    }

    // To the beginning of a value or the end of the list or object that it would be in.
    bool stands_at_value() {
        for (; at_ < end_ && std::string_view(" \t\r\n").find(*at_) != std::string_view::npos; ++at_) {
            line += *at_ == '\n';
        }
        return at_ < end_ && sign_of(*at_) != closing;
    }

    // Into the list or object that begins here with such a bracket.
    bool opens(char bracket) {
        const bool is_there = stands_at_value() && *at_ == bracket;
        at_ += is_there;
        return is_there;
    }

    // Over the value here to what stands after it, a comma or a closing bracket.
    Sign pass_value() {
        for (std::size_t depth = 0;;) {
            const Sign sign = next();
            if (sign == other || (depth == 0 && (sign == comma || sign == closing))) return sign;
            depth += sign == opening;
            depth -= sign == closing;
        }
    }

    // To the value of the member here; what it is called, or nothing where there is none.
    py::object enter_member() {
        if (!stands_at_value() || next() != quote) return {};
        const std::string name(last_);
        if (next() != colon || !stands_at_value()) return {};
        if (name.find('\\') == name.npos) return py::str(name);
        return py::module_::import("json").attr("loads")("\"" + name + "\"");
    }

private:
    static Sign sign_of(char byte) {
        static const std::array<Sign, 256> signs = [] {
            std::array<Sign, 256> made{};
            const std::pair<const char*, Sign> known[] = {
                {"\n", line_end}, {"\"", quote}, {"[{", opening}, {"]}", closing}, {":", colon}, {",", comma}};
            for (const auto& [bytes, sign] : known) {
                for (const char one : std::string_view(bytes)) made[static_cast<unsigned char>(one)] = sign;
            }
            return made;
        }();
        return signs[static_cast<unsigned char>(byte)];
    }

    void end_text() {
        while (at_ < end_ && *at_ != '"') at_ += *at_ == '\\' && at_ + 1 < end_ ? 2 : 1;
        if (at_ < end_) ++at_;
    }

    const char* begin_ = nullptr;
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    std::string_view last_;  // what stands between the last quotation marks
};

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

bool is_plain(const py::str& text, const py::list& values, std::size_t deepest) {
    Text signs(text);
    std::size_t members = 0;
    std::size_t depth = 0;
    for (Sign sign = signs.next(); sign != other; sign = signs.next()) {
        members += sign == colon;
        depth -= sign == closing;
        depth += sign == opening;
        if (depth > deepest) return false;
    }
    return members == members_of(values);
}

// What stands in a list or an object of a text, looked for from where it was found last.
class Inside {
public:
    Inside(py::str text, std::size_t place, std::size_t line)
        : text_(std::move(text)), begin_(text_, place, line), signs_(begin_) {}

    // Where a member or an element begins, and in which line; none if there is none.
    py::object find(const py::object& step) {
        const auto is_found = [this, &step] { return step_ && step_.equal(step); };
        for (int turn = 0; turn < 2; ++turn) {
            while (!is_found() && goes_on(py::isinstance<py::str>(step))) {}
            if (is_found()) return py::make_tuple(signs_.place(), signs_.line);
        }
        return py::none();
    }

    // The lines that all elements begin in; none if this is no list.
    py::object lines() {
        Text signs(begin_);
        if (!signs.opens('[')) return py::none();
        py::list lines;
        while (signs.stands_at_value()) {
            lines.append(signs.line);
            if (signs.pass_value() != comma) break;
        }
        return lines;
    }

private:
    // To the next member or element, or to the first one after the end was reached.
    bool goes_on(bool is_object) {
        const bool is_first = !step_;
        if (is_first) signs_ = begin_;
        const bool is_there = is_first ? signs_.opens(is_object ? '{' : '[') : signs_.pass_value() == comma;
        py::object next;
        if (is_there && is_object) {
            next = signs_.enter_member();
        } else if (is_there && signs_.stands_at_value()) {
            next = py::int_(is_first ? 0 : step_.cast<std::size_t>() + 1);
        }
        step_ = next;
        return static_cast<bool>(step_);
    }

    py::str text_;
    Text begin_, signs_;
    py::object step_;
};

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr double kCertain = 562949953421312.0;  // CERTAIN of formats/json/record.py

// The time of a number of units or a text of seconds in nanoseconds; -1 where it wants a closer look.
std::int64_t time_of(PyObject* number, std::int64_t unit) {
    double product = -1;
    if (PyFloat_CheckExact(number)) {
        product = PyFloat_AS_DOUBLE(number) * static_cast<double>(unit);
    } else if (PyLong_CheckExact(number)) {
        int overflow = 0;
        const long long whole = PyLong_AsLongLongAndOverflow(number, &overflow);
        if (overflow == 0) product = static_cast<double>(whole) * static_cast<double>(unit);
    } else if (PyUnicode_CheckExact(number) && PyUnicode_IS_COMPACT_ASCII(number) && unit == kSecond) {
        const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(number));
        return plain_time({reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(number)), size});
    }
    if (!(product >= 0 && product < kCertain)) return -1;
    const double whole = std::nearbyint(product);
    return std::fabs(product - whole) < 0.25 ? static_cast<std::int64_t>(whole) : -1;
}

py::object spans(const py::list& starts, const py::list& ends, std::int64_t per_second) {
    if (starts.size() != ends.size()) throw py::value_error("columns differ in length");
    const std::int64_t unit = kSecond / per_second;
    std::array<py::list, 2> made{py::list(starts.size()), py::list(ends.size())};
    for (py::ssize_t row = 0; row < PyList_GET_SIZE(starts.ptr()); ++row) {
        std::int64_t before = 0;
        for (const auto& [given, times] : {std::pair(&starts, &made[0]), std::pair(&ends, &made[1])}) {
            PyObject* const number = PyList_GET_ITEM(given->ptr(), row);
            py::object time = py::none();
            if (number != Py_None) {
                const std::int64_t whole = time_of(number, unit);
                if (whole < before) return py::none();
                before = whole;
                time = py::int_(whole);
            }
            PyList_SET_ITEM(times->ptr(), row, time.release().ptr());
        }
    }
    return py::make_tuple(made[0], made[1]);
}

// Times of many numbers, where there is none none; none at all where one wants a closer look.
py::object times(const py::list& numbers, std::int64_t per_second) {
    py::list made(numbers.size());
    for (py::ssize_t row = 0; row < PyList_GET_SIZE(numbers.ptr()); ++row) {
        PyObject* const number = PyList_GET_ITEM(numbers.ptr(), row);
        const std::int64_t whole = number == Py_None ? 0 : time_of(number, kSecond / per_second);
        if (whole < 0) return py::none();
        py::object time = py::none();
        if (number != Py_None) time = py::int_(whole);
        PyList_SET_ITEM(made.ptr(), row, time.release().ptr());
    }
    return made;
}

}  // namespace

void add_json(py::module_& module) {
    module.def("is_plain", is_plain);
    py::class_<Inside>(module, "Inside")
        .def(py::init<py::str, std::size_t, std::size_t>())
        .def("find", &Inside::find)
        .def("lines", &Inside::lines);
    module.def("spans", spans);
    module.def("times", times);
}
