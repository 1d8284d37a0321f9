#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "plan.hpp"
#include "speakers.hpp"

#if defined(__GNUC__) && defined(__x86_64__)
#define FORWARD_INLINE inline __attribute__((always_inline))
#define CAN_TARGET_AVX2 1  // the compiler can; whether the processor has it is asked at run time
#else
#define FORWARD_INLINE inline
#define CAN_TARGET_AVX2 0
#endif

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace speakers {

namespace {

constexpr std::int64_t lanes = 32;

// The rows of a window's costs, along one of its streams: the first, or one that is much wider.
struct Rows {
    explicit Rows(const Window& window) {
        for (std::size_t s = 1; s < window.sizes.size(); ++s) {
            if (window.sizes[s] > 2 * window.sizes[0] && window.sizes[s] > window.sizes[stream]) stream = s;
        }
        size = window.sizes[stream];
        for (std::size_t s = 0; s < stream; ++s) inner *= window.sizes[s];
    }
    // The index of the cell at a place of a row.
    std::int64_t cell(std::int64_t row, std::int64_t place) const {
        return row / inner * inner * size + row % inner + place * inner;
    }

    std::size_t stream = 0;
    std::int64_t size = 1, inner = 1;
};

// The lowest bits of 64 bytes.
std::uint64_t bits_of(const std::uint8_t (&flags)[64]) {
    std::uint64_t bits = 0;
    for (int byte = 0; byte < 8; ++byte) {
        std::uint64_t eight = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        // the product gathers the lowest bit of each byte in the highest byte
        std::memcpy(&eight, flags + 8 * byte, sizeof eight);
        eight = eight * 0x0102040810204080U >> 56;
#else
        for (int k = 0; k < 8; ++k) eight |= static_cast<std::uint64_t>(flags[8 * byte + k]) << k;
#endif
        bits |= eight << (8 * byte);
    }
    return bits;
}

// `lanes` rows of a grid at once, after the words of a segment: `kinds` of each word and place is 0
// where both are equal, 1 where they may be paired, 2 where they may not.
template <class Cost>
FORWARD_INLINE void forward(Cost* rows, std::int64_t size, const std::uint8_t* kinds, std::int64_t words) {
    for (std::int64_t word = 0; word < words; ++word, kinds += size - 1) {
        Cost corner[lanes];
        for (std::int64_t l = 0; l < lanes; ++l) {
            corner[l] = rows[l];
            rows[l] = static_cast<Cost>(rows[l] + 1);
        }
        for (std::int64_t place = 1; place < size; ++place) {
            Cost* row = rows + place * lanes;
            const Cost* before = row - lanes;
            const std::uint8_t kind = kinds[place - 1];
            if (kind == 0) {
                for (std::int64_t l = 0; l < lanes; ++l) std::swap(row[l], corner[l]);
            } else if (kind == 1) {
                for (std::int64_t l = 0; l < lanes; ++l) {
                    const Cost above = row[l], left = before[l], across = corner[l];
                    const Cost least = above < left ? above : left;
                    row[l] = static_cast<Cost>((across < least ? across : least) + 1);
                    corner[l] = above;
                }
            } else {
                for (std::int64_t l = 0; l < lanes; ++l) {
                    const Cost above = row[l], left = before[l];
                    row[l] = static_cast<Cost>((above < left ? above : left) + 1);
                    corner[l] = above;
                }
            }
        }
    }
}

template <class Cost>
void forward_anywhere(Cost* rows, std::int64_t size, const std::uint8_t* kinds, std::int64_t words) {
    forward(rows, size, kinds, words);
}

#if CAN_TARGET_AVX2
template <class Cost>
__attribute__((target("avx2"))) void forward_wide(Cost* rows, std::int64_t size, const std::uint8_t* kinds,
                                                  std::int64_t words) {
    forward(rows, size, kinds, words);
}
#endif

template <class Cost>
auto forwarding() {
#if CAN_TARGET_AVX2
    if (__builtin_cpu_supports("avx2")) return &forward_wide<Cost>;
#endif
    return &forward_anywhere<Cost>;
}

constexpr std::int64_t tile = 8;

// Rows become columns.
template <class Cost>
void turn(Cost (&block)[tile][tile]) {
    for (std::int64_t row = 0; row < tile; ++row) {
        for (std::int64_t column = 0; column < row; ++column) std::swap(block[row][column], block[column][row]);
    }
}

#if defined(__SSE2__)
template <>
void turn(std::int16_t (&block)[tile][tile]) {
    __m128i rows[tile], mixed[tile];
    for (int k = 0; k < tile; ++k) rows[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block[k]));
    for (int step = 0; step < 3; ++step) {
        for (int k = 0; k < tile / 2; ++k) {
            mixed[2 * k] = _mm_unpacklo_epi16(rows[k], rows[k + tile / 2]);
            mixed[2 * k + 1] = _mm_unpackhi_epi16(rows[k], rows[k + tile / 2]);
        }
        std::copy(mixed, mixed + tile, rows);
    }
    for (int k = 0; k < tile; ++k) _mm_storeu_si128(reinterpret_cast<__m128i*>(block[k]), rows[k]);
}
#endif

template <class Cost>
class Grid {
public:
    Grid(const Segments& segments, const std::vector<Words>& streams, bool alone, std::vector<State>& states, Watch& watch)
        : segments_(segments), streams_(streams), alone_(alone), states_(states), watch_(watch), forward_(forwarding<Cost>()) {
        for (const Words& stream : streams) reaches_.emplace_back(stream);
    }

    Combined solve() {
        std::vector<Cost> costs = start();
        std::size_t held = 0;
        pack(states_[0], costs);
        for (std::size_t k = 1; k < states_.size(); ++k) {
            State& state = states_[k];
            std::vector<Cost> best(static_cast<std::size_t>(state.window.cells()), std::numeric_limits<Cost>::max());
            for (const auto& [chain, from] : state.before) {
                if (from != held) costs = unpacked(states_[from]);
                held = from;
                moved_ = in_window(costs, states_[from].window, state.window);
                const Words& segment = segment_before(state, chain);
                for (std::size_t s = 0; s < streams_.size(); ++s) {
                    if (takes(state, s)) lay(segment, s, state.window, best);
                }
            }
            costs.swap(best);
            held = k;
            pack(state, costs);
        }
        return traced();
    }

private:
    static std::size_t index(std::int64_t at) { return static_cast<std::size_t>(at); }

    const Words& segment_before(const State& state, std::int32_t chain) const {
        const auto c = static_cast<std::size_t>(chain);
        return segments_.chains[c][index(state.used[c] - 1)];
    }

    // A chain alone does not go to a stream that says nothing at its time, unless all do not.
    bool takes(const State& state, std::size_t s) const {
        if (!alone_ || !streams_[s].timed() || state.window.sizes[s] > 1) return true;
        const Place& sizes = state.window.sizes;
        return s + 1 == sizes.size() && std::all_of(sizes.begin(), sizes.end(), [](std::int64_t one) { return one == 1; });
    }

    std::vector<Cost> start() const {
        const Place& sizes = states_[0].window.sizes;
        std::vector<Cost> costs{0};
        for (const std::int64_t size : sizes) {
            const std::size_t inner = costs.size();
            for (std::int64_t place = 1; place < size; ++place) {
                for (std::size_t k = 0; k < inner; ++k) costs.push_back(static_cast<Cost>(costs[k] + place));
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
            std::int64_t from = 0, stride = 1, beyond = 0;
            for (std::size_t s = 0; s < at.size(); ++s) {
                const std::int64_t place = at[s] + other.offsets[s] - own.offsets[s];
                const std::int64_t nearest = std::min(place, own.sizes[s] - 1);
                beyond += place - nearest;
                from += nearest * stride;
                stride *= own.sizes[s];
            }
            found.push_back(static_cast<Cost>(costs[index(from)] + beyond));
            std::size_t s = 0;
            while (s < at.size() && ++at[s] == other.sizes[s]) at[s++] = 0;
            if (s == at.size()) return found;
        }
    }

    std::vector<std::uint8_t> kinds_of(const Words& segment, std::size_t s, const Window& window) const {
        std::vector<std::uint8_t> kinds;
        const Words& stream = streams_[s];
        kinds.reserve(index(segment.count * window.sizes[s]));
        for (std::int64_t word = 0; word < segment.count; ++word) {
            for (std::int64_t at = window.offsets[s]; at < window.offsets[s] + window.sizes[s] - 1; ++at) {
                const bool equal = segment.ids[word] == stream.ids[at];
                kinds.push_back(may_pair(segment, word, stream, at) ? (equal ? 0 : 1) : 2);
            }
        }
        return kinds;
    }

    // A segment on a stream, from all places of the others; where that is cheaper, it is kept.
    void lay(const Words& segment, std::size_t s, const Window& window, std::vector<Cost>& best) {
        const std::vector<std::uint8_t> kinds = kinds_of(segment, s, window);
        const std::int64_t size = window.sizes[s], cells = static_cast<std::int64_t>(best.size());
        const std::int64_t inner = std::accumulate(window.sizes.begin(), window.sizes.begin() + static_cast<std::ptrdiff_t>(s),
                                                   std::int64_t{1}, std::multiplies<>());
        const std::int64_t count = cells / size;
        rows_.resize(index(size * lanes));
        std::int64_t bases[lanes];
        for (std::int64_t first = 0; first < count; first += lanes) {
            const std::int64_t used = std::min(lanes, count - first);
            for (std::int64_t l = 0; l < lanes; ++l) {
                const std::int64_t lane = first + std::min(l, used - 1);
                bases[l] = lane / inner * inner * size + lane % inner;
            }
            watch_.spend(size * segment.count * 8);
            const bool together = used == lanes && bases[lanes - 1] - bases[0] == lanes - 1;
            // places of lanes that lie one after the other are turned, eight by eight
            const std::int64_t turned = used == lanes && inner == 1 ? size / tile * tile : 0;
            if (together) {
                for (std::int64_t place = 0; place < size; ++place) {
                    std::memcpy(rows_.data() + place * lanes, moved_.data() + bases[0] + place * inner, lanes * sizeof(Cost));
                }
            } else {
                Cost block[tile][tile];
                for (std::int64_t place = 0; place < turned; place += tile) {
                    for (std::int64_t l = 0; l < lanes; l += tile) {
                        for (std::int64_t k = 0; k < tile; ++k) std::memcpy(block[k], moved_.data() + bases[l + k] + place, sizeof block[k]);
                        turn(block);
                        for (std::int64_t k = 0; k < tile; ++k) std::memcpy(rows_.data() + (place + k) * lanes + l, block[k], sizeof block[k]);
                    }
                }
                for (std::int64_t place = turned; place < size; ++place) {
                    const Cost* from = moved_.data() + place * inner;
                    Cost* to = rows_.data() + place * lanes;
                    for (std::int64_t l = 0; l < lanes; ++l) to[l] = from[bases[l]];
                }
            }
            forward_(rows_.data(), size, kinds.data(), segment.count);
            if (together) {
                for (std::int64_t place = 0; place < size; ++place) {
                    Cost* to = best.data() + bases[0] + place * inner;
                    const Cost* from = rows_.data() + place * lanes;
                    for (std::int64_t l = 0; l < lanes; ++l) to[l] = std::min(to[l], from[l]);
                }
            } else {
                Cost block[tile][tile];
                for (std::int64_t place = 0; place < turned; place += tile) {
                    for (std::int64_t l = 0; l < lanes; l += tile) {
                        for (std::int64_t k = 0; k < tile; ++k) std::memcpy(block[k], rows_.data() + (place + k) * lanes + l, sizeof block[k]);
                        turn(block);
                        for (std::int64_t k = 0; k < tile; ++k) {
                            Cost* to = best.data() + bases[l + k] + place;
                            Cost kept[tile];
                            std::memcpy(kept, to, sizeof kept);
                            for (std::int64_t other = 0; other < tile; ++other) kept[other] = std::min(kept[other], block[k][other]);
                            std::memcpy(to, kept, sizeof kept);
                        }
                    }
                }
                for (std::int64_t place = turned; place < size; ++place) {
                    Cost* to = best.data() + place * inner;
                    const Cost* from = rows_.data() + place * lanes;
                    for (std::int64_t l = 0; l < used; ++l) to[bases[l]] = std::min(to[bases[l]], from[l]);
                }
            }
        }
    }

    static std::int64_t row_of(const Window& window, const Rows& rows, const Place& at) {
        std::int64_t row = 0, stride = 1;
        for (std::size_t s = 0; s < at.size(); ++s) {
            if (s == rows.stream) continue;
            row += at[s] * stride;
            stride *= window.sizes[s];
        }
        return row;
    }

    void pack(State& state, const std::vector<Cost>& costs) {
        const Rows rows(state.window);
        const auto cells = static_cast<std::int64_t>(costs.size());
        const Cost* flat = costs.data();
        if (rows.inner > 1) {
            turned_.resize(costs.size());
            for (std::int64_t k = 0; k < cells; ++k) turned_[index(k)] = costs[index(rows.cell(k / rows.size, k % rows.size))];
            flat = turned_.data();
        }
        state.heads.resize(index(cells / rows.size));
        for (std::size_t row = 0; row < state.heads.size(); ++row) state.heads[row] = flat[row * index(rows.size)];
        const std::int64_t words = (cells + 63) / 64;
        state.rises.resize(index(words));
        state.falls.resize(index(words));
        for (std::int64_t word = 0; word < words; ++word) {
            std::uint8_t up[64] = {}, down[64] = {};
            const std::int64_t first = word * 64, last = std::min<std::int64_t>(cells, first + 64);
            for (std::int64_t k = std::max<std::int64_t>(1, first); k < last; ++k) {
                up[k - first] = flat[k] > flat[k - 1] ? 1 : 0;
                down[k - first] = flat[k] < flat[k - 1] ? 1 : 0;
            }
            state.rises[index(word)] = bits_of(up);
            state.falls[index(word)] = bits_of(down);
        }
    }

    std::vector<Cost> unpacked(const State& state) const {
        const Rows rows(state.window);
        std::vector<Cost> costs(state.heads.size() * index(rows.size));
        for (std::int64_t row = 0; row < static_cast<std::int64_t>(state.heads.size()); ++row) {
            auto cost = static_cast<std::int64_t>(state.heads[index(row)]);
            for (std::int64_t place = 0; place < rows.size; ++place) {
                const std::int64_t bit = row * rows.size + place;
                if (place > 0) {
                    cost += static_cast<std::int64_t>(state.rises[index(bit / 64)] >> (bit & 63) & 1U);
                    cost -= static_cast<std::int64_t>(state.falls[index(bit / 64)] >> (bit & 63) & 1U);
                }
                costs[index(rows.cell(row, place))] = static_cast<Cost>(cost);
            }
        }
        return costs;
    }

    std::int64_t cost_at(const State& state, const Place& at) const {
        const Rows rows(state.window);
        const std::int64_t row = row_of(state.window, rows, at);
        std::int64_t cost = state.heads[index(row)];
        const std::int64_t first = row * rows.size + 1, last = row * rows.size + at[rows.stream];
        for (std::int64_t word = first / 64; word <= last / 64 && first <= last; ++word) {
            std::uint64_t mask = ~std::uint64_t{0};
            if (word == first / 64) mask &= mask << (first & 63);
            if (word == last / 64) mask &= ~std::uint64_t{0} >> (63 - (last & 63));
            cost += ones(state.rises[index(word)] & mask);
            cost -= ones(state.falls[index(word)] & mask);
        }
        return cost;
    }

    struct Cell {
        std::int64_t cost;
        Place from;
    };

    // The cost of a segment on a stream at a place of a later window, and the place in the earlier one
    // from which it comes.
    Cell cell(const Words& segment, std::size_t s, const State& earlier, const Window& window, const Place& at) const {
        const Window& own = earlier.window;
        Place base(at.size());
        std::int64_t beyond = 0;
        for (std::size_t k = 0; k < at.size(); ++k) {
            const std::int64_t place = at[k] + window.offsets[k] - own.offsets[k];
            base[k] = std::min(place, own.sizes[k] - 1);
            if (k != s) beyond += place - base[k];
        }
        const std::int64_t shift = window.offsets[s] - own.offsets[s];
        struct Way {
            std::int64_t cost, place;
        };
        std::vector<Way> row;
        for (std::int64_t place = shift; place <= at[s] + shift; ++place) {
            base[s] = std::min(place, own.sizes[s] - 1);
            row.push_back({cost_at(earlier, base) + place - base[s] + beyond, base[s]});
        }
        const Words& stream = streams_[s];
        const Reach reach(segment);
        // Only cells are worked out that a word can reach, from `start` on and up to `end`: those left
        // after are deletions, those ahead insertions. Of equally cheap ways this decides which is
        // taken, and meeteval does the same.
        std::size_t start = 0, end = segment.timed() ? 0 : row.size();
        for (std::int64_t word = 0; word < segment.count; ++word) {
            Way corner = row[start];
            row[start].cost += 1;
            bool shifts = segment.timed();
            std::size_t k = start + 1;
            for (; k < row.size(); ++k) {
                const std::int64_t heard = window.offsets[s] + static_cast<std::int64_t>(k) - 1;
                shifts = shifts && reach.begins[index(word)] > reaches_[s].ends[index(heard)];
                Way above = row[k];
                if (k > end) {
                    above.cost += word;
                    if (corner.cost < above.cost) above = {corner.cost + 1, corner.place};
                }
                const bool paired = may_pair(segment, word, stream, heard);
                if (paired && segment.ids[word] == stream.ids[heard]) {
                    row[k] = corner;
                } else {
                    Way found = row[k - 1];
                    if (above.cost < found.cost) found = above;
                    if (paired && corner.cost < found.cost) found = corner;
                    found.cost += 1;
                    row[k] = found;
                }
                corner = above;
                if (shifts) {
                    row[k - 1].cost += segment.count - word - 1;
                    start = k;
                }
                if (segment.timed() && reach.ends[index(word)] < reaches_[s].begins[index(heard)]) break;
            }
            end = k;
        }
        for (std::size_t k = end + 1; k < row.size(); ++k) {
            row[k].cost += segment.count;
            if (row[k - 1].cost + 1 <= row[k].cost) row[k] = {row[k - 1].cost + 1, row[k - 1].place};
        }
        base[s] = row.back().place;
        return {row.back().cost, base};
    }

    Combined traced() const {
        Combined found;
        std::size_t k = states_.size() - 1;
        Place at;
        found.cost = 0;
        for (std::size_t s = 0; s < streams_.size(); ++s) {
            const Window& window = states_[k].window;
            at.push_back(window.sizes[s] - 1);
            found.cost += streams_[s].count - window.offsets[s] - window.sizes[s] + 1;
        }
        found.cost += cost_at(states_[k], at);
        while (!states_[k].before.empty()) {
            watch_.look();
            const State& state = states_[k];
            Cell best{std::numeric_limits<std::int64_t>::max(), {}};
            Step step{};
            std::size_t before = 0;
            for (const auto& [chain, from] : state.before) {
                for (std::size_t s = 0; s < streams_.size(); ++s) {
                    if (!takes(state, s)) continue;
                    Cell one = cell(segment_before(state, chain), s, states_[from], state.window, at);
                    if (one.cost >= best.cost) continue;
                    best = std::move(one);
                    step = {chain, static_cast<std::int32_t>(s)};
                    before = from;
                }
            }
            found.path.push_back(step);
            at = best.from;
            k = before;
        }
        std::reverse(found.path.begin(), found.path.end());
        return found;
    }

    const Segments& segments_;
    const std::vector<Words>& streams_;
    const bool alone_;
    std::vector<State>& states_;
    Watch& watch_;
    void (*forward_)(Cost*, std::int64_t, const std::uint8_t*, std::int64_t);
    std::vector<Reach> reaches_;
    std::vector<Cost> rows_, moved_, turned_;
};

}  // namespace

Combined combine(const Segments& segments, const std::vector<Words>& streams, bool alone,
                 double most_updates, double most_bytes, Watch& watch) {
    Plan plan(segments, streams, alone);
    if (!plan.fits) return {};
    double updates = 0, bytes = 0;
    std::int64_t words = 0;
    for (const Words& stream : streams) words += stream.count;
    for (const auto& chain : segments.chains) {
        for (const Words& segment : chain) words += segment.count;
    }
    for (const State& state : plan.states) {
        const double cells = state.window.cells(), width = static_cast<double>(Rows(state.window).size);
        for (const auto& [chain, from] : state.before) {
            const auto c = static_cast<std::size_t>(chain);
            const Words& segment = segments.chains[c][static_cast<std::size_t>(state.used[c] - 1)];
            updates += cells * static_cast<double>(streams.size()) * static_cast<double>(segment.count + 2);
        }
        bytes += cells / width * 4 + cells / 4 + 16;
        if (cells > most_bytes / 16) return {};
    }
    if (updates > most_updates || bytes > most_bytes) return {};
    if (words < std::numeric_limits<std::int16_t>::max() - 8) {
        return Grid<std::int16_t>(segments, streams, alone, plan.states, watch).solve();
    }
    return Grid<std::int32_t>(segments, streams, alone, plan.states, watch).solve();
}

}  // namespace speakers
