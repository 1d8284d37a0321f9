// Lines with an identifier and a text each, cut where they lie.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "../common/watch.hpp"

namespace arrow {

enum class LineForm : std::uint8_t {
    identifier_first,  // Kaldi's text: the identifier ends at a blank
    identifier_last,   // NIST's trn: the identifier stands in parentheses at the end
};

struct Lines {
    std::vector<std::int64_t> irregular;  // numbers of lines that a reader has to parse
    std::vector<std::int64_t> braced;     // numbers of regular lines whose text has alternatives or null words
    bool is_rising = true;                // each identifier is greater than the one before, as bytes
    bool are_marked = true;               // each identifier has a digit of ASCII, a hyphen or an underscore
    std::int64_t tabular = 0;             // lines with two tabs, semicolons or points
};

// The number of lines; the last one may lack its line end.
std::int64_t count_lines(std::string_view data);

// Writes the ends of four parts of each line: the first column, a separator, the second column, the
// rest with the line end. `ends` has room for four numbers a line. Irregular lines, whose columns
// are empty, are comments, blanks beyond ASCII, markup other than alternatives of plain words, lines without identifier; properties of
// identifiers leave them out. False if a byte ends no line and belongs to no text, as a lone CR.
bool cut_lines(std::string_view data, LineForm form, std::int32_t* ends, Lines& lines, Watch& watch);

}  // namespace arrow
