// Numbers as text.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "../common/python.hpp"

namespace decimals {

constexpr int digits = 15;

#ifdef __SIZEOF_INT128__
__extension__ using Wide = unsigned __int128;

// The first `digits` decimals of a positive number, rounded to even, and the exponent of the first one. True if they
// are exact: numbers up to 1e15 times a power of ten that is an integer of 64 bits.
inline bool leading_decimals(double value, std::uint64_t& decimals, int& exponent) {
    struct Powers {
        std::uint64_t of[28];
    };
    static constexpr Powers fives = [] {
        Powers powers{};
        powers.of[0] = 1;
        for (int power = 1; power < 28; ++power) powers.of[power] = 5 * powers.of[power - 1];
        return powers;
    }();
    if (!(value >= 1e-12 && value < 1e15)) return false;
    int binary = 0;
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(value, &binary), 53));
    binary -= 53;
    constexpr std::uint64_t least = 100'000'000'000'000, most = 1'000'000'000'000'000;
    // an estimate: too low by one at most
    exponent = static_cast<int>(std::floor((binary + 52) * 0.30102999566398120));
    for (;; ++exponent) {
        const int power = digits - 1 - exponent;
        if (power < 0 || power > 27) return false;
        const Wide product = static_cast<Wide>(mantissa) * fives.of[power];
        const int shift = -(binary + power);
        if (shift <= 0 || shift >= 127) return false;
        decimals = static_cast<std::uint64_t>(product >> shift);
        if (decimals >= most) continue;
        const Wide rest = product & ((Wide{1} << shift) - 1);
        const Wide half = Wide{1} << (shift - 1);
        if (rest > half || (rest == half && decimals % 2 == 1)) ++decimals;
        if (decimals == most) {
            decimals = least;
            ++exponent;
        }
        return decimals >= least && exponent < digits;
    }
}
#else
inline bool leading_decimals(double, std::uint64_t&, int&) { return false; }
#endif

// Appends a number as C's printf does with %.15g in any locale.
inline void append_general(std::string& text, double value) {
    std::uint64_t decimals = 0;
    int exponent = 0;
    if (value == 0 && !std::signbit(value)) {
        text += '0';
        return;
    }
    if (!leading_decimals(std::fabs(value), decimals, exponent)) {
        const std::unique_ptr<char, void (*)(void*)> printed(
            PyOS_double_to_string(value, 'g', digits, 0, nullptr), PyMem_Free);
        if (!printed) throw py::error_already_set();
        text += printed.get();
        return;
    }
    char all[digits];
    int size = digits;
    for (int place = digits; place-- > 0; decimals /= 10) {
        all[place] = static_cast<char>('0' + decimals % 10);
        if (all[place] == '0' && place + 1 == size && place > 0) size = place;
    }
    if (value < 0) text += '-';
    if (exponent < -4) {
        text += all[0];
        if (size > 1) text.append(".").append(all + 1, all + size);
        text += exponent > -10 ? "e-0" : "e-";
        text += std::to_string(-exponent);
    } else if (exponent < 0) {
        text.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(all, all + size);
    } else {
        const int whole = exponent + 1;
        text.append(all, all + (size < whole ? size : whole));
        if (size < whole) text.append(static_cast<std::size_t>(whole - size), '0');
        if (size > whole) text.append(".").append(all + whole, all + size);
    }
}

}  // namespace decimals
