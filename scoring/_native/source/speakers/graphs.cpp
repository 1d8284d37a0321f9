#include "graphs.hpp"

#include <algorithm>
#include <numeric>

#if defined(__GNUC__) && defined(__x86_64__)
#define ADVANCE_INLINE inline __attribute__((always_inline))
#define CAN_TARGET_AVX2 1  // the compiler can; whether the processor has it is asked at run time
#else
#define ADVANCE_INLINE inline
#define CAN_TARGET_AVX2 0
#endif

namespace speakers {

namespace {

constexpr std::int64_t lanes = 32;
// Words of both sides below which costs, and the sum of a cost and what cannot be, fit 16 bits.
constexpr std::int64_t few_words = 16000;
constexpr int most_passes = 49;
// Between two rows that are kept while paths are aligned.
constexpr std::int64_t block = 64;

std::size_t index(std::int64_t at) { return static_cast<std::size_t>(at); }

template <class Cost>
struct Prices {
    Cost deletion, insertion, substitution, none;
};

template <class Cost>
constexpr Prices<Cost> units{1, 1, 1, sizeof(Cost) == 2 ? (1 << 14) - 1 : far};

constexpr Prices<std::int32_t> unit = units<std::int32_t>;

// An arc without a partner, where the other side is at a place.
template <class Cost>
Cost alone(const Graph& one, std::int64_t arc, const Graph& other, std::int64_t place, Cost price, Cost none) {
    const std::uint8_t mark = one.mark(arc);
    if (mark != word) return mark == null_word || mark == wildcard ? 0 : none;
    const bool is_free = place > 0 && other.mark(place) == wildcard && may_pair(one.words, arc - 1, other.words, place - 1);
    return is_free ? 0 : price;
}

// Two arcs that face each other.
template <class Cost>
Cost facing(const Graph& left, std::int64_t arc, const Graph& right, std::int64_t place, const Prices<Cost>& prices) {
    const std::uint8_t mark = left.mark(arc), other = right.mark(place);
    if (mark == null_word || mark == wildcard || other == null_word || other == wildcard) return prices.none;
    if (mark == joined && other == joined) return prices.none;
    if (!may_pair(left.words, arc - 1, right.words, place - 1)) return prices.none;
    if (left.words.ids[arc - 1] == right.words.ids[place - 1]) return 0;
    return mark != word || other != word ? prices.none : prices.substitution;
}

const Graph nothing{};

// The costs of all places of a stream before any segment.
template <class Cost>
std::vector<Cost> start(const Graph& stream, const Prices<Cost>& prices) {
    std::vector<Cost> row{0};
    for (std::int64_t place = 1; place <= stream.size(); ++place) {
        Cost least = prices.none;
        for (const std::int32_t* q = stream.begin_of(place); q != stream.end_of(place); ++q) least = std::min(least, row[index(*q)]);
        const Cost price = alone<Cost>(stream, place, nothing, 0, prices.insertion, prices.none);
        row.push_back(std::min(prices.none, static_cast<Cost>(least + price)));
    }
    return row;
}

// The row of costs after an arc of a segment, of those after each arc before it.
template <class Cost, class RowOf>
void fill(const Graph& left, std::int64_t arc, const Graph& right, const Prices<Cost>& prices, RowOf row_of, std::vector<Cost>& own) {
    own.assign(index(right.size() + 1), prices.none);
    for (std::int64_t place = 0; place <= right.size(); ++place) {
        Cost best = prices.none;
        if (place > 0) {
            const Cost price = facing(left, arc, right, place, prices);
            const bool faces = price < prices.none;
            const Cost inserted = alone<Cost>(right, place, left, arc, prices.insertion, prices.none);
            for (const std::int32_t* q = right.begin_of(place); q != right.end_of(place); ++q) {
                best = std::min<Cost>(best, own[index(*q)] + inserted);
                if (!faces) continue;
                for (const std::int32_t* p = left.begin_of(arc); p != left.end_of(arc); ++p) {
                    best = std::min<Cost>(best, row_of(*p)[index(*q)] + price);
                }
            }
        }
        const Cost deleted = alone<Cost>(left, arc, right, place, prices.deletion, prices.none);
        for (const std::int32_t* p = left.begin_of(arc); p != left.end_of(arc); ++p) {
            best = std::min<Cost>(best, row_of(*p)[index(place)] + deleted);
        }
        own[index(place)] = best;
    }
}

struct Cell {
    std::int64_t arc, place;
};

// The cell before one, by the first way that has its cost: facing arcs, insertion, deletion. Rows
// begin with the place `first`.
template <class Cost, class RowOf>
Cell before(const Graph& left, const Graph& right, const Prices<Cost>& prices, RowOf row_of, const Cell& cell, std::int64_t first = 0) {
    const Cost cost = row_of(cell.arc)[index(cell.place)];
    if (cell.place > first && cell.arc > 0) {
        const Cost price = facing(left, cell.arc, right, cell.place, prices);
        for (const std::int32_t* p = left.begin_of(cell.arc); price < prices.none && p != left.end_of(cell.arc); ++p) {
            for (const std::int32_t* q = right.begin_of(cell.place); q != right.end_of(cell.place); ++q) {
                if (row_of(*p)[index(*q)] + price == cost) return {*p, *q};
            }
        }
    }
    if (cell.place > first) {
        const Graph& other = cell.arc > 0 ? left : nothing;
        const Cost price = alone<Cost>(right, cell.place, other, cell.arc, prices.insertion, prices.none);
        for (const std::int32_t* q = right.begin_of(cell.place); q != right.end_of(cell.place); ++q) {
            if (row_of(cell.arc)[index(*q)] + price == cost) return {cell.arc, *q};
        }
    }
    const Cost price = alone<Cost>(left, cell.arc, right, cell.place, prices.deletion, prices.none);
    for (const std::int32_t* p = left.begin_of(cell.arc); p != left.end_of(cell.arc); ++p) {
        if (row_of(*p)[index(cell.place)] + price == cost) return {*p, cell.place};
    }
    return {0, 0};
}

// The least costs of some lanes, with those at a place after an arc, and the price of a step from it.
template <class Cost>
ADVANCE_INLINE void take(Cost* best, const Cost* from, Cost price) {
    for (std::int64_t l = 0; l < lanes; ++l) best[l] = std::min(best[l], static_cast<Cost>(from[l] + price));
}

// The rows of some lanes after each arc of a segment, of the places of a stream from `offset` on; the
// first row is there already.
template <class Cost>
ADVANCE_INLINE void advance(const Graph& segment, const Graph& stream, std::int64_t offset, std::int64_t size, Cost* rows) {
    constexpr Prices<Cost> prices = units<Cost>;
    const std::int64_t width = size * lanes;
    for (std::int64_t arc = 1; arc <= segment.size(); ++arc) {
        const std::int32_t* const p = segment.begin_of(arc);
        const std::int32_t* const p_end = segment.end_of(arc);
        for (std::int64_t at = 0; at < size; ++at) {
            const std::int64_t place = offset + at;
            const Cost deleted = alone<Cost>(segment, arc, stream, place, 1, prices.none);
            Cost* own = rows + arc * width + at * lanes;
            if (at == 0) {
                std::fill(own, own + lanes, prices.none);
            } else {
                const Cost price = facing(segment, arc, stream, place, prices);
                const Cost inserted = alone<Cost>(stream, place, segment, arc, 1, prices.none);
                const std::int32_t* q = stream.begin_of(place);
                const std::int32_t* const q_end = stream.end_of(place);
                if (q_end - q == 1 && p_end - p == 1) {
                    // of chains, all three steps at once
                    const Cost* corner = rows + *p * width + (*q - offset) * lanes;
                    const Cost* above = rows + *p * width + at * lanes;
                    const Cost* left = rows + arc * width + (*q - offset) * lanes;
                    Cost best[lanes];
                    for (std::int64_t l = 0; l < lanes; ++l) {
                        const Cost across = static_cast<Cost>(corner[l] + price), down = static_cast<Cost>(above[l] + deleted);
                        const Cost along = static_cast<Cost>(left[l] + inserted), least = across < down ? across : down;
                        const Cost less = along < least ? along : least;
                        best[l] = less < prices.none ? less : prices.none;
                    }
                    std::copy(best, best + lanes, own);
                    continue;
                }
                std::fill(own, own + lanes, prices.none);
                for (; q != q_end; ++q) {
                    take(own, rows + arc * width + (*q - offset) * lanes, inserted);
                    if (price == prices.none) continue;
                    for (const std::int32_t* before = p; before != p_end; ++before) {
                        take(own, rows + *before * width + (*q - offset) * lanes, price);
                    }
                }
            }
            for (const std::int32_t* before = p; before != p_end; ++before) take(own, rows + *before * width + at * lanes, deleted);
        }
    }
}

template <class Cost>
void advance_anywhere(const Graph& segment, const Graph& stream, std::int64_t offset, std::int64_t size, Cost* rows) {
    advance(segment, stream, offset, size, rows);
}

#if CAN_TARGET_AVX2
template <class Cost>
__attribute__((target("avx2"))) void advance_wide(const Graph& segment, const Graph& stream, std::int64_t offset, std::int64_t size,
                                                  Cost* rows) {
    advance(segment, stream, offset, size, rows);
}
#endif

template <class Cost>
auto advancing() {
#if CAN_TARGET_AVX2
    if (__builtin_cpu_supports("avx2")) return &advance_wide<Cost>;
#endif
    return &advance_anywhere<Cost>;
}

// All states of the search, with the costs of their places.
template <class Cost>
class States {
public:
    States(const std::vector<std::vector<Graph>>& chains, const std::vector<Graph>& streams, const Plan& plan, Watch& watch)
        : chains_(chains), streams_(streams), states_(plan.states), watch_(watch), advance_(advancing<Cost>()) {
        for (const Graph& stream : streams) inserted_.push_back(start(stream, prices));
    }

    Combined solve() {
        costs_.resize(states_.size());
        costs_[0] = first();
        for (std::size_t k = 1; k < states_.size(); ++k) {
            const State& state = states_[k];
            costs_[k].assign(index(static_cast<std::int64_t>(state.window.cells())), prices.none);
            for (const auto& [chain, from] : state.before) {
                moved_ = in_window(costs_[from], states_[from].window, state.window);
                for (std::size_t s = 0; s < streams_.size(); ++s) lay(segment_before(state, chain), s, state.window, costs_[k]);
            }
        }
        return traced();
    }

private:
    static constexpr Prices<Cost> prices = units<Cost>;

    static Cost capped(std::int32_t cost) { return static_cast<Cost>(std::min<std::int32_t>(cost, prices.none)); }

    const Graph& segment_before(const State& state, std::int32_t chain) const {
        const auto c = static_cast<std::size_t>(chain);
        return chains_[c][index(state.used[c] - 1)];
    }

    std::vector<Cost> first() const {
        std::vector<Cost> costs{0};
        for (std::size_t s = 0; s < streams_.size(); ++s) {
            const std::size_t inner = costs.size();
            for (std::int64_t place = 1; place < states_[0].window.sizes[s]; ++place) {
                for (std::size_t k = 0; k < inner; ++k) costs.push_back(capped(costs[k] + inserted_[s][index(place)]));
            }
        }
        return costs;
    }

    // The costs of a state in another window: words beyond what it knows are inserted.
    std::vector<Cost> in_window(const std::vector<Cost>& costs, const Window& own, const Window& other) const {
        if (own.offsets == other.offsets && own.sizes == other.sizes) return costs;
        std::vector<Cost> found;
        found.reserve(index(static_cast<std::int64_t>(other.cells())));
        Place at(own.sizes.size(), 0);
        for (;;) {
            std::int64_t from = 0, stride = 1;
            std::int32_t beyond = 0;
            for (std::size_t s = 0; s < at.size(); ++s) {
                const std::int64_t place = at[s] + other.offsets[s] - own.offsets[s];
                const std::int64_t nearest = std::min(place, own.sizes[s] - 1);
                beyond += inserted_[s][index(place + own.offsets[s])] - inserted_[s][index(nearest + own.offsets[s])];
                from += nearest * stride;
                stride *= own.sizes[s];
            }
            found.push_back(capped(costs[index(from)] + beyond));
            std::size_t s = 0;
            while (s < at.size() && ++at[s] == other.sizes[s]) at[s++] = 0;
            if (s == at.size()) return found;
        }
    }

    static std::int64_t inner_of(const Window& window, std::size_t s) {
        return std::accumulate(window.sizes.begin(), window.sizes.begin() + static_cast<std::ptrdiff_t>(s), std::int64_t{1},
                               std::multiplies<>());
    }

    // A segment on a stream, from all places of the others; where that is cheaper, it is kept.
    void lay(const Graph& segment, std::size_t s, const Window& window, std::vector<Cost>& best) {
        const std::int64_t size = window.sizes[s], inner = inner_of(window, s);
        const std::int64_t count = static_cast<std::int64_t>(best.size()) / size;
        std::int64_t bases[lanes];
        for (std::int64_t first = 0; first < count; first += lanes) {
            const std::int64_t used = std::min(lanes, count - first);
            for (std::int64_t l = 0; l < lanes; ++l) {
                const std::int64_t lane = first + std::min(l, used - 1);
                bases[l] = lane / inner * inner * size + lane % inner;
            }
            watch_.spend(size * segment.size() * 24);
            rows_.resize(index((segment.size() + 1) * size * lanes));
            for (std::int64_t place = 0; place < size; ++place) {
                for (std::int64_t l = 0; l < lanes; ++l) rows_[index(place * lanes + l)] = moved_[index(bases[l] + place * inner)];
            }
            advance_(segment, streams_[s], window.offsets[s], size, rows_.data());
            const Cost* last = rows_.data() + segment.size() * size * lanes;
            for (std::int64_t place = 0; place < size; ++place) {
                for (std::int64_t l = 0; l < used; ++l) {
                    Cost& cost = best[index(bases[l] + place * inner)];
                    cost = std::min(cost, last[place * lanes + l]);
                }
            }
        }
    }

    Combined traced() {
        Combined found;
        std::size_t k = states_.size() - 1;
        Place at;
        found.cost = 0;
        for (std::size_t s = 0; s < streams_.size(); ++s) {
            const Window& window = states_[k].window;
            at.push_back(window.sizes[s] - 1);
            found.cost += inserted_[s].back() - inserted_[s][index(window.offsets[s] + at[s])];
        }
        found.cost += costs_[k].back();
        while (!states_[k].before.empty()) {
            const State& state = states_[k];
            std::int64_t cell = 0;
            for (std::size_t s = at.size(); s-- > 0;) cell = cell * state.window.sizes[s] + at[s];
            k = step_before(state, costs_[k][index(cell)], at, found);
        }
        std::reverse(found.path.begin(), found.path.end());
        return found;
    }

    // The state before, and in `at` the places there.
    std::size_t step_before(const State& state, Cost cost, Place& at, Combined& found) {
        for (const auto& [chain, from] : state.before) {
            const Window& own = states_[from].window;
            const Graph& segment = segment_before(state, chain);
            moved_ = in_window(costs_[from], own, state.window);
            for (std::size_t s = 0; s < streams_.size(); ++s) {
                const std::int64_t size = state.window.sizes[s], inner = inner_of(state.window, s), offset = state.window.offsets[s];
                std::int64_t base = 0;
                for (std::size_t other = at.size(); other-- > 0;) {
                    base = base * state.window.sizes[other] + (other == s ? 0 : at[other]);
                }
                rows_.resize(index((segment.size() + 1) * size * lanes));
                for (std::int64_t place = 0; place < size; ++place) {
                    std::fill_n(rows_.data() + place * lanes, lanes, moved_[index(base + place * inner)]);
                }
                watch_.spend(size * segment.size() * 24);
                advance_(segment, streams_[s], offset, size, rows_.data());
                if (rows_[index((segment.size() * size + at[s]) * lanes)] != cost) continue;
                const auto row_of = [&](std::int64_t row) { return Row{rows_.data() + row * size * lanes, offset}; };
                Cell cell{segment.size(), offset + at[s]};
                while (cell.arc > 0) cell = before(segment, streams_[s], prices, row_of, cell, offset);
                at[s] = cell.place - offset;
                // in the window of the state before
                for (std::size_t other = 0; other < at.size(); ++other) {
                    at[other] = std::min(at[other] + state.window.offsets[other] - own.offsets[other], own.sizes[other] - 1);
                }
                found.path.push_back({chain, static_cast<std::int32_t>(s)});
                return from;
            }
        }
        return 0;
    }

    // The first lane of a row, by the places of the whole stream.
    struct Row {
        const Cost* first;
        std::int64_t offset;
        Cost operator[](std::size_t place) const { return first[(static_cast<std::int64_t>(place) - offset) * lanes]; }
    };

    const std::vector<std::vector<Graph>>& chains_;
    const std::vector<Graph>& streams_;
    const std::vector<State>& states_;
    Watch& watch_;
    void (*advance_)(const Graph&, const Graph&, std::int64_t, std::int64_t, Cost*);
    std::vector<std::vector<Cost>> inserted_, costs_;
    std::vector<Cost> rows_, moved_;
};

// The arcs and places that follow each.
std::vector<std::vector<std::int32_t>> followers(const Graph& graph) {
    std::vector<std::vector<std::int32_t>> after(index(graph.size() + 1));
    for (std::int64_t arc = 1; arc <= graph.size(); ++arc) {
        for (const std::int32_t* p = graph.begin_of(arc); p != graph.end_of(arc); ++p) after[index(*p)].push_back(static_cast<std::int32_t>(arc));
    }
    return after;
}

class Mover {
public:
    Mover(const std::vector<Graph>& segments, const std::vector<Graph>& streams, Watch& watch)
        : segments_(segments), streams_(streams), watch_(watch) {
        for (const Graph& segment : segments) after_segment_.push_back(followers(segment));
        for (const Graph& stream : streams) after_stream_.push_back(followers(stream));
    }

    using Row = std::vector<std::int32_t>;

    // Moves each segment once, and returns the cost of all streams.
    std::int64_t move(std::vector<std::int32_t>& choice, std::int32_t substitution) {
        prices_.substitution = substitution;
        const std::size_t count = streams_.size();
        std::vector<std::vector<Row>> backward(count);
        std::vector<Row> forward, updated(count);
        Row costs(count), with(count), without(count);
        for (std::size_t s = 0; s < count; ++s) {
            forward.push_back(start(streams_[s], prices_));
            backward[s].push_back(end(s));
        }
        for (std::size_t k = segments_.size(); k-- > 0;) {
            const auto s = static_cast<std::size_t>(choice[k]);
            backward[s].push_back(laid_back(backward[s].back(), k, s));
        }
        for (std::size_t s = 0; s < count; ++s) costs[s] = backward[s].back()[0];
        for (std::size_t k = 0; k < segments_.size(); ++k) {
            const auto current = static_cast<std::size_t>(choice[k]);
            for (std::size_t s = 0; s < count; ++s) {
                updated[s] = laid(forward[s], k, s);
                const bool is_here = s == current;
                with[s] = is_here ? costs[s] : cheapest(updated[s], backward[s].back());
                without[s] = is_here ? cheapest(forward[s], backward[s][backward[s].size() - 2]) : costs[s];
            }
            std::size_t best = current;
            for (std::size_t s = 0; s < count; ++s) {
                if (with[s] - without[s] < with[best] - without[best]) best = s;
            }
            std::swap(forward[best], updated[best]);
            backward[current].pop_back();
            if (best == current) continue;
            choice[k] = static_cast<std::int32_t>(best);
            costs[best] = with[best];
            costs[current] = without[current];
        }
        return std::accumulate(costs.begin(), costs.end(), std::int64_t{0});
    }

private:
    static std::int32_t cheapest(const Row& forward, const Row& backward) {
        std::int32_t best = forward[0] + backward[0];
        for (std::size_t k = 1; k < forward.size(); ++k) best = std::min(best, forward[k] + backward[k]);
        return best;
    }

    Row end(std::size_t s) const {
        const Graph& stream = streams_[s];
        Row row(index(stream.size() + 1), 0);
        for (std::int64_t place = stream.size(); place-- > 0;) {
            std::int32_t best = far;
            for (const std::int32_t q : after_stream_[s][index(place)]) {
                best = std::min(best, row[index(q)] + alone<std::int32_t>(stream, q, nothing, 0, 1, far));
            }
            row[index(place)] = best;
        }
        return row;
    }

    Row laid(const Row& row, std::size_t k, std::size_t s) {
        const Graph& segment = segments_[k];
        std::vector<Row> rows{row};
        rows.resize(index(segment.size() + 1));
        watch_.spend(segment.size() * streams_[s].size() * 8);
        const auto row_of = [&](std::int64_t at) -> const Row& { return rows[index(at)]; };
        for (std::int64_t arc = 1; arc <= segment.size(); ++arc) fill(segment, arc, streams_[s], prices_, row_of, rows[index(arc)]);
        return rows.back();
    }

    // The costs from all places before a segment, of those from all after it.
    Row laid_back(const Row& row, std::size_t k, std::size_t s) {
        const Graph& segment = segments_[k];
        const Graph& stream = streams_[s];
        if (segment.size() == 0) return row;
        watch_.spend(segment.size() * stream.size() * 8);
        std::vector<Row> rows(index(segment.size() + 1), Row(row.size(), far));
        for (std::int64_t arc = segment.size(); arc >= 0; --arc) {
            Row& own = rows[index(arc)];
            for (std::int64_t place = stream.size(); place >= 0; --place) {
                std::int32_t best = arc == segment.size() ? row[index(place)] : far;
                const auto& after = after_stream_[s][index(place)];
                for (const std::int32_t q : after) {
                    best = std::min(best, own[index(q)] + alone<std::int32_t>(stream, q, segment, arc, 1, far));
                }
                for (const std::int32_t p : after_segment_[k][index(arc)]) {
                    const Row& next = rows[index(p)];
                    best = std::min(best, next[index(place)] + alone<std::int32_t>(segment, p, stream, place, 1, far));
                    for (const std::int32_t q : after) best = std::min(best, next[index(q)] + facing(segment, p, stream, q, prices_));
                }
                own[index(place)] = best;
            }
        }
        return rows[0];
    }

    const std::vector<Graph>& segments_;
    const std::vector<Graph>& streams_;
    Watch& watch_;
    Prices<std::int32_t> prices_ = unit;
    std::vector<std::vector<std::vector<std::int32_t>>> after_segment_, after_stream_;
};

}  // namespace

Cuts cuts_of(const Graph& graph) {
    // the arcs that lead past a place, by where they begin and end
    std::vector<std::int32_t> over(index(graph.size() + 2), 0);
    for (std::int64_t arc = 1; arc <= graph.size(); ++arc) {
        for (const std::int32_t* p = graph.begin_of(arc); p != graph.end_of(arc); ++p) {
            ++over[index(*p + 1)];
            --over[index(arc)];
        }
    }
    Cuts cuts;
    std::int32_t sum = 0;
    for (std::int64_t place = 0; place <= graph.size(); ++place) {
        sum += over[index(place)];
        cuts.push_back(sum == 0 ? 1 : 0);
    }
    return cuts;
}

void align(const Graph& left, const Graph& right, bool prefers_length, Watch& watch, std::vector<Arcs>& steps) {
    Prices<std::int64_t> prices{1, 1, 1, std::int64_t{1} << 60};
    if (prefers_length) {
        // an edit weighs more than any difference in length
        std::int64_t edit = 2;
        for (std::int64_t size = left.size() + right.size(); size > 0; size >>= 1) edit <<= 1;
        prices = {edit - 1, edit + 1, edit, prices.none};
    }
    using Row = std::vector<std::int64_t>;
    // only some rows are kept, at arcs that all paths have, and those between worked out again
    const Cuts cuts = cuts_of(left);
    std::vector<std::int64_t> kept{0};
    std::vector<Row> heads{start(right, prices)}, rows;
    std::int64_t base = 0;
    const auto row_of = [&](std::int64_t arc) -> const Row& { return rows[index(arc - base)]; };
    const auto advance = [&](std::int64_t arc) {
        watch.spend(right.size() * 8);
        rows.emplace_back();
        // the row may move while others are added, but not while it is filled
        Row own;
        fill(left, arc, right, prices, row_of, own);
        rows.back().swap(own);
    };
    rows.push_back(heads[0]);
    for (std::int64_t arc = 1; arc <= left.size(); ++arc) {
        advance(arc);
        if (cuts[index(arc)] != 0 && arc - base >= block) {
            base = arc;
            kept.push_back(arc);
            heads.push_back(rows.back());
            rows.assign(1, heads.back());
        }
    }
    Cell cell{left.size(), right.size()};
    const std::size_t first = steps.size();
    while (cell.arc > 0 || cell.place > 0) {
        if (cell.arc <= base && cell.arc > 0) {
            const std::int64_t end = base;
            kept.pop_back();
            heads.pop_back();
            base = kept.back();
            rows.assign(1, heads.back());
            for (std::int64_t arc = base + 1; arc <= end; ++arc) advance(arc);
        }
        watch.spend(8);
        const Cell found = before(left, right, prices, row_of, cell);
        steps.emplace_back(found.arc != cell.arc ? static_cast<std::int32_t>(cell.arc) : 0,
                           found.place != cell.place ? static_cast<std::int32_t>(cell.place) : 0);
        cell = found;
    }
    std::reverse(steps.begin() + static_cast<std::ptrdiff_t>(first), steps.end());
}

Combined combine_graphs(const std::vector<std::vector<Graph>>& chains, const std::vector<Graph>& streams,
                        double most_updates, double most_bytes, Watch& watch) {
    Segments segments;
    std::vector<Words> words;
    std::vector<Cuts> cuts;
    double steps = 0;
    for (const auto& chain : chains) {
        segments.chains.emplace_back();
        for (const Graph& segment : chain) segments.chains.back().push_back(segment.words);
    }
    for (const Graph& stream : streams) {
        words.push_back(stream.words);
        cuts.push_back(cuts_of(stream));
    }
    const Plan plan(segments, words, chains.size() == 1, cuts);
    if (!plan.fits) return {};
    double updates = 0, bytes = 0;
    for (const State& state : plan.states) {
        const double cells = state.window.cells();
        for (const auto& [chain, from] : state.before) {
            const auto c = static_cast<std::size_t>(chain);
            const Graph& segment = chains[c][index(state.used[c] - 1)];
            steps = segment.size() > 0 ? static_cast<double>(segment.offsets[segment.size()] - segment.offsets[0]) : 0;
            updates += cells * static_cast<double>(streams.size()) * (2 * steps + 2);
        }
        bytes += cells * 4;
        if (cells > most_bytes / 16) return {};
    }
    if (updates > most_updates || bytes > most_bytes) return {};
    std::int64_t size = 0;
    for (const Words& stream : words) size += stream.count;
    for (const auto& chain : segments.chains) {
        for (const Words& segment : chain) size += segment.count;
    }
    if (size < few_words) return States<std::int16_t>(chains, streams, plan, watch).solve();
    return States<std::int32_t>(chains, streams, plan, watch).solve();
}

std::int64_t combine_graphs_greedily(const std::vector<Graph>& segments, const std::vector<Graph>& streams,
                                     std::vector<std::int32_t>& choice, Watch& watch) {
    Mover mover(segments, streams, watch);
    std::int64_t cost = 0;
    for (const std::int32_t substitution : {2, 1}) {
        for (int pass = 0; pass < most_passes; ++pass) {
            const std::vector<std::int32_t> before = choice;
            cost = mover.move(choice, substitution);
            if (before == choice) break;
        }
    }
    return cost;
}

}  // namespace speakers
