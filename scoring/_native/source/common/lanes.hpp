// Sixteen bytes at once, where the compiler knows vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__GNUC__)
using Lanes = std::uint8_t __attribute__((vector_size(16)));
inline constexpr std::size_t lanes = sizeof(Lanes);

inline Lanes lanes_at(const void* bytes) {
    Lanes part;
    std::memcpy(&part, bytes, lanes);
    return part;
}

inline bool has_any(const Lanes& part) {
    std::uint64_t halves[2];
    std::memcpy(halves, &part, lanes);
    return (halves[0] | halves[1]) != 0;
}
#endif
