// Sums by speaker, the raw material of the summaries.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "columns.hpp"

namespace report {

// Utterances; correct, substituted, deleted, inserted words; utterances having errors of any
// kind, substitutions, deletions, insertions.
using Tally = std::array<std::int64_t, 9>;

inline std::size_t speaker_of(const Integers& speakers, std::size_t utterance, std::size_t count) {
    const std::int64_t speaker = speakers[utterance];
    if (speaker < 0 || static_cast<std::size_t>(speaker) >= count) {
        throw std::out_of_range("an utterance is of a speaker that is not listed");
    }
    return static_cast<std::size_t>(speaker);
}

inline std::vector<Tally> sum_by_speaker(const Integers& counts, const Integers& speakers,
                                         std::size_t number_of_speakers) {
    if (counts.size != 4 * speakers.size) {
        throw std::invalid_argument("expected four counts per utterance");
    }
    std::vector<Tally> tallies(number_of_speakers, Tally{});
    for (std::size_t utterance = 0; utterance < speakers.size; ++utterance) {
        Tally& own = tallies[speaker_of(speakers, utterance, number_of_speakers)];
        for (std::size_t kind = 0; kind < 4; ++kind) {
            const std::int64_t count = counts[4 * utterance + kind];
            if (count < 0 || count > std::numeric_limits<std::int32_t>::max()) {
                throw std::invalid_argument("expected counts from 0 and less than 2**31");
            }
        }
        ++own[0];
        own[1] += counts[4 * utterance];
        bool wrong = false;
        for (std::size_t kind = 1; kind < 4; ++kind) {
            const std::int64_t count = counts[4 * utterance + kind];
            own[1 + kind] += count;
            own[5 + kind] += count > 0;
            wrong = wrong || count > 0;
        }
        own[5] += wrong;
    }
    return tallies;
}

struct ConfidenceSums {
    std::int64_t words = 0;
    double correct = 0.0;
    double incorrect = 0.0;
    std::int64_t outside = 0;

    // Binary logarithms, by sclite's own constants and in its order of operations.
    void add(double confidence, bool right) {
        constexpr double lowest = 0.0000001;
        constexpr double highest = 0.9999999;
        constexpr double per_ln2 = 1.4426950408889634074;
        ++words;
        if (!(confidence >= 0.0 && confidence <= 1.0)) ++outside;
        if (highest < confidence) confidence = highest;
        if (lowest > confidence) confidence = lowest;
        if (right) {
            correct += std::log(confidence) * per_ln2;
        } else {
            incorrect += std::log(1.0 - confidence) * per_ln2;
        }
    }
};

inline std::vector<ConfidenceSums> confidence_sums(const Doubles& confidences,
                                                   const Integers& begins, const Edits& edits,
                                                   const Integers& speakers,
                                                   std::size_t number_of_speakers) {
    std::vector<ConfidenceSums> sums(number_of_speakers);
    for (std::size_t utterance = 0; utterance < speakers.size; ++utterance) {
        ConfidenceSums& own = sums[speaker_of(speakers, utterance, number_of_speakers)];
        auto word = static_cast<std::size_t>(begins[utterance]);
        for (const char edit : edits.of(utterance)) {
            if (!has_hypothesis(edit)) continue;
            own.add(confidences[word++], edit == correct || edit == skipped_hypothesis);
        }
    }
    return sums;
}

}  // namespace report
