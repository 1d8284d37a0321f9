// Columns of word types that others numbered, as the aligners want them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "linear.hpp"

namespace alignment {

// The aligners index tables by type. Types that are negative or far more than there are words
// are numbered anew.
class Columns {
public:
    explicit Columns(const Pairs& pairs) : pairs_(pairs) {
        look(pairs.reference_types, pairs.reference_begins, pairs.reference_ends);
        look(pairs.hypothesis_types, pairs.hypothesis_begins, pairs.hypothesis_ends);
        if (low_ < 0 || (high_ >= always_few && high_ / 2 >= words_)) {
            renumber();
        } else {
            types_ = static_cast<std::size_t>(high_) + 1;
        }
    }

    const Pairs& pairs() const { return pairs_; }
    std::size_t types() const { return types_; }

private:
    static constexpr Type always_few = Type{1} << 16;

    void look(const Type* types, const std::int64_t* begins, const std::int64_t* ends) {
        for (std::int64_t k = 0; k < pairs_.count; ++k) {
            words_ += ends[k] - begins[k];
            for (std::int64_t at = begins[k]; at < ends[k]; ++at) {
                low_ = std::min(low_, types[at]);
                high_ = std::max(high_, types[at]);
            }
        }
    }

    void renumber() {
        std::unordered_map<Type, Type> numbers;
        const auto copy = [&](const Type* types, const std::int64_t* begins,
                              const std::int64_t* ends, std::vector<Type>& into,
                              std::vector<std::int64_t>& bounds) {
            for (std::int64_t k = 0; k < pairs_.count; ++k) {
                for (std::int64_t at = begins[k]; at < ends[k]; ++at) {
                    const auto next = static_cast<Type>(numbers.size());
                    into.push_back(numbers.emplace(types[at], next).first->second);
                }
                bounds.push_back(static_cast<std::int64_t>(into.size()));
            }
        };
        copy(pairs_.reference_types, pairs_.reference_begins, pairs_.reference_ends,
             reference_types_, reference_bounds_);
        copy(pairs_.hypothesis_types, pairs_.hypothesis_begins, pairs_.hypothesis_ends,
             hypothesis_types_, hypothesis_bounds_);
        pairs_ = {pairs_.count,
                  reference_types_.data(), reference_bounds_.data(), reference_bounds_.data() + 1,
                  hypothesis_types_.data(), hypothesis_bounds_.data(),
                  hypothesis_bounds_.data() + 1};
        types_ = std::max<std::size_t>(numbers.size(), 1);
    }

    Pairs pairs_;
    Type low_ = 0;
    Type high_ = 0;
    std::int64_t words_ = 0;
    std::size_t types_ = 1;
    std::vector<Type> reference_types_;
    std::vector<Type> hypothesis_types_;
    std::vector<std::int64_t> reference_bounds_{0};
    std::vector<std::int64_t> hypothesis_bounds_{0};
};

}  // namespace alignment
