#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <tuple>

#include "filtering.hpp"

namespace filtering {

namespace {

constexpr std::size_t header_fields = 5;
using Fields = std::vector<std::string_view>;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_white(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_comment(std::string_view line) { return line.substr(0, 2) == ";;"; }

// The next line with its end; what is left begins after it.
std::string_view next_line(std::string_view& rest) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    rest.remove_prefix(line.size());
    return line;
}

std::string_view without_end(std::string_view line) {
    if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
    return line;
}

// Whether runs of blanks are single ones already; a loop that compilers make fast.
bool is_tidy(std::string_view text) {
    unsigned char other = 0;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        const bool pair = text[at] == ' ' && text[at + 1] == ' ';
        other = static_cast<unsigned char>(other | (text[at] == '\t') | pair);
    }
    return other == 0 && (text.empty() || text.back() != '\t');
}

// Runs of blanks become one.
void append_tidied(std::string& made, std::string_view text) {
    if (is_tidy(text)) {
        made += text;
        return;
    }
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && !is_blank(text[end])) ++end;
        made.append(text, at, end - at);
        at = end;
        while (at < text.size() && is_blank(text[at])) ++at;
        if (at > end) made += ' ';
    }
}

// What stands between white space.
void runs_of(std::string_view line, Fields& runs, std::size_t most = std::string_view::npos) {
    runs.clear();
    for (std::size_t at = 0; runs.size() < most;) {
        while (at < line.size() && is_white(line[at])) ++at;
        if (at == line.size()) return;
        const std::size_t begin = at;
        while (at < line.size() && !is_white(line[at])) ++at;
        runs.push_back(line.substr(begin, at - begin));
    }
}

// As Perl splits: the first is empty where a line begins with white space.
void fields_of(std::string_view line, Fields& fields) {
    runs_of(line, fields);
    if (!fields.empty() && is_white(line[0])) fields.insert(fields.begin(), std::string_view());
}

void append_joined(std::string& made, const Fields& fields) {
    for (std::size_t number = 0; number < fields.size(); ++number) {
        if (number > 0) made += ' ';
        made += fields[number];
    }
}

// The lengths of the five fields that runs of letters make, empty if they cannot.
std::vector<std::size_t> field_lengths(const std::vector<std::size_t>& runs) {
    std::size_t left = 0;
    for (const std::size_t run : runs) left += run;
    std::vector<std::size_t> fields;
    if (runs.size() > header_fields || left < header_fields) return fields;
    std::size_t missing = header_fields - runs.size();
    for (std::size_t number = 0; number < runs.size(); ++number) {
        left -= runs[number];
        const std::size_t spare = left - (runs.size() - number - 1);
        const std::size_t cuts = missing > spare ? missing - spare : 0;
        missing -= cuts;
        fields.push_back(runs[number] - cuts);
        fields.insert(fields.end(), cuts, 1);
    }
    return fields;
}

// Where the label after the fields ends, 0 without one.
std::size_t label_end(std::string_view line, const Fields& runs, Watch& watch) {
    // mostly the label is a field of its own, or there is none
    const std::string_view header(line.data(), static_cast<std::size_t>(
                                                   runs.back().data() + runs.back().size() -
                                                   line.data()));
    if (header.find('<') == header.npos) return 0;
    if (runs.size() > header_fields && runs.back()[0] == '<') {
        const std::size_t last = runs.back().rfind('>');
        if (last != header.npos && last >= 2) return header.size() - runs.back().size() + last + 1;
    }
    std::vector<std::size_t> lengths, best;
    std::size_t end = 0;
    for (std::size_t number = 0; number < runs.size(); ++number) {
        const std::string_view run = runs[number];
        const auto begin = static_cast<std::size_t>(run.data() - line.data());
        const std::size_t last = run.rfind('>');
        if (last != std::string_view::npos) {
            for (std::size_t at = run.find('<'); at != std::string_view::npos && at + 2 <= last;
                 at = run.find('<', at + 1)) {
                watch.spend(100);
                std::vector<std::size_t> before = lengths;
                if (at > 0) before.push_back(at);
                std::vector<std::size_t> fields = field_lengths(before);
                if (!fields.empty() && fields > best) {
                    best = std::move(fields);
                    end = begin + last + 1;
                }
            }
        }
        lengths.push_back(run.size());
    }
    return end;
}

bool is_lexeme(std::string_view line) {
    constexpr std::string_view type = " LEXEME";
    if (line.substr(0, type.size()) != type) return false;
    for (const char* subtype : {" lex ", " fp ", " un-lex ", " for-lex ", " alpha ", " acronym ",
                                " interjection ", " propernoun ", " other "}) {
        if (line.find(subtype, type.size()) != std::string_view::npos) return true;
    }
    return false;
}

// Takes text and rest of a line apart, whose fields are written to `fields`.
bool cut_line(Kind kind, std::string_view line, Fields& fields, Cut& made, Watch& watch) {
    std::size_t at = 0;
    if (kind == Kind::txt) {
        made.texts += line;
        made.rests += '\n';
        return true;
    }
    if (kind == Kind::rttm && !is_lexeme(line)) {
        made.texts += '\n';
        made.rests += line;
        return true;
    }
    if (kind == Kind::ctm || kind == Kind::rttm) {
        at = kind == Kind::ctm ? 5 : 6;
        fields_of(line, fields);
        if (fields.size() > at) {
            made.texts += fields[at];
            fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(at));
        }
        append_joined(made.rests, fields);
    } else if (kind == Kind::trn) {
        std::size_t end = line.size();
        while (end > 0 && is_white(line[end - 1])) --end;
        at = line.substr(0, end).rfind('(');
        if (end == 0 || line[end - 1] != ')' || at == std::string_view::npos) return false;
        made.texts.append(line, 0, at);
        made.rests.append(line, at, end - at);
    } else {
        runs_of(line, fields, header_fields + 1);
        at = fields.empty() ? 0 : label_end(line, fields, watch);
        if (at == 0) {
            std::size_t letters = 0;
            for (const std::string_view run : fields) letters += run.size();
            if (letters < header_fields) return false;
            const std::string_view run = fields[std::min(fields.size(), header_fields) - 1];
            at = static_cast<std::size_t>(run.data() + run.size() - line.data());
        }
        made.texts += without_end(line.substr(at));
        made.rests.append(line, 0, at);
    }
    made.texts += '\n';
    made.rests += '\n';
    return true;
}

// Fields between single blanks, and nothing before or after them; false of other lines.
bool are_single(std::string_view line, Fields& fields) {
    fields.clear();
    std::size_t begin = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (!is_white(line[at])) continue;
        if (line[at] != ' ' || at == begin) return false;
        fields.push_back(line.substr(begin, at - begin));
        begin = at + 1;
    }
    if (begin == line.size()) return false;
    fields.push_back(line.substr(begin));
    return true;
}

// `cut_line` of a ctm's record as most are; false of others, with nothing done.
bool cut_plain(std::string_view line, Fields& fields, Cut& made) {
    if (!are_single(line, fields) || fields.size() < header_fields) return false;
    const std::string_view word = fields[header_fields - 1];
    const auto begin = static_cast<std::size_t>(word.data() - line.data());
    made.texts += word;
    made.texts += '\n';
    made.rests += ' ';
    made.rests.append(line, 0, begin - 1);
    made.rests.append(line, begin + word.size());
    made.rests += '\n';
    return true;
}

// As the original reads numbers: by the beginning of a text, else 0.
double number_of(std::string_view text) {
    std::size_t end = 0;
    if (end < text.size() && (text[end] == '+' || text[end] == '-')) ++end;
    std::int64_t mantissa = 0;
    int digits = 0;
    int behind = 0;
    const auto read = [&](bool after_point) {
        for (; end < text.size() && is_digit(text[end]); ++end, ++digits) {
            if (digits < 15) mantissa = mantissa * 10 + (text[end] - '0');
            behind += after_point;
        }
    };
    read(false);
    if (end < text.size() && text[end] == '.') {
        ++end;
        read(true);
    }
    if (digits == 0) return 0;
    bool exponent = false;
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
        std::size_t power = end + 1;
        if (power < text.size() && (text[power] == '+' || text[power] == '-')) ++power;
        exponent = power < text.size() && is_digit(text[power]);
        while (power < text.size() && is_digit(text[power])) end = ++power;
    }
    if (digits <= 15 && !exponent) {
        static constexpr double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
        const double value = static_cast<double>(mantissa) / powers[behind];
        return text[0] == '-' ? -value : value;
    }
    return std::strtod(std::string(text.substr(0, end)).c_str(), nullptr);
}

// With three decimals, as printf writes it.
void append_fixed(std::string& made, double value) {
    const double thousands = value * 1000;
    const double whole = std::floor(thousands);
    // far from halves the product is near enough
    if (value >= 0 && value < 1e6 && std::fabs(thousands - whole - 0.5) > 1e-3 &&
        !std::signbit(value)) {
        const auto rounded = static_cast<std::int64_t>(thousands + 0.5);
        char digits[24];
        char* at = digits + sizeof digits;
        std::int64_t rest = rounded;
        for (int place = 0; place < 4 || rest > 0; ++place) {
            if (place == 3) *--at = '.';
            *--at = static_cast<char>('0' + rest % 10);
            rest /= 10;
        }
        made.append(at, static_cast<std::size_t>(digits + sizeof digits - at));
        return;
    }
    if (!std::isfinite(value)) {
        made += std::isnan(value) ? "NaN" : value > 0 ? "Inf" : "-Inf";
        return;
    }
    char text[400];
    const int size = std::snprintf(text, sizeof text, "%.3f", value);
    made.append(text, static_cast<std::size_t>(size));
}

struct Room {
    std::string line, data, word, records;
    Fields fields, words;
};

// The record that the text and the rest of a ctm's record become if the text is one word and the
// rest as `cut_plain` leaves it; false of others, with nothing done.
bool append_plain(std::string& made, std::string_view text, std::string_view rest, Room& room) {
    const auto is_mark = [](char c) { return c == '{' || c == '}' || c == '/' || is_white(c); };
    if (text.empty() || std::any_of(text.begin(), text.end(), is_mark)) return false;
    const bool is_cut = rest.size() > 1 && rest.front() == ' ' && rest.back() == '\n';
    if (!is_cut || rest[1] == ';') return false;
    rest = rest.substr(1, rest.size() - 2);
    Fields& fields = room.fields;
    if (!are_single(rest, fields) || fields.size() != header_fields) return false;
    const auto is_brace = [](char c) { return c == '{' || c == '}'; };
    if (std::any_of(rest.begin(), rest.end(), is_brace)) return false;
    const std::string_view confidence = fields.back();
    const auto is_of_number = [](char c) { return is_digit(c) || c == '.' || c == '-'; };
    if (!std::all_of(confidence.begin(), confidence.end(), is_of_number)) return false;
    made.append(rest, 0, static_cast<std::size_t>(fields[2].data() - rest.data()));
    append_fixed(made, number_of(fields[2]));
    made += ' ';
    append_fixed(made, number_of(fields[3]));
    made += ' ';
    made += text;
    made += ' ';
    made += confidence;
    made += '\n';
    return true;
}

// The records that a record of a ctm becomes; false if a piece of it has no word.
bool append_records(std::string& made, std::string_view line, Room& room) {
    std::size_t begin = 0;
    while (begin < line.size() && is_white(line[begin])) ++begin;
    line.remove_prefix(begin);
    room.line.clear();
    const bool braced = line.find('{') != line.npos || line.find('}') != line.npos;
    if (!braced) room.line = line;
    for (const char c : braced ? line : std::string_view()) {
        const bool brace = c == '{' || c == '}';
        if (brace) room.line += ' ';
        room.line += c;
        if (brace) room.line += ' ';
    }
    Fields& fields = room.fields;
    runs_of(room.line, fields);
    if (fields.size() == header_fields) {
        made += room.line;
        return true;
    }
    std::string_view confidence;
    std::size_t end = fields.size();
    if (end > 0 && fields[end - 1].find_first_not_of("0123456789.-") == std::string_view::npos) {
        confidence = fields[--end];
    }
    room.data.clear();
    for (std::size_t number = 4; number < end; ++number) {
        if (number > 4) room.data += ' ';
        room.data += fields[number];
    }
    while (!room.data.empty() && room.data.back() == '/') room.data.pop_back();
    if (room.data.empty()) return true;
    const std::string_view data(room.data);
    const bool several = data.find('/') != std::string_view::npos;
    const auto place = [&] {
        made += fields[0];
        made += ' ';
        made += fields[1];
    };
    for (std::size_t at = 0; at <= data.size();) {
        const std::size_t slash = std::min(data.find('/', at), data.size());
        room.word.assign(data, at, slash - at);
        room.word.erase(std::remove_if(room.word.begin(), room.word.end(),
                                       [](char c) { return c == '{' || c == '}'; }),
                        room.word.end());
        runs_of(room.word, room.words);
        if (room.words.empty()) return false;
        if (several) {
            place();
            made += at == 0 ? " * * <ALT_BEGIN>\n" : " * * <ALT>\n";
        }
        const double start = number_of(fields[2]);
        const double share = number_of(fields[3]) / static_cast<double>(room.words.size());
        for (std::size_t number = 0; number < room.words.size(); ++number) {
            // no fused operation, which would round otherwise
            volatile const double shift = share * static_cast<double>(number);
            place();
            made += ' ';
            append_fixed(made, start + shift);
            made += ' ';
            append_fixed(made, share);
            made += ' ';
            made += room.words[number];
            made += ' ';
            made += confidence;
            made += '\n';
        }
        at = slash + 1;
    }
    if (several) {
        place();
        made += " * * <ALT_END>\n";
    }
    return true;
}

// A text of several words as one, with underscores.
void underscored(std::string_view text, std::string& made, Fields& runs) {
    made.clear();
    if (std::none_of(text.begin(), text.end(), is_white)) {
        made = text;
        return;
    }
    std::string spaced;
    for (const char c : text) {
        const bool mark = c == '{' || c == '}' || c == '/' || c == '@';
        if (mark) spaced += ' ';
        spaced += c;
        if (mark) spaced += ' ';
    }
    runs_of(spaced, runs);
    for (const std::string_view run : runs) {
        if (!made.empty()) made += '_';
        made += run;
    }
}

// The lines of texts and rests, one after the other.
std::string put_together(Kind kind, std::string_view texts, std::string_view rests, Watch& watch) {
    std::string made, word;
    Fields fields;
    made.reserve(texts.size() + rests.size());
    while (!texts.empty()) {
        const std::string_view line = next_line(texts);
        const std::string_view rest = rests.empty() ? rests : next_line(rests);
        watch.spend(static_cast<std::int64_t>(line.size() + rest.size()));
        if (kind == Kind::stm) {
            made += rest.substr(0, rest.empty() ? 0 : rest.size() - 1);
            made += line;
            continue;
        }
        std::string_view text = without_end(line);
        if (kind == Kind::trn) {
            made += text;
            made += rest;
            continue;
        }
        if (kind == Kind::rttm) {
            underscored(text, word, fields);
            text = word;
        }
        if (text.empty()) {
            made += rest;
            continue;
        }
        fields_of(rest, fields);
        const std::size_t at = std::min(fields.size(), std::size_t{kind == Kind::ctm ? 5U : 6U});
        fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(at), text);
        append_joined(made, fields);
        made += '\n';
    }
    return made;
}

// Lines without blanks at their ends, and with single ones between words.
void append_tidy_lines(std::string& made, std::string_view texts, Watch& watch) {
    while (!texts.empty()) {
        const std::string_view line = next_line(texts);
        watch.spend(static_cast<std::int64_t>(4 * line.size()));
        if (line[0] == ';') {
            made += line;
            continue;
        }
        std::string_view body = without_end(line);
        const bool ended = body.size() < line.size();
        while (!body.empty() && is_blank(body.front())) body.remove_prefix(1);
        while (!body.empty() && is_blank(body.back())) body.remove_suffix(1);
        append_tidied(made, body);
        if (ended) made += '\n';
    }
}

// Where the white space ends that stands here, or what is no white space.
std::size_t end_of(std::string_view text, std::size_t at, bool white) {
    while (at < text.size() && is_white(text[at]) == white) ++at;
    return at;
}

struct Record {
    std::size_t place;
    double begin;
    std::string_view text;
};

}  // namespace

std::string ordered(Kind kind, std::string_view data, Watch& watch) {
    // file, white space and channel, each with its number
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> places;
    std::vector<Record> records;
    std::string made;
    made.reserve(data.size());
    std::string_view before;  // what stands before the begin, mostly as in the record before
    std::size_t place = 0;
    while (!data.empty()) {
        std::string_view line = next_line(data);
        watch.spend(static_cast<std::int64_t>(8 * line.size()));
        line.remove_prefix(end_of(line, 0, true));
        if (line.empty()) continue;
        if (is_comment(line)) {
            if (kind == Kind::stm) made += line;
            continue;
        }
        std::size_t begin = before.size();
        if (begin == 0 || line.substr(0, begin) != before) {
            const std::size_t file = end_of(line, 0, false);
            const std::size_t channel = end_of(line, file, true);
            const std::size_t end = end_of(line, channel, false);
            begin = end_of(line, end, true);
            if (kind == Kind::stm) begin = end_of(line, end_of(line, begin, false), true);
            before = line.substr(0, is_white(line[begin - 1]) ? begin : 0);
            place = places
                        .try_emplace({line.substr(0, file), line.substr(file, channel - file),
                                      line.substr(channel, end - channel)},
                                     places.size())
                        .first->second;
        }
        records.push_back({place, number_of(line.substr(end_of(line, begin, true))), line});
    }
    std::vector<std::size_t> ranks(places.size());
    std::size_t rank = 0;
    for (const auto& one : places) ranks[one.second] = rank++;
    for (Record& record : records) record.place = ranks[record.place];
    std::stable_sort(records.begin(), records.end(), [](const Record& one, const Record& other) {
        return std::tie(one.place, one.begin) < std::tie(other.place, other.begin);
    });
    for (const Record& record : records) made += record.text;
    return made;
}

std::string trimmed(std::string_view texts, Watch& watch) {
    std::string made;
    made.reserve(texts.size());
    while (!texts.empty()) {
        const std::string_view line = next_line(texts);
        std::string_view body = without_end(line);
        const bool ended = body.size() < line.size();
        watch.spend(static_cast<std::int64_t>(line.size()));
        if (!body.empty() && body.front() == ' ') body.remove_prefix(1);
        if (!body.empty() && body.back() == ' ') body.remove_suffix(1);
        made += body;
        if (ended) made += '\n';
    }
    return made;
}

Cut cut(Kind kind, std::string_view data, Watch& watch) {
    Cut made;
    made.texts.reserve(data.size() + data.size() / 8);
    made.rests.reserve(data.size());
    std::string line;
    Fields fields;
    for (std::int64_t number = 1; !data.empty(); ++number) {
        const std::string_view given = next_line(data);
        watch.spend(static_cast<std::int64_t>(4 * given.size()));
        if (is_comment(given)) {
            made.texts += '\n';
            made.rests += given;
            continue;
        }
        std::string_view body = without_end(given);
        const bool ended = body.size() < given.size();
        if (kind == Kind::ctm && cut_plain(body, fields, made)) continue;
        while (!body.empty() && is_blank(body.front())) body.remove_prefix(1);
        while (!body.empty() && is_blank(body.back())) body.remove_suffix(1);
        line.assign(1, ' ');
        if (!body.empty()) {
            append_tidied(line, body);
            line += ' ';
        }
        if (ended) line += '\n';
        if (!cut_line(kind, line, fields, made, watch)) {
            made.stopped = number;
            break;
        }
    }
    return made;
}

std::pair<std::string, std::int64_t> join(Kind kind, std::string_view texts, std::string_view rests,
                                          Watch& watch) {
    std::string made;
    if (kind != Kind::ctm) {
        const std::string joined =
            kind == Kind::txt ? std::string() : put_together(kind, texts, rests, watch);
        if (kind != Kind::txt) texts = joined;
        made.reserve(texts.size());
        append_tidy_lines(made, texts, watch);
        return {std::move(made), 0};
    }
    Room room;
    std::string line;
    made.reserve(texts.size() + rests.size() + rests.size() / 8);
    for (std::int64_t number = 0; !texts.empty();) {
        const std::string_view text = next_line(texts);
        const std::string_view rest = rests.empty() ? rests : next_line(rests);
        watch.spend(static_cast<std::int64_t>(8 * (text.size() + rest.size())));
        if (line.empty() && append_plain(made, without_end(text), rest, room)) {
            ++number;
            continue;
        }
        line += put_together(kind, text, rest, watch);
        // more texts than rests, the last of which may lack its end
        if (line.empty() || (line.back() != '\n' && !texts.empty())) continue;
        ++number;
        room.records.clear();
        if (is_comment(line)) {
            room.records = line;
        } else if (!append_records(room.records, line, room)) {
            return {std::move(made), number};
        }
        append_tidy_lines(made, room.records, watch);
        line.clear();
    }
    return {std::move(made), 0};
}

}  // namespace filtering
