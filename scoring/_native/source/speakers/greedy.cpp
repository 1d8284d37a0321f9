#include <algorithm>
#include <numeric>

#include "speakers.hpp"

namespace speakers {

namespace {

constexpr int most_passes = 49;
using Column = std::vector<std::int32_t>;

// The words of a stream that a segment's may be paired with: from `first` and before `last`.
struct Window {
    std::int64_t first, last;
};

// The costs up to each place of a stream, after the words of a segment too; backwards: from each
// place on, before them.
void advance(Column& column, const Words& stream, const Words& segment, Window window,
             std::int32_t substitution, bool backwards) {
    const auto at = [&](std::int64_t place) -> std::int32_t& { return column[static_cast<std::size_t>(place)]; };
    const std::int64_t step = backwards ? -1 : 1;
    const std::int64_t from = backwards ? window.last : window.first;
    const std::int64_t to = backwards ? window.first : window.last;
    const auto added = static_cast<std::int32_t>(segment.count);
    for (std::int64_t k = 0; k < segment.count; ++k) {
        const std::int64_t word = backwards ? segment.count - 1 - k : k;
        std::int32_t corner = at(from);
        at(from) += 1;
        std::int32_t before = at(from);
        for (std::int64_t place = from; place != to; place += step) {
            const std::int64_t heard = backwards ? place - 1 : place;
            std::int32_t& cell = at(place + step);
            const std::int32_t above = cell;
            before = std::min(above, before) + 1;
            if (may_pair(segment, word, stream, heard)) {
                const bool same = segment.ids[word] == stream.ids[heard];
                before = std::min(before, corner + (same ? 0 : substitution));
            }
            cell = before;
            corner = above;
        }
    }
    const std::int64_t end = backwards ? 0 : stream.count, start = backwards ? stream.count : 0;
    for (std::int64_t place = start; place != from; place += step) at(place) += added;
    for (std::int64_t place = to; place != end; place += step) {
        at(place + step) = std::min(at(place + step) + added, at(place) + 1);
    }
}

std::int32_t cheapest(const Column& forward, const Column& backward) {
    std::int32_t best = forward[0] + backward[0];
    for (std::size_t k = 1; k < forward.size(); ++k) best = std::min(best, forward[k] + backward[k]);
    return best;
}

}  // namespace

std::int64_t combine_greedily(const std::vector<Words>& segments, const std::vector<Words>& streams,
                              std::vector<std::int32_t>& choice, Watch& watch) {
    const std::size_t count = streams.size();
    std::vector<std::vector<Window>> windows(count);
    for (std::size_t s = 0; s < count; ++s) {
        const Reach reach(streams[s]);
        for (const Words& segment : segments) {
            Window window{0, streams[s].count};
            if (segment.timed() && segment.count > 0) {
                window.first = reach.first(*std::min_element(segment.begins, segment.begins + segment.count));
                window.last = reach.last(*std::max_element(segment.ends, segment.ends + segment.count));
                window.last = std::max(window.first, window.last);
            }
            windows[s].push_back(window);
        }
    }
    std::vector<std::int32_t> costs(count), with(count), without(count);
    std::vector<Column> updated(count);
    for (const std::int32_t substitution : {2, 1}) {
        for (int pass = 0; pass < most_passes; ++pass) {
            std::vector<Column> forward(count);
            std::vector<std::vector<Column>> backward(count);  // the last of a stream: from its begin on
            for (std::size_t s = 0; s < count; ++s) {
                forward[s].resize(static_cast<std::size_t>(streams[s].count) + 1);
                std::iota(forward[s].begin(), forward[s].end(), 0);
                backward[s].emplace_back(forward[s].rbegin(), forward[s].rend());
            }
            for (std::size_t k = segments.size(); k-- > 0;) {
                const auto s = static_cast<std::size_t>(choice[k]);
                backward[s].push_back(backward[s].back());
                watch.spend(segments[k].count * (windows[s][k].last - windows[s][k].first) * 2);
                advance(backward[s].back(), streams[s], segments[k], windows[s][k], substitution, true);
            }
            for (std::size_t s = 0; s < count; ++s) costs[s] = backward[s].back()[0];
            bool moved = false;
            for (std::size_t k = 0; k < segments.size(); ++k) {
                const auto current = static_cast<std::size_t>(choice[k]);
                for (std::size_t s = 0; s < count; ++s) {
                    updated[s] = forward[s];
                    watch.spend(segments[k].count * (windows[s][k].last - windows[s][k].first) * 2 + streams[s].count);
                    advance(updated[s], streams[s], segments[k], windows[s][k], substitution, false);
                    if (s == current) {
                        with[s] = costs[s];
                        without[s] = cheapest(forward[s], backward[s][backward[s].size() - 2]);
                    } else {
                        without[s] = costs[s];
                        with[s] = cheapest(updated[s], backward[s].back());
                    }
                }
                std::size_t best = current;
                for (std::size_t s = 0; s < count; ++s) {
                    if (with[s] - without[s] < with[best] - without[best]) best = s;
                }
                std::swap(forward[best], updated[best]);
                backward[current].pop_back();
                if (best == current) continue;
                moved = true;
                choice[k] = static_cast<std::int32_t>(best);
                costs[best] = with[best];
                costs[current] = without[current];
            }
            if (!moved) break;
        }
    }
    return std::accumulate(costs.begin(), costs.end(), std::int64_t{0});
}

}  // namespace speakers
