// Blanks of ASCII, at which texts are cut into words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace arrow {

constexpr bool is_blank(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
// The highest bit of each of eight bytes that is a blank.
inline std::uint64_t blanks_among(std::uint64_t bytes) {
    constexpr std::uint64_t each = 0x0101010101010101ULL;
    const std::uint64_t low = bytes & 0x7F * each;  // so that no sum goes beyond its byte
    const std::uint64_t controls = (low + (0x80 - '\t') * each) & ~(low + (0x7F - '\r') * each);
    const std::uint64_t spaces = ~((low ^ ' ' * each) + 0x7F * each);
    return (controls | spaces) & ~bytes & 0x80 * each;
}
#endif

// The position of the next byte of a text that is a blank, or is none; the size if there is no such one.
template <bool blank>
std::size_t next_byte(std::string_view text, std::size_t at) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    // words end anywhere, which makes a loop over their bytes guess wrong once for each of them
    constexpr std::size_t part = sizeof(std::uint64_t);
    if (blank && text.size() >= part) {
        while (at < text.size()) {
            const std::size_t from = at < text.size() - part ? at : text.size() - part;
            std::uint64_t bytes;
            std::memcpy(&bytes, text.data() + from, part);
            const std::uint64_t blanks = blanks_among(bytes >> 8 * (at - from));
            if (blanks != 0) return at + static_cast<std::size_t>(__builtin_ctzll(blanks)) / 8;
            at = from + part;
        }
        return text.size();
    }
#endif
    while (at < text.size() && is_blank(text[at]) != blank) ++at;
    return at;
}

}  // namespace arrow
