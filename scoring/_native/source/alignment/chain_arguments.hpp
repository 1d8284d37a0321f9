// Columns of priced words as Python hands them over.
#pragma once

#include <cstdint>
#include <string>

#include "../common/arguments.hpp"
#include "chains.hpp"
#include "numbers.hpp"

namespace alignment {

// The fields of scoring.alignment.network.Chains, alive and checked.
class ChainArguments {
public:
    ChainArguments(py::handle chains, const std::string& side, Pricing pricing)
        : side_(side),
          types_(chains.attr("types"), side + ".types"),
          begins_(chains.attr("begins"), side + ".begins"),
          ends_(chains.attr("ends"), side + ".ends"),
          singles_(chains.attr("singles"), side + ".singles"),
          weights_(chains.attr("weights"), side + ".weights"),
          word_starts_(chains.attr("starts"), side + ".starts"),
          word_ends_(chains.attr("finishes"), side + ".finishes") {
        const std::int64_t words = types_.size();
        expect(begins_.size() == ends_.size(), "as many begins as ends");
        expect(singles_.size() == words, "one single cost per word");
        expect(pricing != Pricing::weights || weights_.size() == words, "one weight per word");
        expect(pricing != Pricing::times ||
                   (word_starts_.size() == words && word_ends_.size() == words),
               "one start and one end per word");
        const char* wrong = wrong_number(pricing, singles_, weights_, word_starts_, word_ends_);
        expect(wrong == nullptr, wrong);
        for (std::int64_t k = 0; k < count(); ++k) {
            expect(0 <= begins_.data()[k] && begins_.data()[k] <= ends_.data()[k] &&
                       ends_.data()[k] <= words,
                   "ranges inside the column of types");
        }
    }

    std::int64_t count() const { return begins_.size(); }

    Chain chain(std::int64_t utterance) const {
        const std::int64_t begin = begins_.data()[utterance];
        return {ends_.data()[utterance] - begin, at(types_, begin),       at(singles_, begin),
                at(weights_, begin),             at(word_starts_, begin), at(word_ends_, begin)};
    }

private:
    template <class Number>
    static const Number* at(const Buffer<Number>& column, std::int64_t begin) {
        return column.empty() ? nullptr : column.data() + begin;
    }

    void expect(bool condition, const char* what) const {
        if (!condition) throw py::value_error(side_ + ": expected " + what);
    }

    std::string side_;
    Buffer<std::int32_t> types_;
    Buffer<std::int64_t> begins_;
    Buffer<std::int64_t> ends_;
    Buffer<double> singles_;
    Buffer<double> weights_;
    Buffer<double> word_starts_;
    Buffer<double> word_ends_;
};

}  // namespace alignment
