// The lines of rover's output.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "../common/arguments.hpp"

namespace rover {

// Appends a number with so many decimals, as C's printf does in any locale.
inline void append_fixed(std::string& text, double value, int decimals) {
    const double scaled = std::fabs(value) * (decimals == 3 ? 1e3 : 1e6);
    if (scaled < 1e12) {  // also not for NaN
        auto units = static_cast<std::int64_t>(scaled);
        const double rest = scaled - static_cast<double>(units);
        // the product is off by less than a thousandth, so that only what is near a half has to be computed exactly
        if (std::fabs(rest - 0.5) > 0.01) {
            if (rest > 0.5) ++units;
            char digits[32];
            char* const end = digits + sizeof digits;
            char* at = end;
            for (int place = 0; place <= decimals || units > 0; ++place) {
                if (place == decimals) *--at = '.';
                *--at = static_cast<char>('0' + units % 10);
                units /= 10;
            }
            if (std::signbit(value)) text.push_back('-');
            text.append(at, end);
            return;
        }
    }
    const std::unique_ptr<char, void (*)(void*)> printed(
        PyOS_double_to_string(value, 'f', decimals, 0, nullptr), PyMem_Free);
    if (!printed) throw py::error_already_set();
    text.append(printed.get());
}

// A text of a list of byte text, with one character per byte.
inline std::string_view byte_text(const py::list& texts, std::int32_t number) {
    PyObject* const text = PyList_GET_ITEM(texts.ptr(), number);
    if (!PyUnicode_Check(text) || PyUnicode_KIND(text) != PyUnicode_1BYTE_KIND) {
        throw unexpected("texts", "byte text", text);
    }
    return {static_cast<const char*>(PyUnicode_DATA(text)), static_cast<std::size_t>(PyUnicode_GET_LENGTH(text))};
}

}  // namespace rover
