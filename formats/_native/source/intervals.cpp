// The intervals of a TextGrid; formats/annotation/textgrid_parser.py has the same as a pattern.
#include <array>
#include <string_view>

#include "parts.hpp"

namespace {

// One interval after the other, of a text of characters of one width.
template <typename Char>
class Intervals {
public:
    Intervals(const Char* text, std::size_t size, std::size_t at, std::size_t line)
        : text_(text), size_(size), at_(at), line_(line) {}

    // Columns of at most so many, and where the last of them begins and ends; none where a time wants
    // a closer look.
    py::object taken(const py::str& whole, std::size_t most) {
        py::list begins, ends, texts, lines;
        std::size_t first = at_;
        std::size_t last = at_;
        for (; most > 0 && next(); --most) {
            const std::int64_t begin = time(begin_);
            const std::int64_t end = time(end_);
            if (begin < 0 || end < begin) return py::none();
            begins.append(begin);
            ends.append(end);
            texts.append(py::reinterpret_steal<py::object>(PyUnicode_Substring(
                whole.ptr(), static_cast<py::ssize_t>(label_), static_cast<py::ssize_t>(at_) - 1)));
            lines.append(line_of_begin_);
            first = begin_.at;
            last = at_;
        }
        return py::make_tuple(begins, ends, texts, lines, first, last);
    }

private:
    struct Token {
        std::size_t at = 0, size = 0;
    };

    bool next() {
        pass_blanks();
        if (takes("intervals [")) {
            const std::size_t digits = at_;
            while (at_ < size_ && is_digit(text_[at_])) ++at_;
            if (at_ == digits || !takes("]")) return false;
            takes(":");
            if (!pass_blanks() || !takes("xmin = ")) return false;
        }
        line_of_begin_ = line_;
        if (!number(begin_) || !pass_blanks()) return false;
        takes("xmax = ");
        if (!number(end_) || !pass_blanks()) return false;
        takes("text = ");
        if (!takes("\"")) return false;
        for (label_ = at_; at_ < size_; ++at_) {
            line_ += text_[at_] == '\n';
            if (text_[at_] != '"') continue;
            if (++at_ == size_ || is_blank(text_[at_])) return true;
            if (text_[at_] != '"') return false;
        }
        return false;
    }

    static bool is_blank(Char sign) { return sign == ' ' || (sign >= '\t' && sign <= '\r'); }
    static bool is_digit(Char sign) { return sign >= '0' && sign <= '9'; }

    bool pass_blanks() {
        const std::size_t begin = at_;
        for (; at_ < size_ && is_blank(text_[at_]); ++at_) line_ += text_[at_] == '\n';
        return at_ > begin;
    }

    bool takes(std::string_view signs) {
        if (size_ - at_ < signs.size()) return false;
        for (std::size_t sign = 0; sign < signs.size(); ++sign) {
            if (text_[at_ + sign] != static_cast<Char>(signs[sign])) return false;
        }
        at_ += signs.size();
        return true;
    }

    bool number(Token& token) {
        token.at = at_;
        if (at_ == size_ || !is_digit(text_[at_])) return false;
        while (at_ < size_ && !is_blank(text_[at_])) ++at_;
        token.size = at_ - token.at;
        return true;
    }

    std::int64_t time(const Token& token) const {
        std::array<char, 20> signs{};
        if (token.size > signs.size()) return -1;
        for (std::size_t sign = 0; sign < token.size; ++sign) {
            const Char found = text_[token.at + sign];
            signs[sign] = found < 128 ? static_cast<char>(found) : '?';
        }
        return plain_time({signs.data(), token.size});
    }

    const Char* text_;
    std::size_t size_, at_, line_, line_of_begin_ = 0, label_ = 0;
    Token begin_, end_;
};

py::object intervals(const py::str& text, std::size_t at, std::size_t line, std::size_t most) {
    const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr()));
    if (at > size) return py::none();
    switch (PyUnicode_KIND(text.ptr())) {
        case PyUnicode_1BYTE_KIND:
            return Intervals(PyUnicode_1BYTE_DATA(text.ptr()), size, at, line).taken(text, most);
        case PyUnicode_2BYTE_KIND:
            return Intervals(PyUnicode_2BYTE_DATA(text.ptr()), size, at, line).taken(text, most);
        default:
            return Intervals(PyUnicode_4BYTE_DATA(text.ptr()), size, at, line).taken(text, most);
    }
}

}  // namespace

void add_intervals(py::module_& module) { module.def("intervals", intervals); }
