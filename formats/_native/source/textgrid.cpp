// Plain intervals of a TextGrid; formats/annotation/textgrid_parser.py reads all others, token by token.
#include <array>

#include "parts.hpp"

namespace {

bool is_blank(Py_UCS4 sign) { return sign == ' ' || (sign >= '\t' && sign <= '\r'); }
bool is_digit(Py_UCS4 sign) { return sign >= '0' && sign <= '9'; }

// A text in Praat's grammar from a position on, whose characters have one, two or four bytes each.
template <typename Sign>
class Tokens {
   public:
    Tokens(const py::str& text, py::ssize_t first, py::ssize_t first_line)
        : text_(text.ptr()), signs_(static_cast<const Sign*>(PyUnicode_DATA(text.ptr()))),
          size_(PyUnicode_GET_LENGTH(text.ptr())), position(first), line(first_line) {}

    // Moves to the next number or string; false if something else comes first.
    bool reach() {
        for (;;) {
            for (; position < size_ && is_blank(signs_[position]); ++position) line += signs_[position] == '\n';
            if (position == size_) return false;
            const Sign sign = signs_[position];
            if (is_digit(sign) || sign == '"') return true;
            if (sign == '<' || sign == '!' || sign == '+' || sign == '-') return false;
            while (position < size_ && !is_blank(signs_[position])) ++position;
        }
    }

    // The nanoseconds of the next number; -1 if it is none, or no plain one.
    std::int64_t time() {
        if (!reach()) return -1;
        std::array<char, 24> digits{};
        std::size_t count = 0;
        for (; position < size_ && !is_blank(signs_[position]); ++position) {
            if (count == digits.size() || signs_[position] > 127) return -1;
            digits[count++] = static_cast<char>(signs_[position]);
        }
        return plain_time({digits.data(), count});
    }

    // The next string; nothing if it is none, or has no end.
    py::object text() {
        if (!reach() || signs_[position] != '"') return {};
        const py::ssize_t begin = ++position;
        bool has_marks = false;
        for (; position < size_; ++position) {
            line += signs_[position] == '\n';
            if (signs_[position] != '"') continue;
            if (position + 1 == size_ || signs_[position + 1] != '"') break;
            has_marks = true;
            ++position;
        }
        if (position == size_) return {};
        const py::ssize_t end = position++;
        if (position < size_ && !is_blank(signs_[position])) return {};
        auto found = py::reinterpret_steal<py::object>(PyUnicode_Substring(text_, begin, end));
        if (found && has_marks) found = found.attr("replace")("\"\"", "\"");
        if (!found) throw py::error_already_set();
        return found;
    }

   private:
    PyObject* text_;
    const Sign* signs_;
    py::ssize_t size_;

   public:
    py::ssize_t position;
    py::ssize_t line;
};

template <typename Sign>
py::tuple intervals_of(const py::str& text, py::ssize_t position, py::ssize_t line, py::ssize_t most) {
    py::list starts, ends, texts, lines;
    Tokens<Sign> tokens(text, position, line);
    while (most-- > 0) {
        const std::int64_t start = tokens.time();
        const py::ssize_t begin = tokens.line;
        const std::int64_t end = start < 0 ? -1 : tokens.time();
        if (end < start || start < 0) break;
        py::object label = tokens.text();
        if (!label) break;
        starts.append(py::int_(start));
        ends.append(py::int_(end));
        texts.append(std::move(label));
        lines.append(py::int_(begin));
        position = tokens.position;
        line = tokens.line;
    }
    return py::make_tuple(starts, ends, texts, lines, position, line);
}

// The plain intervals that follow a position, at most `most`: columns of begins, ends, texts and lines, and
// the position and the line after the last.
py::tuple plain_intervals(const py::str& text, py::ssize_t position, py::ssize_t line, py::ssize_t most) {
    switch (PyUnicode_KIND(text.ptr())) {
        case PyUnicode_1BYTE_KIND: return intervals_of<Py_UCS1>(text, position, line, most);
        case PyUnicode_2BYTE_KIND: return intervals_of<Py_UCS2>(text, position, line, most);
        default: return intervals_of<Py_UCS4>(text, position, line, most);
    }
}

}  // namespace

void add_textgrid(py::module_& module) { module.def("plain_intervals", plain_intervals); }
