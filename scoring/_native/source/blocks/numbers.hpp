// Doubles as decimals, the way printf writes them in the C locale.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace report {

// Room for the longest double there is, with at most nine decimals.
using NumberText = char[400];

#ifdef __SIZEOF_INT128__

// The tables of std::to_chars for doubles are an eighth of a module that has the library inside. A
// double below 2^53 is mantissa / 2^shift: times 10^decimals, that is divided exactly, and rounded
// as printf does, half to even.
inline std::size_t format(NumberText& text, double value, int decimals) {
    __extension__ using Wide = unsigned __int128;
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const int shift = 1075 - (exponent == 0 ? 1 : exponent);
    if (shift < 0) {  // whole numbers, infinity and what is no number
        int size = std::snprintf(text, sizeof text, "%.0f", value);
        if (std::isfinite(value) && decimals > 0) {
            text[size++] = '.';
            for (int place = 0; place < decimals; ++place) text[size++] = '0';
        }
        return static_cast<std::size_t>(size);
    }
    std::uint64_t power = 1;
    for (int place = 0; place < decimals; ++place) power *= 10;
    constexpr std::uint64_t leading = std::uint64_t{1} << 52;
    const Wide scaled = Wide{(bits & (leading - 1)) | (exponent == 0 ? 0 : leading)} * power;
    Wide rounded = 0;
    if (shift < 128) {
        rounded = scaled >> shift;
        const Wide rest = scaled - (rounded << shift);
        const Wide half = shift == 0 ? 1 : Wide{1} << (shift - 1);
        if (shift != 0 && (rest > half || (rest == half && rounded % 2 == 1))) ++rounded;
    }
    char* end = text;
    if (bits >> 63 != 0) *end++ = '-';
    end = std::to_chars(end, end + 20, static_cast<std::uint64_t>(rounded / power)).ptr;
    if (decimals > 0) *end++ = '.';
    auto fraction = static_cast<std::uint64_t>(rounded % power);
    for (char* digit = end + decimals; digit-- != end; fraction /= 10) {
        *digit = static_cast<char>('0' + fraction % 10);
    }
    return static_cast<std::size_t>(end + decimals - text);
}

#else

inline std::size_t format(NumberText& text, double value, int decimals) {
    const auto end =
        std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals);
    return static_cast<std::size_t>(end.ptr - text);
}

#endif

}  // namespace report
