#include "references.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "../common/helpers.hpp"
#include "draft.hpp"
#include "joined.hpp"
#include "network.hpp"
#include "sequences.hpp"

namespace alignment {
namespace {

std::int32_t lowest(Mask mask) {
    std::int32_t bit = 0;
    for (; (mask & 1) == 0; mask >>= 1) ++bit;
    return bit;
}

// A reference: its types, the place of the first, and the references equal to it.
struct Row {
    Sequence types;
    std::int32_t place;
    Mask mask;

    bool operator<(const Row& other) const {
        if (types.size != other.types.size) return types.size > other.types.size;
        return std::lexicographical_compare(types.data, types.data + types.size, other.types.data,
                                            other.types.data + other.types.size);
    }
};

class Merger {
public:
    Merger(const PathRules& rules, Paths& paths, Watch& watch) : rules_(rules), paths_(paths), watch_(watch) {}

    void add(const Rows& references, const Rows& hypotheses, std::int64_t utterance, std::int64_t number) {
        const std::int64_t first = utterance * number;
        collect(references, first, number);
        parse(rows_[0], merged_, "references");
        for (std::size_t row = 1; row < rows_.size(); ++row) {
            parse(rows_[row], next_, "references");
            join();
            std::swap(merged_, joined_);
        }
        parse({hypotheses[utterance], 0, 1}, heard_, "hypotheses");
        paths_.shortest.push_back(merged_.shortest(words_));
        if (rules_.compounds != Compounds::none) {
            join_neighbours(merged_, references.texts_of(first), heard_, hypotheses.texts_of(utterance),
                            rules_.compounds, watch_);
        }
        rules_.by_sclite ? choose_by_sclite() : choose();
        paths_.offsets.push_back(static_cast<std::int64_t>(paths_.places.size()));
        paths_.heard_offsets.push_back(static_cast<std::int64_t>(paths_.heard.size()));
    }

private:
    // The different references in their order of merging.
    void collect(const Rows& references, std::int64_t first, std::int64_t number) {
        rows_.clear();
        for (std::int64_t r = 0; r < number; ++r) {
            const std::int64_t place =
                references.offsets[first + r] - references.offsets[first];
            rows_.push_back(
                {references[first + r], static_cast<std::int32_t>(place), Mask{1} << r});
        }
        std::stable_sort(rows_.begin(), rows_.end());
        std::size_t kept = 0;
        for (std::size_t row = 1; row < rows_.size(); ++row) {
            if (rows_[kept] < rows_[row]) {
                rows_[++kept] = rows_[row];
            } else {
                rows_[kept].mask |= rows_[row].mask;
            }
        }
        rows_.resize(kept + 1);
    }

    struct Level {
        std::vector<std::int32_t> start;
        std::vector<std::int32_t> ends;
    };

    static void append(Draft& draft, Type type, std::int32_t place, std::uint8_t mark,
                       std::vector<std::int32_t>& arriving, Mask mask) {
        draft.add(type, place, mark);
        for (const std::int32_t arc : arriving) draft.step(arc, mask);
        draft.finish();
        arriving.assign(1, draft.arcs());
    }

    void parse(const Row& row, Draft& draft, const std::string& name) {
        draft.clear();
        std::vector<std::int32_t>& arriving = arriving_;
        arriving.assign(1, 0);
        bool empty = false;
        levels_.clear();
        for (std::int64_t at = 0; at < row.types.size; ++at) {
            const Type type = row.types[at];
            const std::int32_t place = row.place + static_cast<std::int32_t>(at);
            if (type == open_mark) {
                levels_.push_back({arriving, {}});
                empty = true;
            } else if (type == bar_mark || type == close_mark) {
                if (levels_.empty()) {
                    throw std::invalid_argument(name + ": expected a mark that opens alternatives");
                }
                Level& level = levels_.back();
                if (empty) append(draft, bar_mark, place, null_word, arriving, row.mask);
                level.ends.insert(level.ends.end(), arriving.begin(), arriving.end());
                empty = type == bar_mark;
                arriving = empty ? level.start : level.ends;
                if (!empty) levels_.pop_back();
            } else if (type == null_type) {
                append(draft, bar_mark, place, null_word, arriving, row.mask);
                empty = false;
            } else {
                append(draft, type, place, type == wildcard_type ? wildcard : word, arriving,
                       row.mask);
                empty = false;
            }
        }
        if (!levels_.empty()) {
            throw std::invalid_argument(name + ": expected a mark that closes alternatives, found none");
        }
        for (const std::int32_t arc : arriving) draft.step(arc, row.mask);
        draft.finish();
    }

    // Merges `next_` with `merged_`: equal words that face each other are shared.
    void join() {
        const Network left = merged_.network(3.0, 0.001, 3.0);
        const Network right = next_.network(3.0, 0.001, 3.0);
        const NetworkPath path = align(left, right, Pricing::standard, nullptr, watch_);
        joined_.clear();
        numbers_[0].assign(1, 0);
        numbers_[1].assign(1, 0);
        for (const auto& [a, b] : path.steps) {
            if (a == 0 || b == 0 || left.types[a - 1] != right.types[b - 1]) continue;
            copy(0, a);
            copy(1, b);
            start(0, a);
            numbers_[1].push_back(joined_.arcs());
            connect(1, b);
            joined_.finish();
        }
        for (const int side : {0, 1}) copy(side, draft(side).end());
        for (const int side : {0, 1}) connect(side, draft(side).end());
        joined_.finish();
    }

    const Draft& draft(int side) const { return side == 0 ? merged_ : next_; }

    // Copies the arcs of a side before this one.
    void copy(int side, std::int32_t end) {
        for (auto arc = static_cast<std::int32_t>(numbers_[side].size()); arc < end; ++arc) {
            start(side, arc);
            joined_.finish();
        }
    }

    void start(int side, std::int32_t arc) {
        const Draft& from = draft(side);
        const std::size_t at = index(arc) - 1;
        joined_.add(from.types[at], from.places[at], from.marks[at]);
        numbers_[side].push_back(joined_.arcs());
        connect(side, arc);
    }

    void connect(int side, std::int32_t arc) {
        const Draft& from = draft(side);
        for (std::size_t at = from.first(arc); at < from.last(arc); ++at) {
            joined_.step(numbers_[side][index(from.before[at])], from.masks[at]);
        }
    }

    void choose() {
        // a whole edit weighs more than any difference in length
        double step = rules_.prefers_length ? 0.5 : 0;
        for (auto rest = merged_.arcs() + heard_.arcs(); rest > 0; rest /= 2) step /= 2;
        constexpr double never = std::numeric_limits<double>::infinity();
        const Network left = merged_.network(rules_.deletion - step, 0.0, 0.0);
        const Network right = heard_.network(rules_.insertion + step, 0.0, never);
        const NetworkPath path = align(left, right, Pricing::errors, nullptr, watch_, std::int64_t{64} << 20,
                                       rules_.substitution, rules_.insertion);
        follow(path);
        // what prefers long paths is less than half an edit
        paths_.costs.push_back(std::floor(path.cost + 0.5));
    }

    // The costs of a null word and of others without a partner are sclite's.
    void choose_by_sclite() {
        const Network left = merged_.network(3.0, 0.001, 3.0);
        const Network right = heard_.network(3.0, 0.001, 3.0);
        const NetworkPath path = align(left, right, Pricing::standard, nullptr, watch_);
        std::int32_t counts[4] = {0, 0, 0, 0};
        for (const auto& [arc, facing] : path.steps) {
            const bool is_null = (arc == 0 || left.nulls[arc - 1] == null_word) &&
                                 (facing == 0 || right.nulls[facing - 1] == null_word);
            if (is_null) continue;
            if (arc != 0) paths_.places.push_back(merged_.places[index(arc) - 1]);
            if (facing != 0) paths_.heard.push_back(heard_.places[index(facing) - 1]);
            const Edit edit = arc == 0      ? Edit::insertion
                              : facing == 0 ? Edit::deletion
                              : left.types[arc - 1] == right.types[facing - 1] ? Edit::correct
                                                                              : Edit::substitution;
            paths_.edits.push_back(edit);
            ++counts[edit];
        }
        paths_.counts.insert(paths_.counts.end(), counts, counts + 4);
        paths_.edit_offsets.push_back(static_cast<std::int64_t>(paths_.edits.size()));
    }

    void follow(const NetworkPath& path) {
        const auto utterance = static_cast<std::int32_t>(paths_.whole.size());
        const std::size_t first = paths_.places.size();
        const std::size_t first_heard = paths_.heard.size();
        const auto place = [&] { return static_cast<std::int32_t>(paths_.heard.size() - first_heard); };
        Mask every = ~Mask{0};
        Mask mask = every;
        std::int32_t last = 0;
        for (const auto& [arc, facing] : path.steps) {
            merged_.for_each_part(arc, [&](std::int32_t part) {
                const Mask step = merged_.mask(last, part);
                every &= step;
                if ((mask & step) == 0) {
                    paths_.sources.resize(paths_.places.size(), lowest(mask));
                    mask = ~Mask{0};
                }
                mask &= step;
                last = part;
                const std::uint8_t mark = merged_.marks[index(part) - 1];
                const auto words = static_cast<std::int32_t>(paths_.places.size() - first);
                if (mark == wildcard) {
                    paths_.cuts.insert(paths_.cuts.end(), {utterance, words, place(), place()});
                } else if (mark == word) {
                    paths_.places.push_back(merged_.places[index(part) - 1]);
                }
            });
            heard_.for_each_part(facing, [&](std::int32_t part) {
                if (heard_.marks[index(part) - 1] == word) paths_.heard.push_back(heard_.places[index(part) - 1]);
            });
            if (arc == 0 && last != 0 && merged_.marks[index(last) - 1] == wildcard) paths_.cuts.back() = place();
        }
        const Mask end = merged_.mask(last, merged_.end());
        paths_.sources.resize(paths_.places.size(),
                              lowest((mask & end) != 0 ? mask & end : mask));
        paths_.whole.push_back((every & end) != 0 ? lowest(every & end) : -1);
    }

    PathRules rules_;
    Paths& paths_;
    Watch& watch_;
    std::vector<Row> rows_;
    std::vector<Level> levels_;
    std::vector<std::int32_t> arriving_;
    std::vector<std::int32_t> words_;
    std::vector<std::int32_t> numbers_[2];
    Draft merged_;
    Draft next_;
    Draft joined_;
    Draft heard_;
};

}  // namespace

Paths best_paths(const Rows& references, const Rows& hypotheses, std::int64_t utterances,
                 std::int64_t number, const PathRules& rules, std::int64_t threads, Watch& watch) {
    constexpr std::int64_t block = 256;
    std::vector<Paths> blocks(static_cast<std::size_t>((utterances + block - 1) / block));
    share(static_cast<std::int64_t>(blocks.size()), threads, watch, [&](Watch& own) {
        return [&](std::int64_t stretch) {
            Paths& paths = blocks[static_cast<std::size_t>(stretch)];
            Merger merger(rules, paths, own);
            const std::int64_t end = std::min(utterances, (stretch + 1) * block);
            for (std::int64_t utterance = stretch * block; utterance < end; ++utterance) {
                merger.add(references, hypotheses, utterance, number);
            }
        };
    });
    Paths all;
    for (Paths& paths : blocks) all.append(std::move(paths));
    return all;
}

}  // namespace alignment
