// Records of text cut into columns; formats/reading/columns.py has the same in plain Python.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../../scoring/_native/source/common/names_of_types.hpp"
#include "parts.hpp"

namespace {

enum Kind : unsigned { ordinary = 0, ends_field = 1, odd = 2, maybe_odd = 4, not_ascii = 8 };

constexpr std::array<std::int64_t, 10> kUnits{1'000'000'000, 100'000'000, 10'000'000, 1'000'000,
                                              100'000,       10'000,      1'000,      100,
                                              10,            1};

// True if a blank beyond ASCII begins here, at which other programs cut and we do not.
bool is_unicode_blank(std::string_view rest) {
    static constexpr std::array<std::string_view, 8> blanks{
        "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\xA8",
        "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};
    const auto begins = [rest](std::string_view one) { return rest.substr(0, one.size()) == one; };
    return std::any_of(blanks.begin(), blanks.end(), begins) ||
           (begins("\xE2\x80") && rest.size() > 2 && static_cast<unsigned char>(rest[2]) <= 0x8A);
}

// The number of bytes before a blank or a control character among eight bytes.
int bytes_to_blank(const char* bytes) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes, 8);
    const std::uint64_t low = (eight - 0x2121212121212121ULL) & ~eight & 0x8080808080808080ULL;
    return low == 0 ? 8 : __builtin_ctzll(low) / 8;
#else
    const auto is_low = [](char byte) { return static_cast<unsigned char>(byte) <= ' '; };
    return static_cast<int>(std::find_if(bytes, bytes + 8, is_low) - bytes);
#endif
}

py::object made(std::string_view text) {
    PyObject* const fresh =
        PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), nullptr);
    if (fresh == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(fresh);
}

py::object made_of_ascii(std::string_view text) {
    PyObject* const fresh = PyUnicode_New(static_cast<py::ssize_t>(text.size()), 127);
    if (fresh == nullptr) throw py::error_already_set();
    std::memcpy(PyUnicode_1BYTE_DATA(fresh), text.data(), text.size());
    return py::reinterpret_steal<py::object>(fresh);
}

// The words of a text, which blanks of ASCII cut; none where it has no UTF-8.
py::object split_words(const py::str& text) {
    py::ssize_t size = 0;
    const char* at = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (at == nullptr) {
        PyErr_Clear();
        return py::none();
    }
    const char* const end = at + size;
    const auto cuts = [](char byte) {
        return byte <= ' ' && (byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f');
    };
    const bool is_ascii = PyUnicode_IS_ASCII(text.ptr());
    py::list words;
    while ((at = std::find_if_not(at, end, cuts)) != end) {
        const char* const begin = at;
        at = std::find_if(at, end, cuts);
        const std::string_view word(begin, static_cast<std::size_t>(at - begin));
        words.append(is_ascii && word.size() > 1 ? made_of_ascii(word) : made(word));
    }
    return words;
}

// The number of a text from 0 to 1, as JSON writes it, rounded as Python rounds it; nothing for any other text.
py::object plain_confidence(std::string_view text) {
    constexpr std::array<double, 16> powers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    constexpr std::size_t longest = 40;
    if (text.empty() || text.size() > longest || text[0] < '0' || text[0] > '9') return {};
    double number = text[0] - '0';
    if (text.size() > 1) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", 2), text.size());
        if (text[1] == '.' ? end == 2 : text[1] != 'e' && text[1] != 'E') return {};
        if (end == text.size() && text[1] == '.' && end - 2 < powers.size() - 1) {
            // Whole numbers below 2**53 and these powers of ten are exact: one division rounds once.
            double digits = number;
            for (const char digit : text.substr(2)) digits = digits * 10 + (digit - '0');
            number = digits / powers[end - 2];
        } else {
            std::array<char, longest + 1> signs{};
            std::copy(text.begin(), text.end(), signs.begin());
            char* stop = nullptr;
            number = PyOS_string_to_double(signs.data(), &stop, nullptr);
            if (number == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
            if (stop != signs.data() + text.size()) return {};
        }
    }
    return number <= 1 ? py::object(py::float_(number)) : py::object();
}

// Cuts records; short texts that were there a while ago are the objects that they were then.
class Cutter {
public:
    Cutter(const std::string& comments, const std::string& signs, std::vector<std::string> marks)
        : marks_(std::move(marks)), texts_(std::size_t{1} << kBits) {
        for (std::size_t byte = 128; byte < kinds_.size(); ++byte) kinds_[byte] = not_ascii;
        for (const char byte : std::string_view("\xC2\xE1\xE2\xE3")) kind_of(byte) |= maybe_odd;
        for (const char byte : std::string_view("\0\v\f\r\x1c\x1d\x1e\x1f", 8)) kind_of(byte) = odd;
        for (const char byte : signs) kind_of(byte) |= odd;
        // the NUL behind a text is met before its end is asked for
        for (const char byte : std::string_view(" \t\n\0", 4)) kind_of(byte) |= ends_field;
        for (const char byte : comments) is_comment_[static_cast<unsigned char>(byte)] = true;
        for (const std::string& mark : marks_) shortest_ = std::min(shortest_, mark.size());
    }
    ~Cutter() {
        for (const Known& known : texts_) Py_XDECREF(known.text);
    }
    Cutter(const Cutter&) = delete;
    Cutter& operator=(const Cutter&) = delete;

    py::object cut(const py::str& text, const std::string& kinds) {
        // Python's collector may call others in the middle of our work: these read line by line
        if (is_at_work_) return py::none();
        struct AtWork {
            bool& is;
            explicit AtWork(bool& flag) : is(flag) { is = true; }
            ~AtWork() { is = false; }
        } const at_work(is_at_work_);
        py::ssize_t size = 0;
        const char* const begin = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (begin == nullptr) {
            if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw py::error_already_set();
            PyErr_Clear();
            return py::none();
        }
        at_ = begin;
        end_ = begin + size;
        id_ = {};
        if (is_odd()) return py::none();
        py::ssize_t rows = 1;
        const std::string_view whole(begin, static_cast<std::size_t>(size));
        for (std::size_t at = 0; (at = whole.find('\n', at)) != whole.npos; ++at) ++rows;
        const bool has_ids = kinds.find('i') != kinds.npos;
        if (has_ids && (std::count(begin, end_, '(') != rows || std::count(begin, end_, ')') != rows)) {
            return py::none();
        }
        std::vector<py::list> columns;
        for (std::size_t field = 0; field < kinds.size(); ++field) columns.emplace_back(rows);
        std::vector<std::string_view> above(kinds.size());
        for (py::ssize_t row = 0; row < rows; ++row) {
            if (at_ == end_ || is_comment_[static_cast<unsigned char>(*at_)]) return py::none();
            for (std::size_t field = 0; field < kinds.size(); ++field) {
                py::list& column = columns[field];
                py::object value;
                std::string_view found;
                if (kinds[field] == 'w') {
                    value = words(has_ids);
                } else if (kinds[field] == 'i') {
                    value = fresh(id_);
                } else if (found = kinds[field] == 'p' ? part_of_id() : next_field(); found.empty()) {
                    return py::none();
                } else if (kinds[field] == 't') {
                    const std::int64_t time = plain_time(found);
                    if (time >= 0) value = py::int_(time);
                } else if (kinds[field] == 'c') {
                    value = plain_confidence(found);
                } else if (found == above[field]) {
                    value = py::reinterpret_borrow<py::object>(PyList_GET_ITEM(column.ptr(), row - 1));
                } else {
                    value = text_of(Key(found));
                    above[field] = found;
                }
                if (!value) return py::none();
                PyList_SET_ITEM(column.ptr(), row, value.release().ptr());
            }
            if (!next_field().empty()) return py::none();
            ++at_;
        }
        return py::cast(columns);
    }

private:
    static constexpr std::size_t kBits = 14, kLongest = 16;

    // The key of a text: its first and its last eight bytes identify a short one.
    struct Key {
        explicit Key(std::string_view found) : text(found) {
            if (text.size() >= 8) {
                std::memcpy(&first, text.data(), 8);
                std::memcpy(&last, text.data() + text.size() - 8, 8);
            } else if (text.size() >= 4) {
                std::uint32_t begin = 0, end = 0;
                std::memcpy(&begin, text.data(), 4);
                std::memcpy(&end, text.data() + text.size() - 4, 4);
                first = std::uint64_t{begin} << 32 | end;
            } else {
                for (const char byte : text) first = first << 8 | static_cast<unsigned char>(byte);
            }
            const std::uint64_t mixed = first ^ last * 0x9E3779B97F4A7C15ULL ^ text.size();
            place = mixed * 0xD6E8FEB86659FD93ULL >> (64 - kBits);
        }
        std::string_view text;
        std::uint64_t first = 0, last = 0, place = 0;
    };

    struct Known {
        PyObject* text = nullptr;
        std::uint64_t first = 0, last = 0;
        std::size_t size = 0;
    };

    unsigned& kind_of(char byte) { return kinds_[static_cast<unsigned char>(byte)]; }

    // True if the text has a sign or a blank that makes one of its lines irregular.
    bool is_odd() {
        unsigned kinds = ordinary;
        for (const char* at = at_; at < end_; ++at) kinds |= kind_of(*at);
        is_ascii_ = (kinds & not_ascii) == 0;
        if ((kinds & odd) != 0) return true;
        if ((kinds & maybe_odd) == 0) return false;
        for (const char* at = at_; at < end_; ++at) {
            const bool may_be = (kind_of(*at) & maybe_odd) != 0;
            if (may_be && is_unicode_blank({at, static_cast<std::size_t>(end_ - at)})) return true;
        }
        return false;
    }

    // The next field of the line; none at its end.
    std::string_view next_field() {
        while (*at_ == ' ' || *at_ == '\t') ++at_;
        const char* const begin = at_;
        const char* at = begin;
        while ((kind_of(*at) & ends_field) == 0) at += end_ - at < 8 ? 1 : std::max(1, bytes_to_blank(at));
        at_ = at;
        return {begin, static_cast<std::size_t>(at - begin)};
    }

    // The prefix of an identifier: the text before its first hyphen, or else its first underscore.
    std::string_view part_of_id() const {
        const std::size_t hyphen = id_.find('-');
        const std::size_t mark = hyphen == id_.npos ? id_.find('_') : hyphen;
        return mark == id_.npos ? std::string_view() : id_.substr(0, mark);
    }

    // The words up to the end of the line, or to the identifier there; nothing where one is marked.
    py::object words(bool ends_in_id) {
        words_.clear();
        for (std::string_view word = next_field(); !word.empty(); word = next_field()) {
            if (word.size() >= shortest_ && is_marked(word)) return {};
            words_.emplace_back(word);
#if defined(__GNUC__)
            __builtin_prefetch(&texts_[words_.back().place]);
#endif
        }
        if (ends_in_id) {
            if (words_.empty()) return {};
            const std::string_view last = words_.back().text;
            if (last.size() < 3 || last.front() != '(' || last.back() != ')') return {};
            id_ = last.substr(1, last.size() - 2);
            words_.pop_back();
        }
        py::tuple all(words_.size());
        for (std::size_t word = 0; word < words_.size(); ++word) {
            PyTuple_SET_ITEM(all.ptr(), static_cast<py::ssize_t>(word),
                             text_of(words_[word]).release().ptr());
        }
        // texts refer to nothing, which Python's collector would find out at its next run
        if (!words_.empty()) PyObject_GC_UnTrack(all.ptr());
        return all;
    }

    // True if a mark may be in it, in letters of either case: small ones beyond ASCII (a dotless I,
    // a long S) are of capitals within.
    bool is_marked(std::string_view word) const {
        std::string capitals(word);
        for (char& byte : capitals) {
            if (byte >= 'a' && byte <= 'z') byte = static_cast<char>(byte - 'a' + 'A');
        }
        const auto holds = [&capitals](std::string_view part) {
            return capitals.find(part) != capitals.npos;
        };
        return std::any_of(marks_.begin(), marks_.end(), holds) || holds("\xC4\xB1") || holds("\xC5\xBF");
    }

    py::object fresh(std::string_view text) const {
        return is_ascii_ && text.size() > 1 ? made_of_ascii(text) : made(text);
    }

    py::object text_of(const Key& key) {
        if (key.text.size() > kLongest) return fresh(key.text);
        Known& known = texts_[key.place];
        if (known.text == nullptr || known.size != key.text.size() || known.first != key.first ||
            known.last != key.last) {
            PyObject* const text = fresh(key.text).release().ptr();
            Py_XDECREF(known.text);
            known = {text, key.first, key.last, key.text.size()};
        }
        return py::reinterpret_borrow<py::object>(known.text);
    }

    const char* at_ = nullptr;
    const char* end_ = nullptr;
    std::string_view id_;
    std::array<unsigned, 256> kinds_{};
    std::array<bool, 256> is_comment_{};
    std::vector<std::string> marks_;
    std::size_t shortest_ = std::string::npos;
    std::vector<Known> texts_;
    std::vector<Key> words_;
    bool is_ascii_ = false;
    bool is_at_work_ = false;
};

}  // namespace

std::int64_t plain_time(std::string_view text) {
    const std::size_t whole = std::min(text.find('.'), text.size());
    const std::size_t decimals = whole == text.size() ? 0 : text.size() - whole - 1;
    const bool ends_in_point = whole < text.size() && decimals == 0;
    if (whole < 1 || whole > 9 || decimals > 9 || ends_in_point) return -1;
    std::int64_t value = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (at == whole) continue;
        if (text[at] < '0' || text[at] > '9') return -1;
        value = value * 10 + (text[at] - '0');
    }
    return value * kUnits[decimals];
}

namespace {

// The number that some digits are, as many as are asked for; -1 for anything else.
std::int64_t whole_number(std::string_view text, std::size_t least, std::size_t most) {
    if (text.size() < least || text.size() > most) return -1;
    std::int64_t value = 0;
    for (const char digit : text) {
        if (digit < '0' || digit > '9') return -1;
        value = value * 10 + (digit - '0');
    }
    return value;
}

// ``[hours:]minutes:seconds[.fraction]`` in nanoseconds; -1 for what wants a closer look.
std::int64_t plain_clock(std::string_view text) {
    const std::size_t last = text.rfind(':');
    if (last == text.npos || last == 0) return -1;
    const std::size_t first = text.rfind(':', last - 1);
    const bool has_hours = first != text.npos;
    const std::int64_t hours = has_hours ? whole_number(text.substr(0, first), 1, 6) : 0;
    const std::size_t minute = has_hours ? first + 1 : 0;
    const std::int64_t minutes = whole_number(text.substr(minute, last - minute), 1, 2);
    const std::int64_t seconds = whole_number(text.substr(last + 1, 2), 2, 2);
    if (hours < 0 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59) return -1;
    std::int64_t fraction = 0;
    if (text.size() > last + 3) {
        if (text[last + 3] != '.' && text[last + 3] != ',') return -1;
        const std::string_view decimals = text.substr(last + 4);
        fraction = whole_number(decimals, 1, 9);
        if (fraction < 0) return -1;
        fraction *= kUnits[decimals.size()];
    }
    return ((hours * 60 + minutes) * 60 + seconds) * 1'000'000'000 + fraction;
}

std::string_view ascii(const py::str& text) {
    if (!PyUnicode_IS_COMPACT_ASCII(text.ptr())) return {};
    return {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(text.ptr())),
            static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr()))};
}

// The begin and the end in the usual timing line of a cue; none where it is another.
py::object plain_span(const py::str& line, const py::str& point) {
    const std::string_view signs = ascii(line), mark = ascii(point);
    if (signs.size() != 29 || signs.substr(12, 5) != " --> " || mark.size() != 1) return py::none();
    if (signs[8] != mark[0] || signs[25] != mark[0]) return py::none();
    const std::int64_t start = plain_clock(signs.substr(0, 12)), end = plain_clock(signs.substr(17));
    if (start < 0 || end < start) return py::none();
    return py::make_tuple(start, end);
}

// A time of formats.schema.model in nanoseconds, `none` where there is none; -1 for all that breaks the rule of formats.schema.model.
std::int64_t time_or(PyObject* value, std::int64_t none) {
    if (value == Py_None) return none;
    if (!PyLong_CheckExact(value)) return -1;
    int overflow = 0;
    const std::int64_t time = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow != 0 || time < 0 ? -1 : time;
}

// True if no begin and end in two columns breaks the rule of formats.schema.model.
bool are_times_in_order(const py::object& starts, const py::object& ends) {
    const bool has_starts = PyTuple_CheckExact(starts.ptr()), has_ends = PyTuple_CheckExact(ends.ptr());
    const py::ssize_t size = has_starts ? PyTuple_GET_SIZE(starts.ptr()) : has_ends ? PyTuple_GET_SIZE(ends.ptr()) : 0;
    if (has_starts && has_ends && PyTuple_GET_SIZE(ends.ptr()) != size) return false;
    constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
    for (py::ssize_t at = 0; at < size; ++at) {
        const std::int64_t start = has_starts ? time_or(PyTuple_GET_ITEM(starts.ptr(), at), 0) : 0;
        const std::int64_t end = has_ends ? time_or(PyTuple_GET_ITEM(ends.ptr(), at), latest) : latest;
        if (start < 0 || end < start) return false;
    }
    return true;
}

// True if each span begins at the end of the one before it, or later; the first at a given time.
bool are_apart(std::int64_t latest, const py::list& starts, const py::list& ends) {
    if (starts.size() != ends.size()) return false;
    for (py::ssize_t at = 0; at < PyList_GET_SIZE(starts.ptr()); ++at) {
        if (time_or(PyList_GET_ITEM(starts.ptr(), at), -1) < latest) return false;
        latest = std::max<std::int64_t>(time_or(PyList_GET_ITEM(ends.ptr(), at), -1), 0);
    }
    return true;
}

}  // namespace

NATIVE_MODULE(_native, module) {
    module.doc() = "What formats.native gives to readers.";
    // If pybind11 found no memory for an object, Python has set the error already.
    py::register_local_exception_translator([](std::exception_ptr problem) {
        try {
            if (problem) std::rethrow_exception(problem);
        } catch (const std::runtime_error&) {
            if (!PyErr_ExceptionMatches(PyExc_MemoryError)) throw;
        }
    });
    add_json(module);
    add_textgrid(module);
    add_values(module);
    module.def("are_apart", are_apart);
    module.def("are_times_in_order", are_times_in_order);
    module.def("plain_clock", [](const py::str& text) -> py::object {
        const std::int64_t time = plain_clock(ascii(text));
        return time < 0 ? py::none() : py::object(py::int_(time));
    });
    module.def("plain_span", plain_span);
    module.def("plain_time", [](const py::str& text) -> py::object {
        const std::int64_t time = plain_time(ascii(text));
        return time < 0 ? py::none() : py::object(py::int_(time));
    });
    module.def("plain_times_of", [](const py::str& start, const py::str& end) -> py::object {
        const std::int64_t first = plain_time(ascii(start)), last = plain_time(ascii(end));
        return first < 0 || last < first ? py::none() : py::object(py::make_tuple(first, last));
    });
    module.def("split_words", split_words);
    using py::arg;
    py::class_<Cutter>(module, "Cutter")
        .def(py::init<const std::string&, const std::string&, std::vector<std::string>>(),
             arg("comments"), arg("signs"), arg("marks"))
        .def(
            "cut",
            [](const py::object& self, const py::str& text, const std::string& kinds) {
                const py::scoped_critical_section alone(self);
                return self.cast<Cutter&>().cut(text, kinds);
            },
            arg("text"), arg("kinds"));
}
