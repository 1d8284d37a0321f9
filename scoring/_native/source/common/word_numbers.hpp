// Numbers of words that lie in memory which somebody keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "../alignment/tokens.hpp"

// Numbers of words; each new word is asked for once, which may replace it by the same word in memory that stays.
class WordNumbers {
public:
    using Ask = std::function<std::int32_t(std::string_view&)>;

    explicit WordNumbers(Ask ask) : ask_(std::move(ask)), slots_(1024) {}

    std::int32_t of(std::string_view word) {
        Recent& recent = recent_[place_of(word)];
        if (recent.number < 0 || recent.word != word) recent = looked_up(word);
        return recent.number;
    }

private:
    struct Slot {
        Py_hash_t hash = 0;
        std::int32_t number = -1;
        std::string_view word;
    };

    // A word that was asked for, at a place that is found without its hash.
    struct Recent {
        std::string_view word;
        std::int32_t number = -1;
    };
    static constexpr std::size_t recent_bits = 13;

    // Of the ends and the size of a word.
    static std::size_t place_of(std::string_view word) {
        std::uint32_t head = 0;
        std::uint32_t tail = 0;
        const std::size_t size = word.size();
        if (size >= sizeof head) {
            std::memcpy(&head, word.data(), sizeof head);
            std::memcpy(&tail, word.data() + size - sizeof tail, sizeof tail);
        } else if (size > 0) {
            head = static_cast<unsigned char>(word.front());
            tail = static_cast<std::uint32_t>(static_cast<unsigned char>(word[size / 2])) << 8U |
                   static_cast<unsigned char>(word.back());
        }
        const std::uint64_t ends = (static_cast<std::uint64_t>(head) << 32U | tail) + size;
        return static_cast<std::size_t>((ends * 0x9E3779B97F4A7C15U) >> (64U - recent_bits));
    }

    Recent looked_up(std::string_view word) {
        const Py_hash_t hash = hash_.of_bytes(word.data(), word.size());
        Slot& slot = find(word, hash);
        if (slot.number >= 0) return {slot.word, slot.number};
        std::string_view kept = word;
        const std::int32_t number = ask_(kept);
        slot = {hash, number, kept};
        if (3 * ++used_ > 2 * slots_.size()) grow();
        return {kept, number};
    }

    Slot& find(std::string_view word, Py_hash_t hash) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = static_cast<std::size_t>(hash) & mask;
        while (slots_[place].number >= 0 &&
               (slots_[place].hash != hash || slots_[place].word != word)) {
            place = (place + 1) & mask;
        }
        return slots_[place];
    }

    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        before.swap(slots_);
        for (const Slot& slot : before) {
            if (slot.number >= 0) find(slot.word, slot.hash) = slot;
        }
    }

    Ask ask_;
    const alignment::TokenHash hash_;
    std::vector<Slot> slots_;
    std::vector<Recent> recent_ = std::vector<Recent>(std::size_t{1} << recent_bits);
    std::size_t used_ = 0;
};
