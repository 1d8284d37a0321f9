// Text files to columns of numbers: distinct words become small integers, times become doubles.
// Knows bytes and numbers; nothing of Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../common/watch.hpp"

namespace columns {

// The six blanks of the C locale: space, tab, LF, VT, FF, CR.
bool is_blank(char byte);

// Distinct byte strings, numbered in order of first appearance.
class TokenTable {
public:
    TokenTable();
    std::int32_t intern(const char* text, std::size_t length);
    std::size_t size() const { return entries_.size(); }
    std::string_view text(std::size_t number) const;

private:
    // The first and the last eight bytes of a token, which is all of a short one.
    struct Key {
        std::uint64_t first, last;
        std::uint32_t length;
    };
    struct Entry {
        Key key;
        std::size_t begin;
    };
    struct Slot {
        std::int32_t number;  // -1 is free
        std::uint32_t hash;
    };
    static Key key_of(const char* text, std::size_t length);
    void grow();
    std::vector<Entry> entries_;
    std::vector<Slot> slots_;  // power of two
    std::string arena_;
};

// Splits each span of `data` at blanks, in two steps: where the tokens of each span end, for which
// they are counted, then their numbers. Blanks and braces are looked for in `shape`, which is as
// long as the data and has none inside of longer characters; spans with an opening brace are left
// to the caller. Counting first lets the numbers stand in a column of just their size from the start.
struct Spans {
    std::string_view data, shape;
    const std::int64_t* begins;
    const std::int64_t* ends;
    std::size_t size;
};
struct Ends {
    std::vector<std::int64_t> offsets;  // one more than there are spans
    std::string braced;                 // one byte 0 or 1 per span
};
Ends count_tokens(const Spans& spans, Watch& watch);
void number_tokens(const Spans& spans, const Ends& counted, TokenTable& table, Watch& watch,
                   std::int32_t* types);

// The data lines of a trn file.
struct TrnLines {
    std::vector<std::int64_t> text_begins, text_ends, identifier_begins, identifier_ends;
    std::vector<std::int64_t> marked;  // lines that begin with a single ; or *
    std::int64_t unparsable = -1;      // first line with just one parenthesis
    std::int64_t unterminated = -1;    // last line, if it lacks its newline
};
TrnLines scan_trn(std::string_view data, Watch& watch);

// The data lines of a ctm file; fields are separated by the blanks of `shape`.
struct CtmLines {
    std::vector<double> begins, durations, confidences;
    std::vector<std::int32_t> types;
    std::vector<std::int64_t> run_begins;  // first word of each stretch of equal file and channel
    std::vector<std::string> files, channels;  // of each stretch
    std::int64_t first_confidence = -1;    // first word with a confidence
    std::int64_t empty_line = -1;          // offset of the first empty line, which ends the reading
    std::int64_t short_line = -1;          // offset of the first line of fewer than five fields
    std::int64_t cut_line = -1;            // offset of the first line with a field over 500 bytes
    // Offsets of the first words, marks of alternations aside, with
    std::int64_t odd_time = -1;            // a time that is not a number
    std::int64_t negative_time = -1;       // a begin or duration below 0
    std::int64_t unsorted = -1;            // a begin before that of the word before
};
CtmLines scan_ctm(std::string_view data, std::string_view shape, TokenTable& table, Watch& watch);

// C's atof in the C locale; `whole`, if given, tells whether all of the field was a number.
double number(std::string_view field, bool* whole = nullptr);

}  // namespace columns
