// Doubles as decimals, the way printf writes them in the C locale.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdio>

namespace report {

// Room for the longest double there is, with six decimals.
using NumberText = char[400];

inline std::size_t format(NumberText& text, double value, int decimals) {
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
    const auto end =
        std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals);
    return static_cast<std::size_t>(end.ptr - text);
#else
    return static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.*f", decimals, value));
#endif
}

}  // namespace report
