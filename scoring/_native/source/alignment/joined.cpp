#include "joined.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alignment {
namespace {

using Arcs = std::vector<std::int32_t>;
// Arcs one after the other, null words among them, and what they spell.
using Spelled = std::pair<Arcs, std::string>;

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// A network, the words of its arcs, and the arcs that may follow each.
class Side {
public:
    Side(const Draft& draft, const std::string_view* texts) : draft_(draft), texts_(texts), after_(index(draft.end()) + 1) {
        for (std::int32_t arc = 1; arc < draft.end(); ++arc) {
            for (std::size_t at = draft.first(arc); at < draft.last(arc); ++at) {
                after_[index(draft.before[at])].push_back(arc);
            }
            if (is_word(arc)) words_.emplace_back(text(arc), arc);
        }
        std::sort(words_.begin(), words_.end());
    }

    const Draft& draft() const { return draft_; }
    bool is_word(std::int32_t arc) const { return draft_.marks[index(arc) - 1] == word; }
    std::string_view text(std::int32_t arc) const { return texts_[index(draft_.places[index(arc) - 1])]; }

    // Words with their arcs, sorted; those that begin with a text.
    using Words = std::vector<std::pair<std::string_view, std::int32_t>>;
    const Words& words() const { return words_; }
    std::pair<Words::const_iterator, Words::const_iterator> beginning_with(std::string_view text) const {
        const auto first = std::lower_bound(words_.begin(), words_.end(), std::make_pair(text, std::int32_t{0}));
        const auto last = std::partition_point(first, words_.end(),
                                               [text](const auto& entry) { return begins(entry.first, text); });
        return {first, last};
    }

    // Calls `take(arcs)` with the arcs and one more word, and the null words before it.
    template <class Take>
    void for_each_longer(const Arcs& arcs, const Take& take) const {
        for (const std::int32_t arc : after_[index(arcs.back())]) {
            const std::uint8_t mark = draft_.marks[index(arc) - 1];
            if (mark != word && mark != null_word) continue;
            Arcs more = arcs;
            more.push_back(arc);
            if (mark == word) {
                take(std::move(more));
            } else {
                for_each_longer(more, take);
            }
        }
    }

private:
    const Draft& draft_;
    const std::string_view* texts_;
    std::vector<Arcs> after_;
    Words words_;
};

// Neighbours of one side that spell a word of the other.
void find_words(const Side& parts, const Side& whole, std::set<Spelled>& spelled, Watch& watch) {
    for (const auto& [first, begin] : parts.words()) {
        const auto [from, to] = whole.beginning_with(first);
        watch.spend(64);
        if (from == to || std::prev(to)->first == first) continue;  // no word is longer
        std::vector<Spelled> open{{Arcs{begin}, std::string(first)}};
        while (!open.empty()) {
            const Spelled one = std::move(open.back());
            open.pop_back();
            parts.for_each_longer(one.first, [&](Arcs more) {
                std::string text = one.second;
                text += parts.text(more.back());
                const auto [at, end] = whole.beginning_with(text);
                watch.spend(64);
                if (at == end) return;
                if (at->first == text) spelled.emplace(more, text);
                open.emplace_back(std::move(more), std::move(text));
            });
        }
    }
}

struct Region {
    Spelled left;
    Spelled right;
};

// Neighbours of both sides that spell the same, one of them several words, and no part of them does.
void find_regions(const Side& left, const Side& right, std::set<Spelled> (&spelled)[2], Watch& watch) {
    const auto look_from = [&](std::int32_t begin, std::int32_t start) {
        std::vector<Region> open{
            {{Arcs{begin}, std::string(left.text(begin))}, {Arcs{start}, std::string(right.text(start))}}};
        while (!open.empty()) {
            Region region = std::move(open.back());
            open.pop_back();
            watch.spend(64);
            const std::string& ours = region.left.second;
            const std::string& theirs = region.right.second;
            if (ours == theirs) {
                if (region.left.first.size() > 1) spelled[0].insert(region.left);
                if (region.right.first.size() > 1) spelled[1].insert(region.right);
            } else if (begins(theirs, ours)) {
                left.for_each_longer(region.left.first, [&](Arcs more) {
                    const std::string_view last = left.text(more.back());
                    open.push_back({{std::move(more), ours + std::string(last)}, region.right});
                });
            } else if (begins(ours, theirs)) {
                right.for_each_longer(region.right.first, [&](Arcs more) {
                    const std::string_view last = right.text(more.back());
                    open.push_back({region.left, {std::move(more), theirs + std::string(last)}});
                });
            }
        }
    };
    for (const auto& [text, begin] : left.words()) {
        const auto [from, to] = right.beginning_with(text);
        for (auto at = from; at != to; ++at) look_from(begin, at->second);
        for (std::size_t size = 0; size < text.size(); ++size) {
            const std::string_view part = text.substr(0, size);
            for (auto at = right.beginning_with(part).first; at != right.words().end() && at->first == part; ++at) {
                look_from(begin, at->second);
            }
        }
    }
}

// The network with further arcs, each after the last of its parts.
Draft with_arcs(const Draft& draft, const std::set<Spelled>& spelled, const std::map<std::string, Type>& types,
                std::uint8_t mark) {
    Draft made;
    made.part_offsets.push_back(0);
    std::vector<std::int32_t> number{0};  // of each old arc
    std::map<std::int32_t, Arcs> beside;  // the joined arcs that end where an arc ends
    std::map<std::int32_t, std::vector<const Spelled*>> ends;
    for (const Spelled& one : spelled) ends[one.first.back()].push_back(&one);
    const auto connect = [&](std::int32_t arc) {
        for (std::size_t at = draft.first(arc); at < draft.last(arc); ++at) {
            made.step(number[index(draft.before[at])], draft.masks[at]);
            const auto others = beside.find(draft.before[at]);
            if (others == beside.end()) continue;
            for (const std::int32_t other : others->second) made.step(other, draft.masks[at]);
        }
        made.finish();
    };
    for (std::int32_t arc = 1; arc < draft.end(); ++arc) {
        const std::size_t at = index(arc) - 1;
        made.add(draft.types[at], draft.places[at], draft.marks[at]);
        number.push_back(made.arcs());
        made.part_offsets.push_back(made.parts.size());
        connect(arc);
        const auto ending = ends.find(arc);
        if (ending == ends.end()) continue;
        for (const Spelled* const one : ending->second) {
            made.add(types.at(one->second), draft.places[at], mark);
            for (const std::int32_t part : one->first) made.parts.push_back(number[index(part)]);
            made.part_offsets.push_back(made.parts.size());
            connect(one->first.front());
            beside[arc].push_back(made.arcs());
        }
    }
    connect(draft.end());
    return made;
}

// The words of a network, in any order.
std::vector<std::string_view> words_of(const Draft& draft, const std::string_view* texts) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < draft.places.size(); ++at) {
        if (draft.marks[at] == word) words.emplace_back(texts[index(draft.places[at])]);
    }
    return words;
}

// True if some word begins with a part, and then with another one or within it: no others can be joined.
bool may_join(const std::vector<std::string_view>& parts, const std::vector<std::string_view>& words) {
    for (const std::string_view part : parts) {
        for (const std::string_view one : words) {
            if (part.empty() || one.empty()) return true;
            if (one.size() <= part.size() || one[0] != part[0] || !begins(one, part)) continue;
            const std::string_view rest = one.substr(part.size());
            for (const std::string_view next : parts) {
                if (begins(rest, next) || begins(next, rest)) return true;
            }
        }
    }
    return false;
}

}  // namespace

void join_neighbours(Draft& left, const std::string_view* left_texts, Draft& right, const std::string_view* right_texts,
                     Compounds compounds, Watch& watch) {
    const auto mine = words_of(left, left_texts);
    const auto theirs = words_of(right, right_texts);
    if (!may_join(mine, theirs) && !may_join(theirs, mine)) return;
    std::set<Spelled> spelled[2];
    const Side sides[2] = {{left, left_texts}, {right, right_texts}};
    if (compounds == Compounds::words) {
        find_words(sides[0], sides[1], spelled[0], watch);
        find_words(sides[1], sides[0], spelled[1], watch);
    } else {
        find_regions(sides[0], sides[1], spelled, watch);
    }
    if (spelled[0].empty() && spelled[1].empty()) return;
    // words of the hypothesis that the references lack have one type; now each has its own
    std::map<std::string, Type> types;
    for (const Side& side : sides) {
        for (const auto& [text, arc] : side.words()) {
            const Type type = side.draft().types[index(arc) - 1];
            if (type != 0) types.emplace(text, type);
        }
    }
    Type next = 0;
    for (const auto& entry : types) next = std::max(next, entry.second);
    for (const auto& [text, arc] : sides[1].words()) {
        if (types.emplace(text, next + 1).second) ++next;
        right.types[index(arc) - 1] = types.at(std::string(text));
    }
    for (const auto& every : spelled) {
        for (const Spelled& one : every) {
            if (types.emplace(one.second, next + 1).second) ++next;
        }
    }
    const std::uint8_t mark = compounds == Compounds::words ? joined : joined_alike;
    left = with_arcs(left, spelled[0], types, mark);
    right = with_arcs(right, spelled[1], types, mark);
}

}  // namespace alignment
