// Cutting texts out of lines, rewriting them and putting them back; the twin of
// scoring/nist/hub/plain_filtering.py, where everything is described.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/watch.hpp"

namespace filtering {

enum class Kind { ctm, stm, trn, txt, rttm };

struct Rule {
    std::string_view source, target, left, right;
};

struct Cut {
    std::string texts, rests;
    std::int64_t stopped = 0;
};

Cut cut(Kind kind, std::string_view data, Watch& watch);

// The bytes written, and the number of the record that cannot be made, or 0.
std::pair<std::string, std::int64_t> join(Kind kind, std::string_view texts, std::string_view rests,
                                          Watch& watch);

// The records of a ctm or stm by place and begin, those of an stm after its comments.
std::string ordered(Kind kind, std::string_view data, Watch& watch);

// Lines without a blank at either end.
std::string trimmed(std::string_view texts, Watch& watch);

// `hits` has a number for each rule.
std::string rewrite(std::string_view text, const std::vector<Rule>& rules, bool case_sensitive,
                    bool copy, std::vector<std::int64_t>& hits, Watch& watch);

}  // namespace filtering
