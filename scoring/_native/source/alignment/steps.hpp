// Bit-parallel columns: 64 cells of the edit-distance table at a time, for two families of costs.
//
// The table has a row per reference word and a column per hypothesis word. A block is 64 rows of
// one column, bit k of every mask belonging to the block's row k. What is kept of a column are the
// differences between neighbouring rows; what enters a block from above is the difference between
// this column and the one before it, in the row just above the block.
#pragma once

#include "sequences.hpp"

namespace alignment {

// For 64 cells of one column: where the way back goes diagonally, where it goes up (a deletion);
// elsewhere it goes to the left (an insertion).
struct Directions {
    Bits diagonal;
    Bits deletion;
};

template <Ties ties>
Directions choose(Bits match, Bits diagonal, Bits deletion, Bits insertion) {
    if constexpr (ties == Ties::rapidfuzz) {
        return {diagonal & ~(deletion | (insertion & match)), deletion};
    }
    if constexpr (ties == Ties::sclite) return {diagonal, ~(diagonal | insertion)};
    if constexpr (ties == Ties::align_text) return {diagonal, deletion & ~diagonal};
    return {~(insertion | deletion), deletion & ~insertion};
}

inline std::int64_t ones(Bits bits) {
    std::int64_t count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
}

// Carries every bit of `starts` upwards through the unbroken run of `path` bits that begins at it,
// and one bit further. A start lies at the lowest bit of a run or outside all runs.
inline Bits flood(Bits starts, Bits path) { return (((starts & path) + path) ^ path) | starts; }

// Substitution 4, deletion 3, insertion 3: sclite's costs.
//
// Minimising D is maximising G = 3 matches + substitutions, since D(i,j) = 3(i+j) - 2 G(i,j).
// Differences v of G between neighbouring rows and h between neighbouring columns lie in 0..3.
// With s = 3 for a match and 1 otherwise, and m = max(s, v, h), a cell turns the difference v to
// its left into m - h and the difference h above it into m - v.
struct ScliteCosts {
    static constexpr std::int64_t indel = 3;

    // Rows where v is 1, 2, 3; elsewhere it is 0.
    struct Column {
        Bits v1 = 0;
        Bits v2 = 0;
        Bits v3 = 0;
    };

    // h in the row above the block, as bit 0 of the mask of its value.
    struct Entry {
        Bits h1 = 0;
        Bits h2 = 0;
        Bits h3 = 0;
    };

    template <Ties ties>
    static Directions step(Column& column, Entry& entry, Bits match) {
        const Bits v1 = column.v1, v2 = column.v2, v3 = column.v3;
        const Bits v0 = ~(v1 | v2 | v3);
        const Bits differ = ~match;
        // a mismatch below v = 0 hands h = 3 and h = 2 on unchanged
        const Bits pass = differ & v0;
        const Bits h3 = flood(((match & v0) << 1) | entry.h3, pass);
        const Bits three = match | h3;  // here m is 3
        const Bits h2 = flood(((v1 & three) << 1) | entry.h2, pass);
        const Bits out1 = (v2 & three) | (pass & ~(h2 | h3)) | (differ & v1 & h2);
        const Bits h1 = (out1 << 1) | entry.h1;
        const Bits h01 = ~(h2 | h3);
        const Bits h0 = h01 & ~h1;
        const Bits left_three = match | v3;
        const Bits v01 = ~(v2 | v3);

        const Bits diagonal = match | (v01 & h01);
        const Bits insertion = v3 | (differ & ((v2 & ~h3) | (v1 & h01)));
        const Bits deletion = h3 | (differ & ((h2 & ~v3) | (h1 & v01)));

        column.v3 = h0 & left_three;
        column.v2 = (h1 & left_three) | (differ & h0 & v2);
        column.v1 = (h2 & left_three) | (differ & ((h1 & v2) | (h0 & v01)));
        entry.h3 = (v0 & three) >> 63;
        entry.h2 = ((v1 & three) | (pass & h2)) >> 63;
        entry.h1 = out1 >> 63;
        return choose<ties>(match, diagonal, deletion, insertion);
    }

    // Cost in a row less the cost one column before.
    static std::int64_t change(const Entry& entry) {
        return 3 - 2 * static_cast<std::int64_t>(entry.h1 + 2 * entry.h2 + 3 * entry.h3);
    }

    // Cost in the last of the `rows` less the cost above the first of them.
    static std::int64_t rise(const Column& column, Bits rows) {
        const std::int64_t points = ones(column.v1 & rows) + 2 * ones(column.v2 & rows) +
                                    3 * ones(column.v3 & rows);
        return 3 * ones(rows) - 2 * points;
    }
};

// Unit costs: the bit vectors of Myers (1999) in Hyyrö's (2003) form.
struct UnitCosts {
    static constexpr std::int64_t indel = 1;

    // Rows that cost one more, one less than the row above.
    struct Column {
        Bits more = ~Bits{0};
        Bits less = 0;
    };

    struct Entry {
        Bits more = 1;
        Bits less = 0;
    };

    template <Ties ties>
    static Directions step(Column& column, Entry& entry, Bits match) {
        const Bits vertical = match | column.less;
        const Bits start = match | entry.less;
        const Bits horizontal = (((start & column.more) + column.more) ^ column.more) | start;
        const Bits right_more = column.less | ~(horizontal | column.more);
        const Bits right_less = column.more & horizontal;
        const Bits above_more = (right_more << 1) | entry.more;
        const Bits above_less = (right_less << 1) | entry.less;
        column.more = above_less | ~(vertical | above_more);
        column.less = above_more & vertical;
        entry.more = right_more >> 63;
        entry.less = right_less >> 63;
        const Bits diagonal = match | ~(horizontal | vertical);
        return choose<ties>(match, diagonal, column.more, right_more);
    }

    static std::int64_t change(const Entry& entry) {
        return static_cast<std::int64_t>(entry.more) - static_cast<std::int64_t>(entry.less);
    }

    static std::int64_t rise(const Column& column, Bits rows) {
        return ones(column.more & rows) - ones(column.less & rows);
    }
};

}  // namespace alignment
