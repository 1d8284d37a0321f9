#include "network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <type_traits>

namespace alignment {
namespace {

// Paths that cost as much are none, in single precision.
constexpr double unaffordable = 999999.9F;

// Bytes of a table of cells beyond which two networks are not aligned, if neither is a chain.
constexpr double largest_table = 4.0 * 1024 * 1024 * 1024;

enum Direction : std::uint64_t { diagonal = 0, deletion = 1, insertion = 2 };

// The predecessors of an arc.
struct Arcs {
    const std::int32_t* first;
    std::int64_t size;
};

// The lists of predecessors; those of a chain are made up here.
class Predecessors {
public:
    explicit Predecessors(const Network& network)
        : offsets_(network.predecessor_offsets), list_(network.predecessor_list) {
        if (network.predecessor_offsets == nullptr) {
            chain_.resize(static_cast<std::size_t>(network.arcs) + 1);
            std::iota(chain_.begin(), chain_.end(), 0);
            offsets_ = list_ = chain_.data();
        }
        for (std::int64_t arc = 1; arc <= network.arcs; ++arc) {
            most_ = std::max(most_, of(arc).size);
        }
    }

    Arcs of(std::int64_t arc) const {
        const std::int32_t* offsets = offsets_ + (arc - 1);
        return {list_ + offsets[0], offsets[1] - offsets[0]};
    }

    // Steps from one arc to the next.
    std::int64_t count(std::int64_t arcs) const { return arcs == 0 ? 0 : offsets_[arcs]; }

    // Bits needed to number the predecessors of any one arc.
    unsigned bits() const {
        unsigned bits = 0;
        while ((std::int64_t{1} << bits) < most_) ++bits;
        return bits;
    }

private:
    std::vector<std::int32_t> chain_;
    const std::int32_t* offsets_;
    const std::int32_t* list_;
    std::int64_t most_ = 1;
};

// How an arc follows others: as any arc, as the only one after the arc before it, or after the same arcs as that.
enum class Place : std::uint8_t { anywhere, in_chain, beside };

std::vector<Place> places_of_arcs(const Predecessors& before, std::int64_t arcs) {
    std::vector<Place> places(static_cast<std::size_t>(arcs) + 1, Place::anywhere);
    for (std::int64_t arc = 1; arc <= arcs; ++arc) {
        const Arcs own = before.of(arc);
        Place& place = places[static_cast<std::size_t>(arc)];
        if (own.size == 1 && own.first[0] == arc - 1) {
            place = Place::in_chain;
        } else if (arc > 1) {
            const Arcs others = before.of(arc - 1);
            if (std::equal(own.first, own.first + own.size, others.first, others.first + others.size)) {
                place = Place::beside;
            }
        }
    }
    return places;
}

// One number of `width` bits, a power of two, per cell.
class Cells {
public:
    Cells(std::int64_t rows, std::int64_t columns, unsigned bits) : rows_(rows) {
        while (width_ < bits) width_ *= 2;
        if (width_ > 64) throw std::overflow_error("too many alternatives meet in one place");
        while (std::uint64_t{64} >> (shift_ + 1) >= width_) ++shift_;
        per_word_ = 64 / width_;
        mask_ = width_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width_) - 1;
        if (columns > std::numeric_limits<std::int64_t>::max() / 64 / rows) {
            throw std::overflow_error("the networks are too large to align");
        }
        words_.resize(static_cast<std::size_t>(rows * columns) / per_word_ + 1);
    }

    void clear() { std::fill(words_.begin(), words_.end(), 0); }

    // Sets the cells of a column from its first row on; a word of memory is written once it is full.
    class Writer {
    public:
        Writer(Cells& cells, std::int64_t column) : width_(cells.width_) {
            const auto cell = static_cast<std::uint64_t>(column * cells.rows_);
            at_ = cells.words_.data() + (cell >> cells.shift_);
            bit_ = static_cast<unsigned>(cell & (cells.per_word_ - 1)) * width_;
        }
        Writer(const Writer&) = delete;
        Writer& operator=(const Writer&) = delete;
        ~Writer() { *at_ |= word_; }

        void put(std::uint64_t value) {
            if (bit_ == 64) {
                *at_++ |= word_;
                word_ = bit_ = 0;
            }
            word_ |= value << bit_;
            bit_ += width_;
        }

    private:
        unsigned width_;
        std::uint64_t* at_;
        std::uint64_t word_ = 0;
        unsigned bit_;
    };

    std::uint64_t get(std::int64_t row, std::int64_t column) const {
        const auto cell = static_cast<std::uint64_t>(column * rows_ + row);
        return words_[cell >> shift_] >> ((cell & (per_word_ - 1)) * width_) & mask_;
    }

private:
    std::int64_t rows_;
    unsigned width_ = 2;
    unsigned shift_ = 0;
    std::uint64_t per_word_ = 32;  // cells, two to the power of `shift_`
    std::uint64_t mask_ = 3;
    std::vector<std::uint64_t> words_;
};

// The cheapest of several cells; of equally cheap ones the first.
template <class Cost>
struct BestCell {
    Cost cost;
    std::uint64_t first = 0;   // which reference predecessor
    std::uint64_t second = 0;  // which hypothesis predecessor
};

// True if each arc of a network follows the one before it, and the last is the end.
bool is_chain(const Network& network, const Predecessors& before) {
    if (network.finals.size() != 1 || network.finals[0] != network.arcs) return false;
    for (std::int64_t arc = 1; arc <= network.arcs; ++arc) {
        const Arcs arcs = before.of(arc);
        if (arcs.size != 1 || arcs.first[0] != arc - 1) return false;
    }
    return true;
}

// Hypothesis arcs whose cells are there at a time: all, or of a chain with more than `most_bytes` for its cells as
// many as need as much memory as the costs that are kept before each block of them.
std::int64_t columns_at_a_time(const Network& reference, const Network& hypothesis, const Predecessors& before,
                               unsigned bits, std::size_t cost_bytes, std::int64_t most_bytes) {
    const std::int64_t all = hypothesis.arcs + 1;
    const double column = static_cast<double>(reference.arcs + 1) * bits / 8;
    if (column * static_cast<double>(all) <= static_cast<double>(most_bytes)) return all;
    if (!is_chain(hypothesis, before)) {
        if (column * static_cast<double>(all) > largest_table) {
            throw std::overflow_error("the networks are too large to align");
        }
        return all;
    }
    const double per_cell = static_cast<double>(cost_bytes) * 8 / bits;
    return std::min(all, static_cast<std::int64_t>(std::sqrt(static_cast<double>(all) * per_cell)) + 1);
}

// `Cost` is float, as in sclite, or double for `Pricing::errors`.
template <class Cost>
class Search {
    using Best = BestCell<Cost>;
    static constexpr bool counts_errors = std::is_same_v<Cost, double>;

public:
    Search(const Network& reference, const Network& hypothesis, Pricing pricing,
           const std::uint8_t* matches, std::int64_t most_bytes, double substitution, double free,
           Watch& watch)
        : reference_(reference),
          hypothesis_(hypothesis),
          pricing_(pricing),
          matches_(matches),
          substitution_(static_cast<Cost>(substitution)),
          free_(static_cast<Cost>(free)),
          watch_(watch),
          above_(reference),
          before_(hypothesis),
          places_(places_of_arcs(above_, reference.arcs)),
          rows_(reference.arcs),
          first_bits_(above_.bits()),
          second_bits_(before_.bits()),
          block_(columns_at_a_time(reference, hypothesis, before_, 2 + first_bits_ + second_bits_,
                                   sizeof(Cost), most_bytes)),
          cells_(reference.arcs + 1, block_, 2 + first_bits_ + second_bits_),
          columns_(static_cast<std::size_t>(hypothesis.arcs) + 1),
          last_use_(columns_.size()) {}

    NetworkPath run() {
        plan();
        first_column();
        for (std::int64_t b = 1; b <= hypothesis_.arcs; ++b) {
            if (b % block_ == 0) {
                kept_.push_back(columns_[static_cast<std::size_t>(b) - 1]);
                begin_block(b);
            }
            next_column(b);
        }
        return walk_back();
    }

private:
    void begin_block(std::int64_t b) {
        block_begin_ = b;
        cells_.clear();
    }

    void next_column(std::int64_t b) {
        column(b);
        const Arcs arcs = before_.of(b);
        for (std::int64_t n = 0; n < arcs.size; ++n) release(arcs.first[n], b);
        release(b, b);
    }

    // The cells of the block of columns that holds this one, again; a path goes back from row `a` to lower ones only.
    void refill(std::int64_t a, std::int64_t b) {
        rows_ = a;
        begin_block(b / block_ * block_);
        if (block_begin_ == 0) {
            first_column();
        } else {
            columns_[static_cast<std::size_t>(block_begin_) - 1] =
                kept_[static_cast<std::size_t>(block_begin_ / block_) - 1];
        }
        const std::int64_t end = std::min(block_begin_ + block_, hypothesis_.arcs + 1);
        for (std::int64_t at = std::max<std::int64_t>(block_begin_, 1); at < end; ++at) next_column(at);
    }

    Cost& cell(std::int64_t a, std::int64_t b) {
        return columns_[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)];
    }

    // A column of costs is given back once no later arc starts where its arc ends.
    void plan() {
        for (std::int64_t b = 1; b <= hypothesis_.arcs; ++b) {
            const Arcs arcs = before_.of(b);
            for (std::int64_t n = 0; n < arcs.size; ++n) {
                last_use_[static_cast<std::size_t>(arcs.first[n])] = b;
            }
        }
        for (const std::int32_t b : hypothesis_.finals) {
            last_use_[static_cast<std::size_t>(b)] = std::numeric_limits<std::int64_t>::max();
        }
    }

    void release(std::int64_t b, std::int64_t now) {
        std::vector<Cost>& costs = columns_[static_cast<std::size_t>(b)];
        if (last_use_[static_cast<std::size_t>(b)] > now || costs.empty()) return;
        spare_.push_back(std::move(costs));
        costs.clear();
    }

    void open(std::int64_t b) {
        std::vector<Cost>& costs = columns_[static_cast<std::size_t>(b)];
        if (!spare_.empty()) {
            costs = std::move(spare_.back());
            spare_.pop_back();
        }
        costs.resize(static_cast<std::size_t>(reference_.arcs) + 1);
    }

    std::uint64_t kept(std::uint64_t direction, const Best& best) const {
        return direction | best.first << 2 | best.second << (2 + first_bits_);
    }

    // Of the cells of a column that a reference arc may follow.
    Best best_above(std::int64_t a, const Cost* costs) const {
        const Arcs arcs = above_.of(a);
        Best best{costs[arcs.first[0]]};
        for (std::int64_t n = 1; n < arcs.size; ++n) {
            const Cost cost = costs[arcs.first[n]];
            const bool is_cheaper = cost < best.cost;
            best.cost = is_cheaper ? cost : best.cost;
            best.first = is_cheaper ? static_cast<std::uint64_t>(n) : best.first;
        }
        return best;
    }

    Best best_before(std::int64_t a, std::int64_t b) {
        const Arcs arcs = before_.of(b);
        Best best{cell(a, arcs.first[0])};
        for (std::int64_t n = 1; n < arcs.size; ++n) {
            const Cost cost = cell(a, arcs.first[n]);
            if (cost < best.cost) best = {cost, 0, static_cast<std::uint64_t>(n)};
        }
        return best;
    }

    Best best_across(std::int64_t a, std::int64_t b) {
        const Arcs firsts = above_.of(a);
        Best best = best_before(firsts.first[0], b);
        for (std::int64_t n = 1; n < firsts.size; ++n) {
            const Best other = best_before(firsts.first[n], b);
            if (other.cost < best.cost) {
                best = {other.cost, static_cast<std::uint64_t>(n), other.second};
            }
        }
        return best;
    }

    bool match(std::int64_t a, std::int64_t b) const {
        if (matches_ != nullptr) return matches_[(a - 1) * hypothesis_.arcs + b - 1] != 0;
        return reference_.types[a - 1] == hypothesis_.types[b - 1];
    }

    static bool is_spoken(std::uint8_t mark) { return mark != null_word && mark != wildcard; }

    // Sums are taken in double precision, then rounded.
    template <Pricing pricing>
    Cost pair_cost(std::int64_t a, std::int64_t b) const {
        if constexpr (pricing == Pricing::times) {
            const double apart = std::fabs(reference_.starts[a - 1] - hypothesis_.starts[b - 1]) +
                                 std::fabs(reference_.ends[a - 1] - hypothesis_.ends[b - 1]);
            return static_cast<Cost>(apart + (match(a, b) ? 0.0 : 0.001));
        }
        if constexpr (pricing == Pricing::weights) {
            if (match(a, b)) return 0;
            return static_cast<Cost>(reference_.weights[a - 1] + hypothesis_.weights[b - 1]);
        }
        const std::uint8_t left = reference_.nulls[a - 1];
        const std::uint8_t right = hypothesis_.nulls[b - 1];
        if constexpr (pricing == Pricing::errors) {
            if ((left | right) == 0) return match(a, b) ? 0 : substitution_;
            const bool faces = is_spoken(left) && is_spoken(right) && !(left == joined && right == joined);
            return faces && match(a, b) ? 0 : std::numeric_limits<Cost>::infinity();
        }
        if (left == null_word && right == null_word) return 1;
        return match(a, b) ? 0 : 4;
    }

    void first_column() {
        open(0);
        cell(0, 0) = 0;
        Cells::Writer cells(cells_, 0);
        cells.put(0);
        for (std::int64_t a = 1; a <= rows_; ++a) {
            const Best best = best_above(a, columns_[0].data());
            cell(a, 0) = best.cost + static_cast<Cost>(reference_.singles[a - 1]);
            cells.put(kept(deletion, best));
        }
    }

    void column(std::int64_t b) {
        if constexpr (counts_errors) {
            priced_column<Pricing::errors>(b);
        } else if (pricing_ == Pricing::times) {
            priced_column<Pricing::times>(b);
        } else if (pricing_ == Pricing::weights) {
            priced_column<Pricing::weights>(b);
        } else {
            priced_column<Pricing::standard>(b);
        }
    }

    template <Pricing pricing>
    void priced_column(std::int64_t b) {
        open(b);
        const auto inserted = static_cast<Cost>(hypothesis_.singles[b - 1]);
        const bool may_be_free = counts_errors && hypothesis_.nulls[b - 1] == 0;
        const Best top = best_before(0, b);
        cell(0, b) = top.cost + inserted;
        Cells::Writer cells(cells_, b - block_begin_);
        cells.put(kept(insertion, top));
        const Arcs befores = before_.of(b);
        watch_.spend(8 * above_.count(rows_) * (1 + befores.size));
        const Cost* const previous = columns_[static_cast<std::size_t>(befores.first[0])].data();
        Cost* const costs = columns_[static_cast<std::size_t>(b)].data();
        const Place* const places = places_.data();
        Cost last = costs[0];
        Best across{};
        Best above{};
        std::uint64_t steps[3] = {diagonal, deletion, insertion};  // what is kept of each direction
        for (std::int64_t a = 1; a <= rows_; ++a) {
            const Place place = places[a];
            if (place != Place::beside) {  // otherwise they are those of the arc before
                const bool is_simple = place == Place::in_chain;
                above = is_simple ? Best{last} : best_above(a, costs);
                across = befores.size > 1 ? best_across(a, b)
                         : is_simple      ? Best{previous[a - 1]}
                                          : best_above(a, previous);
                steps[diagonal] = kept(diagonal, across);
                steps[deletion] = kept(deletion, above);
            }
            const Best before = befores.size == 1 ? Best{previous[a]} : best_before(a, b);
            const Cost substituting = across.cost + pair_cost<pricing>(a, b);
            const Cost deleting = above.cost + static_cast<Cost>(reference_.singles[a - 1]);
            const bool is_free = may_be_free && reference_.nulls[a - 1] == wildcard;
            const Cost inserting = before.cost + (is_free ? inserted - free_ : inserted);
            // Both are computed without a branch: which edit is the cheapest cannot be predicted.
            const Cost single = std::min(inserting, deleting);
            last = costs[a] = std::min(substituting, single);
            const auto is_single = static_cast<std::uint64_t>(single < substituting);
            const std::uint64_t direction = is_single << static_cast<unsigned>(deleting >= inserting);
            static_assert(diagonal == 0 && deletion == 1 && insertion == 2, "as computed here");
            if (place == Place::in_chain && befores.size == 1) {
                cells.put(direction);
            } else {
                steps[insertion] = kept(insertion, before);
                cells.put(steps[direction]);
            }
        }
    }

    NetworkPath walk_back() {
        NetworkPath path;
        path.cost = counts_errors ? std::numeric_limits<double>::infinity() : unaffordable;
        std::int64_t a = -1;
        std::int64_t b = -1;
        for (const std::int32_t p : reference_.finals) {
            for (const std::int32_t q : hypothesis_.finals) {
                if (cell(p, q) < path.cost) {
                    path.cost = cell(p, q);
                    a = p;
                    b = q;
                }
            }
        }
        path.steps.reserve(a < 0 ? 0 : static_cast<std::size_t>(a + b));
        while (a > 0 || b > 0) {
            if (b < block_begin_) refill(a, b);
            const std::uint64_t step = cells_.get(a, b - block_begin_);
            const std::uint64_t direction = step & 3;
            path.steps.emplace_back(direction == insertion ? 0 : static_cast<std::int32_t>(a),
                                    direction == deletion ? 0 : static_cast<std::int32_t>(b));
            const std::uint64_t first = step >> 2 & ((std::uint64_t{1} << first_bits_) - 1);
            if (direction != insertion) a = above_.of(a).first[first];
            if (direction != deletion) b = before_.of(b).first[step >> (2 + first_bits_)];
        }
        std::reverse(path.steps.begin(), path.steps.end());
        return path;
    }

    const Network& reference_;
    const Network& hypothesis_;
    Pricing pricing_;
    const std::uint8_t* matches_;
    Cost substitution_;
    Cost free_;  // what a word after a wildcard costs less
    Watch& watch_;
    Predecessors above_;
    Predecessors before_;
    std::vector<Place> places_;  // per reference arc
    std::int64_t rows_;  // reference arcs whose cells are filled
    unsigned first_bits_;
    unsigned second_bits_;
    std::int64_t block_;  // columns whose cells are there at a time
    std::int64_t block_begin_ = 0;
    Cells cells_;
    std::vector<std::vector<Cost>> kept_;  // the costs before each block but the first
    std::vector<std::vector<Cost>> columns_;  // per hypothesis arc, while needed
    std::vector<std::int64_t> last_use_;
    std::vector<std::vector<Cost>> spare_;
};

}  // namespace

NetworkPath align(const Network& reference, const Network& hypothesis, Pricing pricing,
                  const std::uint8_t* matches, Watch& watch, std::int64_t most_bytes, double substitution,
                  double free) {
    const auto search = [&](auto cost) {
        return Search<decltype(cost)>(reference, hypothesis, pricing, matches, most_bytes, substitution, free, watch)
            .run();
    };
    return pricing == Pricing::errors ? search(0.0) : search(0.0F);
}

}  // namespace alignment
