// The points of DET curves; see scoring/nist/report/confidence.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "numbers.hpp"

namespace report {

// By the rational approximation that sclite uses.
inline double normal_deviate(double probability) {
    double p = probability;
    if (p >= 1.0) p = 1 - 2.2204e-16;
    if (p <= 0.0) p = 2.2204e-16;
    const double q = p - 0.5;
    if (std::fabs(q) <= 0.42) {
        const double r = q * q;
        return q *
               (((-25.4410604963 * r + 41.3911977353) * r - 18.6150006252) * r + 2.5066282388) /
               ((((3.1308290983 * r - 21.0622410182) * r + 23.0833674374) * r - 8.4735109309) * r +
                1.0);
    }
    const double r = std::sqrt(-std::log(q < 0 ? p : 1.0 - p));
    const double value =
        (((2.3212127685 * r + 4.8501412713) * r - 2.2979647913) * r - 2.7871893113) /
        ((1.6370678189 * r + 3.5438892476) * r + 1.0);
    return q < 0 ? -value : value;
}

struct Ranked {
    std::string confidences;  // doubles
    std::string correct;
};

// Words in ascending order of confidence, equal ones in their order; all confidences are numbers.
inline Ranked ranked(const Doubles& confidences, std::string_view correct) {
    struct Word {
        double confidence;
        char correct;
    };
    std::vector<Word> words(correct.size());
    for (std::size_t word = 0; word < words.size(); ++word) {
        words[word] = {confidences[word], correct[word]};
    }
    std::stable_sort(words.begin(), words.end(), [](const Word& one, const Word& other) {
        return one.confidence < other.confidence;
    });
    Ranked made{std::string(words.size() * sizeof(double), '\0'), std::string(words.size(), '\0')};
    for (std::size_t word = 0; word < words.size(); ++word) {
        std::memcpy(&made.confidences[word * sizeof(double)], &words[word].confidence,
                    sizeof(double));
        made.correct[word] = words[word].correct;
    }
    return made;
}

// The points of a curve, a line each, as scoring.nist.report.confidence.plain_det_data writes them;
// all confidences are numbers.
inline std::string det_data(const Doubles& confidences, std::string_view correct) {
    std::vector<double> right, wrong;
    for (std::size_t word = 0; word < correct.size(); ++word) {
        (correct[word] != 0 ? right : wrong).push_back(confidences[word]);
    }
    std::sort(right.begin(), right.end());
    std::sort(wrong.begin(), wrong.end());
    const auto text_of = [](double probability) {
        NumberText text;
        return std::string(text, format(text, normal_deviate(probability), 6));
    };
    const auto share = [&](std::size_t part, const std::vector<double>& words) {
        if (words.empty()) return std::string("nan");
        return text_of(static_cast<double>(part) / static_cast<double>(words.size()));
    };
    std::string made = text_of(0.0005) + ' ' + text_of(0.5) + '\n';
    std::size_t last = 0;  // where the last line begins
    const auto add = [&](const std::string& lost, const std::string& kept) {
        last = made.size();
        made.append(lost).append(1, ' ').append(kept).append(1, '\n');
    };
    std::string lost = share(0, right);
    std::size_t passed = 1;
    for (std::size_t number = 1; number <= std::max<std::size_t>(wrong.size(), 1); ++number) {
        const bool more = number < wrong.size();
        const std::string kept = share(wrong.size() - number + 1, wrong);
        while (passed < right.size() && !(more && wrong[number] < right[passed])) {
            lost = share(passed++, right);
            add(lost, kept);
        }
        if (more) add(lost, share(wrong.size() - number, wrong));
    }
    // a list without a word has one of none, whose point is not drawn
    if (right.empty() || wrong.empty()) made.resize(last);
    return made;
}

}  // namespace report
