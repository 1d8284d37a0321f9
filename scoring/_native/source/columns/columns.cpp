#include "columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace columns {

namespace {

constexpr std::size_t kLongestField = 500;

struct BlankTable {
    bool blank[256] = {};
    constexpr BlankTable() {
        for (char byte : {' ', '\t', '\n', '\v', '\f', '\r'}) {
            blank[static_cast<unsigned char>(byte)] = true;
        }
    }
};
constexpr BlankTable kBlanks;

constexpr std::uint64_t kFactor = 0xD6E8FEB86659FD93ULL;

template <class Number>
Number loaded(const char* text) {
    Number number;
    std::memcpy(&number, text, sizeof(Number));
    return number;
}

// The next line of `data` from `position`: content up to a NUL byte, and where it really ends.
struct Line {
    std::size_t begin;
    std::size_t end;       // of the content
    std::size_t next;      // where the next line begins
    bool terminated;
};

Line next_line(std::string_view data, std::size_t position) {
    const char* start = data.data() + position;
    const std::size_t left = data.size() - position;
    const void* newline = std::memchr(start, '\n', left);
    Line line{};
    line.begin = position;
    line.terminated = newline != nullptr;
    const std::size_t length =
        newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - start) : left;
    line.next = position + length + (newline ? 1 : 0);
    line.end = position + length;
    if (const void* nul = std::memchr(start, '\0', length)) {
        line.end = position + static_cast<std::size_t>(static_cast<const char*>(nul) - start);
    }
    return line;
}

bool all_blank(std::string_view text) {
    for (char byte : text) {
        if (!is_blank(byte)) return false;
    }
    return true;
}

constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool equals_ignoring_case(std::string_view text, const char* lower) {
    for (char byte : text) {
        const char folded = (byte >= 'A' && byte <= 'Z') ? static_cast<char>(byte + 32) : byte;
        if (folded != *lower || *lower == '\0') return false;
        ++lower;
    }
    return *lower == '\0';
}

// Cuts one line into its first `wanted` fields at the spaces and tabs of its shape.
std::size_t cut_fields(std::string_view line, std::string_view shape, std::string_view* fields,
                       std::size_t wanted) {
    std::size_t found = 0;
    std::size_t at = 0;
    while (found < wanted) {
        while (at < shape.size() && (shape[at] == ' ' || shape[at] == '\t')) ++at;
        if (at == shape.size()) break;
        const std::size_t begin = at;
        while (at < shape.size() && shape[at] != ' ' && shape[at] != '\t') ++at;
        fields[found++] = line.substr(begin, at - begin);
    }
    return found;
}

std::string_view shortened(std::string_view field, std::int64_t offset, CtmLines& into) {
    if (field.size() <= kLongestField) return field;
    if (into.cut_line < 0) into.cut_line = offset;
    return field.substr(0, kLongestField);
}

}  // namespace

bool is_blank(char byte) { return kBlanks.blank[static_cast<unsigned char>(byte)]; }

TokenTable::TokenTable() : slots_(1u << 12, Slot{-1, 0}) {}

std::string_view TokenTable::text(std::size_t number) const {
    const Entry& entry = entries_[number];
    return {arena_.data() + entry.begin, entry.key.length};
}

TokenTable::Key TokenTable::key_of(const char* text, std::size_t length) {
    Key key{0, 0, static_cast<std::uint32_t>(length)};
    if (length >= 8) {
        key.first = loaded<std::uint64_t>(text);
        key.last = loaded<std::uint64_t>(text + length - 8);
    } else if (length >= 4) {
        key.first = loaded<std::uint32_t>(text);
        key.last = loaded<std::uint32_t>(text + length - 4);
    } else {
        for (std::size_t i = 0; i < length; ++i) {
            key.first = (key.first << 8) | static_cast<unsigned char>(text[i]);
        }
    }
    return key;
}

void TokenTable::grow() {
    std::vector<Slot> wider(slots_.size() * 2, Slot{-1, 0});
    const std::size_t mask = wider.size() - 1;
    for (const Slot& taken : slots_) {
        if (taken.number < 0) continue;
        std::size_t slot = taken.hash & mask;
        while (wider[slot].number >= 0) slot = (slot + 1) & mask;
        wider[slot] = taken;
    }
    slots_.swap(wider);
}

std::int32_t TokenTable::intern(const char* text, std::size_t length) {
    const Key key = key_of(text, length);
    std::uint64_t mixed = (key.first ^ length) * kFactor;
    mixed = (mixed ^ (mixed >> 32) ^ key.last) * kFactor;
    for (std::size_t inner = 8; inner + 8 < length; inner += 8) {
        mixed = (mixed ^ (mixed >> 32) ^ loaded<std::uint64_t>(text + inner)) * kFactor;
    }
    const auto hash = static_cast<std::uint32_t>(mixed ^ (mixed >> 32));
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    for (; slots_[slot].number >= 0; slot = (slot + 1) & mask) {
        if (slots_[slot].hash != hash) continue;
        const Entry& entry = entries_[static_cast<std::size_t>(slots_[slot].number)];
        const bool is_alike = entry.key.length == key.length && entry.key.first == key.first &&
                              entry.key.last == key.last;
        if (is_alike && (length <= 16 || std::memcmp(arena_.data() + entry.begin, text, length) == 0)) {
            return slots_[slot].number;
        }
    }
    const auto number = static_cast<std::int32_t>(entries_.size());
    entries_.push_back({key, arena_.size()});
    arena_.append(text, length);
    slots_[slot] = {number, hash};
    if (entries_.size() * 2 > slots_.size()) grow();
    return number;
}

Ends count_tokens(const Spans& spans, Watch& watch) {
    Ends ends;
    ends.offsets.reserve(spans.size + 1);
    ends.offsets.push_back(0);
    ends.braced.assign(spans.size, '\0');
    std::int64_t tokens = 0;
    for (std::size_t span = 0; span < spans.size; ++span) {
        const char* at = spans.shape.data() + spans.begins[span];
        const char* const end = spans.shape.data() + spans.ends[span];
        watch.spend(end - at + 4);
        if (std::memchr(at, '{', static_cast<std::size_t>(end - at))) {
            // alternations are read by the caller
            ends.braced[span] = '\1';
            at = end;
        }
        bool inside = false;
        for (; at < end; ++at) {
            const bool blank = is_blank(*at);
            tokens += static_cast<std::int64_t>(!blank && !inside);
            inside = !blank;
        }
        ends.offsets.push_back(tokens);
    }
    return ends;
}

void number_tokens(const Spans& spans, const Ends& counted, TokenTable& table, Watch& watch,
                   std::int32_t* types) {
    for (std::size_t span = 0; span < spans.size; ++span) {
        const char* at = spans.shape.data() + spans.begins[span];
        const char* const end = spans.shape.data() + spans.ends[span];
        watch.spend(4 * (end - at) + 8);
        if (counted.braced[span]) continue;
        while (true) {
            while (at < end && is_blank(*at)) ++at;
            if (at == end) break;
            const char* const token = at;
            while (at < end && !is_blank(*at)) ++at;
            *types++ = table.intern(spans.data.data() + (token - spans.shape.data()),
                                    static_cast<std::size_t>(at - token));
        }
    }
}

TrnLines scan_trn(std::string_view data, Watch& watch) {
    TrnLines lines;
    const auto most = static_cast<std::size_t>(std::count(data.begin(), data.end(), '\n'));
    for (auto* column : {&lines.text_begins, &lines.text_ends, &lines.identifier_begins,
                         &lines.identifier_ends}) {
        column->reserve(most);
    }
    std::size_t position = 0;
    while (position < data.size()) {
        const Line line = next_line(data, position);
        watch.spend(2 * static_cast<std::int64_t>(line.next - position));
        position = line.next;
        const auto offset = static_cast<std::int64_t>(line.begin);
        if (!line.terminated) {
            lines.unterminated = offset;
            break;
        }
        const std::string_view content = data.substr(line.begin, line.end - line.begin);
        if (all_blank(content)) continue;
        if (content[0] == ';' || content[0] == '*') {
            if (content.size() > 1 && content[1] == content[0]) continue;
            lines.marked.push_back(offset);
        }
        const std::size_t open = content.rfind('(');
        const std::size_t close = content.rfind(')');
        std::size_t text_end = content.size();
        std::size_t begin = text_end;
        std::size_t end = text_end;
        if ((open == content.npos) != (close == content.npos)) {
            lines.unparsable = offset;
            break;
        }
        if (open != content.npos) {
            text_end = open;
            begin = end = open;
            if (close > open) end = close + 1;
        }
        lines.text_begins.push_back(offset);
        lines.text_ends.push_back(offset + static_cast<std::int64_t>(text_end));
        lines.identifier_begins.push_back(offset + static_cast<std::int64_t>(begin));
        lines.identifier_ends.push_back(offset + static_cast<std::int64_t>(end));
    }
    return lines;
}

double number(std::string_view field, bool* whole) {
    // Fewer than 16 digits and a small power of ten: one correctly rounded division is exact.
    std::uint64_t digits = 0;
    std::size_t at = 0;
    std::size_t count = 0;
    std::size_t decimals = 0;
    bool point = false;
    for (; at < field.size(); ++at) {
        const char byte = field[at];
        if (byte >= '0' && byte <= '9') {
            digits = digits * 10 + static_cast<std::uint64_t>(byte - '0');
            ++count;
            if (point) ++decimals;
        } else if (byte == '.' && !point) {
            point = true;
        } else {
            break;
        }
        if (count > 15) break;
    }
    if (whole) *whole = true;
    if (at == field.size() && count > 0) {
        return static_cast<double>(digits) / kPowersOfTen[decimals];
    }
    const std::string text(field);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (whole) *whole = !text.empty() && end == text.c_str() + text.size();
    return value;
}

CtmLines scan_ctm(std::string_view data, std::string_view shape, TokenTable& table, Watch& watch) {
    CtmLines lines;
    const auto words = static_cast<std::size_t>(std::count(data.begin(), data.end(), '\n')) + 1;
    lines.begins.reserve(words);
    lines.durations.reserve(words);
    lines.confidences.reserve(words);
    lines.types.reserve(words);
    double latest = -HUGE_VAL;  // begin of the word before
    std::size_t position = 0;
    while (position < data.size()) {
        const Line line = next_line(data, position);
        watch.spend(2 * static_cast<std::int64_t>(line.next - position));
        position = line.next;
        const auto offset = static_cast<std::int64_t>(line.begin);
        const std::string_view content = data.substr(line.begin, line.end - line.begin);
        if (!content.empty() && content[0] == ';') continue;
        if (content.empty()) {
            lines.empty_line = offset;
            break;
        }
        std::string_view fields[6];
        const std::size_t found =
            cut_fields(content, shape.substr(line.begin, content.size()), fields, 6);
        if (found < 5) {
            lines.short_line = offset;
            break;
        }
        const std::string_view file = shortened(fields[0], offset, lines);
        const std::string_view channel = shortened(fields[1], offset, lines);
        const std::string_view word = shortened(fields[4], offset, lines);
        if (lines.files.empty() || lines.files.back() != file || lines.channels.back() != channel) {
            lines.run_begins.push_back(static_cast<std::int64_t>(lines.types.size()));
            lines.files.emplace_back(file);
            lines.channels.emplace_back(channel);
            latest = -HUGE_VAL;
        }
        std::string_view begin = fields[2];
        if (begin.substr(0, 2) == "&&") begin.remove_prefix(2);
        double confidence = 0.0;
        if (found == 6 && !equals_ignoring_case(fields[5], "na")) {
            confidence = static_cast<double>(static_cast<float>(number(fields[5])));
            if (lines.first_confidence < 0) {
                lines.first_confidence = static_cast<std::int64_t>(lines.types.size());
            }
        }
        bool numeric[2];
        const double start = number(begin, &numeric[0]);
        const double duration = number(fields[3], &numeric[1]);
        if (!equals_ignoring_case(word.substr(0, 4), "<alt")) {
            if (lines.odd_time < 0 && !(numeric[0] && numeric[1])) lines.odd_time = offset;
            if (lines.negative_time < 0 && (start < 0 || duration < 0)) lines.negative_time = offset;
            if (lines.unsorted < 0 && !(latest <= start)) lines.unsorted = offset;
            latest = start;
        }
        lines.begins.push_back(start);
        lines.durations.push_back(duration);
        lines.confidences.push_back(confidence);
        lines.types.push_back(table.intern(word.data(), word.size()));
    }
    return lines;
}

}  // namespace columns
