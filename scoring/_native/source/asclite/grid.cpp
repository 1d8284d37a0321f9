#include "grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

namespace asclite {

namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::int64_t letters_apart(std::string_view left, std::string_view right) {
    if (left.empty() || right.empty()) return 0;
    std::vector<std::int64_t> row(right.size() + 1);
    for (std::size_t j = 0; j <= right.size(); ++j) row[j] = static_cast<std::int64_t>(j);
    for (std::size_t i = 1; i <= left.size(); ++i) {
        std::int64_t corner = row[0];
        row[0] = static_cast<std::int64_t>(i);
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::int64_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, corner + (left[i - 1] != right[j - 1])});
            corner = above;
        }
    }
    return row.back();
}

// Between two intervals, 0 where they touch; -1 where a time is unknown.
std::int64_t gap(const Axis& a, std::int64_t i, const Axis& b, std::int64_t j) {
    if (a.begins[i] < 0 || a.ends[i] < 0 || b.begins[j] < 0 || b.ends[j] < 0) return -1;
    if (a.ends[i] < b.begins[j]) return b.begins[j] - a.ends[i];
    if (b.ends[j] < a.begins[i]) return a.begins[i] - b.ends[j];
    return 0;
}

// Several cells at a time, which -O2 of some compilers leaves.
#if defined(__GNUC__) && !defined(__clang__)
#define ASCLITE_VECTORS __attribute__((optimize("O3")))
#else
#define ASCLITE_VECTORS
#endif

ASCLITE_VECTORS void relax(Cost* row, const Cost* from, std::int64_t width, Cost price) {
    for (std::int64_t j = 0; j < width; ++j) row[j] = std::min(row[j], from[j] + price);
}

ASCLITE_VECTORS void relax(Cost* row, const Cost* from, std::int64_t width, const Cost* prices) {
    for (std::int64_t j = 0; j < width; ++j) row[j] = std::min(row[j], from[j] + prices[j]);
}

}  // namespace

bool Axis::chained() const {
    for (std::int64_t word = 0; word < words; ++word) {
        if (offsets[word + 1] - offsets[word] != 1 || before[offsets[word]] != word) return false;
    }
    return true;
}

std::int64_t Axis::window() const {
    std::int64_t most = 1;
    for (std::int64_t word = 0; word < words; ++word) {
        for (std::int64_t k = offsets[word]; k < offsets[word + 1]; ++k) {
            most = std::max(most, word + 1 - before[k]);
        }
    }
    return most;
}

Grid::Grid(const Problem& problem, Watch& watch)
    : problem_(problem), watch_(watch), axes_(problem.axes) {
    // one axis alone gets rows of a single cell
    const std::size_t fast = problem_.fast;
    if (fast == axes_.size()) axes_.emplace_back();
    strides_.assign(axes_.size(), 0);
    width_ = axes_[fast].words + 1;
    strides_[fast] = 1;
    size_ = width_;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
        if (axis == problem_.slow || axis == fast) continue;
        middle_.push_back(axis);
        strides_[axis] = size_;
        size_ *= axes_[axis].words + 1;
    }
    chained_ = axes_[fast].chained();
    window_ = axes_[problem_.slow].window();
    block_ = std::max<std::int64_t>(problem_.block, 1);
    layers_.resize(static_cast<std::size_t>(axes_[problem_.slow].words) + 1);
    slow_pairs_.resize(axes_.size());
    pairs_.resize(axes_.size() * axes_.size());
    if (problem_.prices.multiple || problem_.prices.prune >= 0) return;
    for (std::size_t a : middle_) {
        for (std::size_t b = 0; b < axes_.size(); ++b) {
            if (b == problem_.slow || !opposite(a, b) || (b < a && b != fast)) continue;
            std::vector<Cost>& prices = pairs_[a * axes_.size() + b];
            prices.reserve(static_cast<std::size_t>(axes_[a].words * axes_[b].words));
            for (std::int64_t i = 1; i <= axes_[a].words; ++i) {
                watch_.spend(axes_[b].words * 8);
                for (std::int64_t j = 1; j <= axes_[b].words; ++j) prices.push_back(pair(a, i, b, j));
            }
        }
    }
}

bool Grid::same(std::int32_t left, std::int32_t right) const {
    if (left == right && !problem_.prices.fragments) return true;
    if (!problem_.prices.fragments) return false;
    const auto text = [&](std::int32_t id) { return problem_.texts[static_cast<std::size_t>(id)]; };
    const std::string_view a = text(left), b = text(right);
    const Part one = problem_.parts[left], other = problem_.parts[right];
    if (one == other) {
        if (one == Part::whole) return a == b;
        if (one == Part::end) return ends_with(a, b) || ends_with(b, a);
        return a.find(b) != std::string_view::npos || b.find(a) != std::string_view::npos;
    }
    if (one != Part::whole && other != Part::whole) return false;
    const std::string_view& complete = one == Part::whole ? a : b;
    const std::string_view& piece = one == Part::whole ? b : a;
    const Part part = one == Part::whole ? other : one;
    return part == Part::beginning ? complete.substr(0, piece.size()) == piece
                                   : ends_with(complete, piece);
}

// The cost of two texts; -1: they are the same.
std::int64_t Grid::difference(std::int32_t left, std::int32_t right) {
    const Prices& prices = problem_.prices;
    if (!prices.letters && !prices.fragments) return left == right ? -1 : prices.substitution;
    const std::uint64_t key = static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
    const auto known = differences_.find(key);
    if (known != differences_.end()) return known->second;
    std::int64_t found = same(left, right) ? -1 : prices.substitution;
    if (found >= 0 && prices.letters) {
        found += letters_apart(problem_.texts[static_cast<std::size_t>(left)],
                               problem_.texts[static_cast<std::size_t>(right)]);
    }
    differences_.emplace(key, found);
    return found;
}

Cost Grid::pair(std::size_t a, std::int64_t i, std::size_t b, std::int64_t j) {
    if (a > b) {
        std::swap(a, b);
        std::swap(i, j);
    }
    const Prices& prices = problem_.prices;
    const Axis& stream = axes_[a];
    const Axis& speaker = axes_[b];
    --i;
    --j;
    const std::size_t speakers = problem_.axes.size() - problem_.streams;
    const bool wrong = problem_.wrong != nullptr &&
                       problem_.wrong[a * speakers + (b - problem_.streams)] != 0;
    const std::int64_t apart =
        prices.widest >= 0 || prices.nearness > 0 ? gap(stream, i, speaker, j) : 0;
    if (prices.widest >= 0 && apart > prices.widest) return never;
    std::int64_t cost = 0;
    if (prices.divider > 0) {
        cost = prices.substitution * (std::abs(stream.begins[i] - speaker.begins[j]) +
                                      std::abs(stream.ends[i] - speaker.ends[j]));
        cost = (cost + (wrong ? prices.wrong_speaker : 0)) / prices.divider;
    } else {
        cost = difference(stream.texts[i], speaker.texts[j]);
        if (cost < 0) cost = wrong ? prices.wrong_speaker : 0;
        if (apart > 0 && prices.nearness > 0) cost += prices.nearness * apart / prices.duration;
    }
    return cost < never ? static_cast<Cost>(cost) : never;
}

// asclite forbids some deletions under a limit of time: of words without times of their own that
// lie too far before a word which another axis stands at.
bool Grid::prunable(const Place& at, std::size_t axis) const {
    const Axis& own = axes_[axis];
    const std::int64_t word = at[axis] - 1;
    if (own.loose[word] == 0 || own.begins[word] < 0 || own.ends[word] < 0) return false;
    for (std::size_t other = 0; other < at.size(); ++other) {
        if (other == axis) continue;
        if (at[other] == 0) return false;
        const std::int64_t stays = at[other] - 1;
        const std::int64_t begin = axes_[other].begins[stays], end = axes_[other].ends[stays];
        if (begin < 0 || end < 0) return false;
        if (own.begins[word] >= begin) continue;
        const std::int64_t apart = own.ends[word] < begin ? begin - own.ends[word]
                                   : end < own.begins[word] ? own.begins[word] - end
                                                            : 0;
        if (apart > problem_.prices.prune) return true;
    }
    return false;
}

template <class Visit>
void Grid::steps(const Place& at, Visit visit) {
    if (problem_.prices.multiple) return multiple_steps(at, visit);
    Place from = at;
    const auto each = [&](std::size_t axis, auto&& take) {
        const Axis& own = axes_[axis];
        if (at[axis] == 0) return;
        for (std::int64_t k = own.offsets[at[axis]]; k-- > own.offsets[at[axis] - 1];) {
            from[axis] = own.before[k];
            take();
        }
        from[axis] = at[axis];
    };
    const bool pruned = problem_.prices.prune >= 0;
    const auto alone = [&](std::size_t axis) {
        if (pruned && prunable(at, axis)) return;
        visit(from, static_cast<Cost>(axes_[axis].singles[at[axis] - 1]), 1);
    };
    for (std::size_t stream = problem_.streams; stream-- > 0;) {
        each(stream, [&] { alone(stream); });
    }
    for (std::size_t speaker = problem_.axes.size(); speaker-- > problem_.streams;) {
        each(speaker, [&] {
            for (std::size_t stream = problem_.streams; stream-- > 0;) {
                if (at[stream] == 0) continue;
                const Cost price = pair(stream, at[stream], speaker, at[speaker]);
                if (price < never) each(stream, [&] { visit(from, price, 2); });
            }
            alone(speaker);
        });
    }
}

// Any axes may step together: all places but the own one, the first axis turning slowest backwards.
template <class Visit>
void Grid::multiple_steps(const Place& at, Visit visit) {
    const std::size_t axes = problem_.axes.size();
    std::vector<std::vector<std::int32_t>> choices(axes);
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const Axis& own = axes_[axis];
        choices[axis].push_back(at[axis]);
        if (at[axis] == 0) continue;
        const std::int64_t first = own.offsets[at[axis] - 1];
        for (std::int64_t k = first; k < own.offsets[at[axis]]; ++k) {
            if (own.before[k] != choices[axis].back()) choices[axis].push_back(own.before[k]);
        }
    }
    std::vector<std::size_t> turn(axes);
    for (std::size_t axis = 0; axis < axes; ++axis) turn[axis] = choices[axis].size() - 1;
    Place from(axes);
    for (;;) {
        int changed = 0;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            from[axis] = choices[axis][turn[axis]];
            changed += from[axis] != at[axis];
        }
        if (changed == 0) return;  // the own place is the last
        visit(from, together(at, from), changed);
        for (std::size_t axis = 0; turn[axis]-- == 0; ++axis) turn[axis] = choices[axis].size() - 1;
    }
}

Cost Grid::together(const Place& at, const Place& from) {
    std::vector<std::pair<std::int32_t, std::int64_t>> counts;
    std::int64_t changed = 0, most = 0, single = problem_.prices.optional;
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1, own_time = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
        if (at[axis] == from[axis]) continue;
        ++changed;
        const Axis& own = axes_[axis];
        const std::int64_t word = at[axis] - 1;
        single = own.singles[word];
        first = std::min(first, own.begins[word]);
        last = std::max(last, own.ends[word]);
        own_time = own.ends[word] - own.begins[word];
        const std::int32_t text = own.texts[word];
        std::size_t found = counts.size();
        for (std::size_t k = 0; k < counts.size(); ++k) {
            if (same(text, counts[k].first)) found = k;
        }
        if (found == counts.size()) counts.emplace_back(text, 0);
        most = std::max(most, ++counts[found].second);
    }
    const auto stays = static_cast<std::int64_t>(at.size()) - changed;
    if (problem_.prices.divider > 0) {
        // asclite looks at the last of the words alone
        const std::int64_t cost = single * stays * (last - first) +
                                  problem_.prices.substitution * (last - first - own_time);
        return static_cast<Cost>(std::clamp<std::int64_t>(cost / problem_.prices.divider, 0, never - 1));
    }
    return static_cast<Cost>(single * stays + problem_.prices.substitution * (changed - most));
}

Cost Grid::cost_at(const Place& at) const {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) offset += at[axis] * strides_[axis];
    return layers_[static_cast<std::size_t>(at[problem_.slow])][static_cast<std::size_t>(offset)];
}

void Grid::fill(std::int64_t layer) {
    auto& cells = layers_[static_cast<std::size_t>(layer)];
    cells.reset(new Cost[static_cast<std::size_t>(size_)]);
    std::fill_n(cells.get(), size_, never);
    const bool slowly = problem_.prices.multiple || problem_.prices.prune >= 0;
    for (std::size_t axis = 0; axis < axes_.size() && layer > 0 && !slowly; ++axis) {
        if (axis == problem_.slow || !opposite(axis, problem_.slow)) continue;
        std::vector<Cost>& prices = slow_pairs_[axis];
        prices.resize(static_cast<std::size_t>(axes_[axis].words));
        for (std::size_t j = 0; j < prices.size(); ++j) {
            prices[j] = pair(problem_.slow, layer, axis, static_cast<std::int64_t>(j) + 1);
        }
    }
    Place at(problem_.axes.size(), 0);
    at[problem_.slow] = static_cast<std::int32_t>(layer);
    for (Cost* row = cells.get();; row += width_) {
        watch_.spend(width_ * static_cast<std::int64_t>(slowly ? 100 : axes_.size()));
        if (slowly) {
            fill_slowly(at, row);
        } else {
            fill_row(layer, at, row);
        }
        std::size_t turning = 0;
        for (; turning < middle_.size(); ++turning) {
            std::int32_t& number = at[middle_[turning]];
            if (++number <= axes_[middle_[turning]].words) break;
            number = 0;
        }
        if (turning == middle_.size()) return;
    }
}

void Grid::fill_slowly(const Place& start, Cost* row) {
    Place at = start;
    for (std::int64_t j = 0; j < width_; ++j) {
        if (problem_.fast < at.size()) at[problem_.fast] = static_cast<std::int32_t>(j);
        if (std::all_of(at.begin(), at.end(), [](std::int32_t number) { return number == 0; })) {
            row[j] = 0;
            continue;
        }
        steps(at, [&](const Place& from, Cost price, int) {
            row[j] = std::min(row[j], cost_at(from) + price);
        });
    }
}

void Grid::fill_row(std::int64_t layer, const Place& at, Cost* row) {
    const std::size_t slow = problem_.slow, fast = problem_.fast;
    const Axis& last = axes_[fast];
    if (std::all_of(at.begin(), at.end(), [](std::int32_t number) { return number == 0; })) {
        row[0] = 0;
    }
    const std::int64_t offset = row - layers_[static_cast<std::size_t>(layer)].get();
    // what one axis alone adds, and its pairs with the words of the row
    const auto one = [&](std::size_t axis, std::int64_t word, const Cost* from, const Cost* prices) {
        relax(row, from, width_, static_cast<Cost>(axes_[axis].singles[word - 1]));
        if (!opposite(axis, fast)) return;
        if (chained_) {
            relax(row + 1, from, width_ - 1, prices);
            return;
        }
        for (std::int64_t j = 1; j < width_; ++j) {
            for (std::int64_t k = last.offsets[j - 1]; k < last.offsets[j]; ++k) {
                row[j] = std::min(row[j], from[last.before[k]] + prices[j - 1]);
            }
        }
    };
    const auto each = [&](std::size_t axis, auto&& take) {
        const Axis& own = axes_[axis];
        const std::int64_t word = at[axis];
        for (std::int64_t k = own.offsets[word - 1]; k < own.offsets[word]; ++k) take(own.before[k]);
    };
    const auto two = [&](std::size_t axis, const Cost* from, Cost price) {
        if (price == never) return;
        each(axis, [&](std::int64_t before) {
            relax(row, from - (at[axis] - before) * strides_[axis], width_, price);
        });
    };
    if (layer > 0) {
        each(slow, [&](std::int64_t before) {
            const Cost* from = layers_[static_cast<std::size_t>(before)].get() + offset;
            one(slow, layer, from, slow_pairs_[fast].data());
            for (std::size_t axis : middle_) {
                if (at[axis] == 0 || !opposite(axis, slow)) continue;
                two(axis, from, slow_pairs_[axis][static_cast<std::size_t>(at[axis] - 1)]);
            }
        });
    }
    for (std::size_t a : middle_) {
        if (at[a] == 0) continue;
        const auto prices = [&](std::size_t b) {
            const std::vector<Cost>& all = pairs_[a * axes_.size() + b];
            return all.data() + (at[a] - 1) * axes_[b].words;
        };
        each(a, [&](std::int64_t before) {
            const Cost* from = row - (at[a] - before) * strides_[a];
            one(a, at[a], from, opposite(a, fast) ? prices(fast) : nullptr);
            for (std::size_t b : middle_) {
                if (b > a && at[b] != 0 && opposite(a, b)) two(b, from, prices(b)[at[b] - 1]);
            }
        });
    }
    Cost least = row[0];
    for (std::int64_t j = 1; j < width_ && chained_; ++j) {
        least = row[j] = std::min(row[j], least + static_cast<Cost>(last.singles[j - 1]));
    }
    for (std::int64_t j = 1; j < width_ && !chained_; ++j) {
        const auto price = static_cast<Cost>(last.singles[j - 1]);
        for (std::int64_t k = last.offsets[j - 1]; k < last.offsets[j]; ++k) {
            row[j] = std::min(row[j], row[last.before[k]] + price);
        }
    }
}

// Layers stay where a block begins: as many as later words look back.
bool Grid::kept(std::int64_t layer) const {
    return (layer + block_ - 1) / block_ * block_ - layer < window_;
}

void Grid::leave(std::int64_t layer) {
    if (layer >= 0 && !kept(layer)) layers_[static_cast<std::size_t>(layer)].reset();
}

// Makes sure of all layers of the block that ends with this one; those kept are there.
void Grid::want(std::int64_t layer) {
    const std::int64_t start = (std::max<std::int64_t>(layer, 1) - 1) / block_ * block_;
    if (start != start_) {
        for (std::size_t other = 0; other < layers_.size(); ++other) {
            leave(static_cast<std::int64_t>(other));
        }
        start_ = start;
    }
    for (std::int64_t one = start + 1; one <= layer; ++one) {
        if (!layers_[static_cast<std::size_t>(one)]) fill(one);
    }
}

std::int64_t Grid::align(std::vector<std::int32_t>& path) {
    const std::int64_t last = axes_[problem_.slow].words;
    start_ = std::max<std::int64_t>(last - 1, 0) / block_ * block_;
    for (std::int64_t layer = 0; layer <= last; ++layer) {
        fill(layer);
        if (layer - window_ <= start_) leave(layer - window_);
    }
    const std::size_t axes = problem_.axes.size();
    // of the cheapest ends the one that comes last where the first axis turns fastest
    Place at(axes), end(axes);
    std::vector<std::int64_t> turn(axes, 0);
    Cost cost = std::numeric_limits<Cost>::max();
    for (bool more = true; more;) {
        for (std::size_t axis = 0; axis < axes; ++axis) {
            end[axis] = axes_[axis].last_count == 0 ? 0 : axes_[axis].lasts[turn[axis]];
        }
        want(end[problem_.slow]);
        const Cost found = cost_at(end);
        if (found <= cost) {
            cost = found;
            at = end;
        }
        more = false;
        for (std::size_t axis = 0; axis < axes && !more; ++axis) {
            more = ++turn[axis] < axes_[axis].last_count;
            if (!more) turn[axis] = 0;
        }
    }
    Place best(axes);
    for (;;) {
        want(at[problem_.slow]);
        Cost least = never;
        bool any = false, paired = false;
        int most = 0;
        steps(at, [&](const Place& from, Cost price, int changed) {
            const Cost found = cost_at(from) + price;
            const bool better = !any || found < least;
            const bool tied = found == least &&
                              (problem_.prices.multiple ? changed > most : changed == 2 && !paired);
            if (!better && !tied) return;
            any = true;
            if (problem_.prices.multiple && !better) most = changed;
            paired = changed == 2;
            least = found;
            best = from;
        });
        if (!any) break;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            path.push_back(best[axis] == at[axis] ? 0 : at[axis]);
        }
        at = best;
    }
    // the steps were found from the last to the first
    const auto count = static_cast<std::ptrdiff_t>(path.size() / axes);
    const auto row = static_cast<std::ptrdiff_t>(axes);
    for (std::ptrdiff_t low = 0, high = count - 1; low < high; ++low, --high) {
        std::swap_ranges(path.begin() + low * row, path.begin() + (low + 1) * row,
                         path.begin() + high * row);
    }
    return cost;
}

}  // namespace asclite
