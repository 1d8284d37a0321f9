// Random words that depend on a seed, a stream and a place in it, and on nothing else.
#pragma once

#include <cstdint>

namespace resampling {

constexpr std::uint64_t step = 0x9E3779B97F4A7C15U;

// The output function of SplitMix64 (Steele, Lea and Flood, 2014).
inline std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

// One stream of a seed; streams with other numbers begin elsewhere in the cycle of 2^64 words.
class Words {
public:
    Words(std::uint64_t seed, std::uint64_t stream)
        : state_(mixed(mixed(seed + step) + (stream + 1) * step)) {}

    std::uint64_t next() { return mixed(state_ += step); }

private:
    std::uint64_t state_;
};

// A whole number below `count` (itself below 2^32): the upper half of the product of 128 bits.
inline std::uint64_t below(std::uint64_t count, std::uint64_t word) {
#ifdef __SIZEOF_INT128__
    __extension__ using Wide = unsigned __int128;  // a single multiplication
    return static_cast<std::uint64_t>((static_cast<Wide>(word) * count) >> 64U);
#else
    return ((word >> 32U) * count + (((word & 0xFFFFFFFFU) * count) >> 32U)) >> 32U;
#endif
}

}  // namespace resampling
