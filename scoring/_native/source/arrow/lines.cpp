#include "lines.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "../common/lanes.hpp"

namespace arrow {

namespace {

// The kinds of bytes in a line.
enum Found : std::uint8_t {
    nul = 1,
    carriage_return = 2,
    control = 4,       // cut at by some readers only
    markup = 8,        // of trn: alternatives and null words
    blank_lead = 16,   // the first byte of blanks beyond ASCII, and of much else
    column_sign = 32,  // of tables and times
    id_sign = 64,      // of identifiers
};

using Table = std::array<std::uint8_t, 256>;

Table table_of(LineForm form) {
    Table table{};
    const auto mark = [&table](std::string_view bytes, Found found) {
        for (const char byte : bytes) table[static_cast<unsigned char>(byte)] = found;
    };
    mark(std::string_view("\0", 1), nul);
    mark("\r", carriage_return);
    mark("\v\f\x1c\x1d\x1e\x1f", control);
    mark("\t;.", column_sign);
    mark("-_0123456789", id_sign);
    mark("\xC2\xE1\xE2\xE3", blank_lead);
    if (form == LineForm::identifier_last) mark("{}@", markup);
    return table;
}

bool has_unicode_blank(std::string_view line) {
    static constexpr std::array<std::string_view, 8> blanks{
        "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\xA8",
        "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};
    for (std::size_t place = 0; place < line.size(); ++place) {
        const std::string_view rest = line.substr(place, 3);
        const auto begins = [rest](std::string_view blank) {
            return rest.substr(0, blank.size()) == blank;
        };
        if (std::any_of(blanks.begin(), blanks.end(), begins)) return true;
        // U+2000 to U+200A
        if (begins("\xE2\x80") && rest.size() > 2 && static_cast<unsigned char>(rest[2]) <= 0x8A) {
            return true;
        }
    }
    return false;
}

struct Columns {
    std::size_t first_end;
    std::size_t second_begin;
    std::size_t second_end;
};

unsigned found_in(std::string_view text, const Table& table) {
    unsigned found = 0;
#if defined(__GNUC__)
    // most of a line are letters, which no table has
    for (; text.size() >= lanes; text.remove_prefix(lanes)) {
        const Lanes part = lanes_at(text.data());
        const Lanes lower = part | 0x20;
        const Lanes others = static_cast<Lanes>(lower < 'a') | static_cast<Lanes>(lower > 'z');
        if (!has_any(others & static_cast<Lanes>(part != ' '))) continue;
        for (const char byte : text.substr(0, lanes)) found |= table[static_cast<unsigned char>(byte)];
    }
#endif
    for (const char byte : text) found |= table[static_cast<unsigned char>(byte)];
    return found;
}

bool is_tabular(std::string_view line) {
    return std::count(line.begin(), line.end(), '\t') > 1 || std::count(line.begin(), line.end(), ';') > 1 ||
           std::count(line.begin(), line.end(), '.') > 1;
}

std::optional<Columns> identifier_and_text(std::string_view line) {
    std::size_t cut = 0;
    while (cut < line.size() && line[cut] != ' ' && line[cut] != '\t') ++cut;
    if (cut == 0) return {};
    return Columns{cut, cut, line.size()};
}

std::optional<Columns> text_and_identifier(std::string_view line) {
    const std::size_t last = line.find_last_not_of(" \t");
    if (last == line.npos || line[last] != ')' || line[0] == ';' || line[0] == '*') return {};
    const std::size_t open = line.find('(');
    if (open > last || line.find(')', open) != last || line.find('(', open + 1) != line.npos) return {};
    // an identifier that names no speaker wants a remark
    const std::string_view named = line.substr(open, last - open);
    if (named.find('-') == line.npos && named.find('_') == line.npos) return {};
    if (line.substr(0, open).find(')') != line.npos) return {};
    return Columns{open, open + 1, last};
}

enum class Marks : std::uint8_t { none, choices, others };

// The marks of a text in which blanks stand around each brace and each slash between them; alternatives in
// alternatives, empty ones and all else that a reader splits or has a remark on are others.
Marks marks_in(std::string_view text) {
    bool has_choices = false;
    bool is_open = false;
    bool is_empty = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        begin = end + 1;
        if (word.empty()) continue;
        const bool is_between = is_open && word == "/";
        if (word == "{") {
            if (is_open) return Marks::others;
            is_open = is_empty = has_choices = true;
        } else if (is_between || word == "}") {
            if (!is_open || is_empty) return Marks::others;
            is_open = is_empty = is_between;
        } else {
            if (word.find_first_of(is_open ? "{/}\t" : "{}\t") != word.npos) return Marks::others;
            has_choices = has_choices || word == "@";
            is_empty = false;
        }
    }
    return is_open ? Marks::others : has_choices ? Marks::choices : Marks::none;
}

}  // namespace

std::int64_t count_lines(std::string_view data) {
    std::int64_t count = 0;
    for (std::size_t begin = 0; begin < data.size(); ++count) {
        begin = std::min(data.find('\n', begin), data.size() - 1) + 1;
    }
    return count;
}

bool cut_lines(std::string_view data, LineForm form, std::int32_t* ends, Lines& lines, Watch& watch) {
    const Table table = table_of(form);
    const bool identifier_first = form == LineForm::identifier_first;
    std::string_view last;
    std::int64_t row = 0;
    for (std::size_t begin = 0; begin < data.size(); ++row) {
        const std::size_t end = std::min(data.find('\n', begin), data.size());
        std::string_view line = data.substr(begin, end - begin);
        watch.spend(static_cast<std::int64_t>(line.size()));
        if (!line.empty() && line.back() == '\r' && end < data.size()) line.remove_suffix(1);
        const unsigned found = found_in(line, table);
        if ((found & (nul | carriage_return)) != 0) return false;
        if ((found & column_sign) != 0 && is_tabular(line)) ++lines.tabular;
        std::optional<Columns> columns;
        if ((found & control) == 0 && ((found & blank_lead) == 0 || !has_unicode_blank(line))) {
            columns = identifier_first ? identifier_and_text(line) : text_and_identifier(line);
        }
        if (columns && (found & markup) != 0) {
            const bool is_plain = (found_in(line.substr(columns->first_end), table) & markup) == 0;
            const Marks marks = is_plain ? marks_in(line.substr(0, columns->first_end)) : Marks::others;
            if (marks == Marks::choices) lines.braced.push_back(row);
            if (marks == Marks::others) columns.reset();
        }
        const Columns cut = columns.value_or(Columns{0, 0, 0});
        if (columns) {
            const std::string_view identifier =
                identifier_first ? line.substr(0, cut.first_end)
                                 : line.substr(cut.second_begin, cut.second_end - cut.second_begin);
            if (identifier <= last) lines.is_rising = false;
            if ((found_in(identifier, table) & id_sign) == 0) lines.are_marked = false;
            last = identifier;
        } else {
            lines.irregular.push_back(row);
        }
        for (const std::size_t part : {cut.first_end, cut.second_begin, cut.second_end}) {
            *ends++ = static_cast<std::int32_t>(begin + part);
        }
        begin = std::min(end + 1, data.size());
        *ends++ = static_cast<std::int32_t>(begin);
    }
    return true;
}

}  // namespace arrow
