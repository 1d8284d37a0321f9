#include "linear.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <unordered_map>

#include "blocks.hpp"
#include "table.hpp"
#include "word.hpp"

namespace alignment {
namespace {

constexpr std::int64_t piece_words = 20'000;    // about one tenth of a millisecond
constexpr std::int64_t thread_words = 60'000;   // below this a thread costs more than it saves
constexpr Type direct_types = Type{1} << 16;    // always few enough for a table by type

enum class Family { sclite, unit, other };

Family family(const Costs& costs) {
    if (costs.substitution == 4 && costs.deletion == 3 && costs.insertion == 3) {
        return Family::sclite;
    }
    if (costs.substitution == 1 && costs.deletion == 1 && costs.insertion == 1) return Family::unit;
    return Family::other;
}

// A common factor changes no choice.
Costs reduced(Costs costs) {
    const std::int64_t factor =
        std::gcd(costs.substitution, std::gcd(costs.deletion, costs.insertion));
    if (factor < 2) return costs;
    return {costs.substitution / factor, costs.deletion / factor, costs.insertion / factor};
}

template <class Step, Ties ties>
void align_bits(Sequence reference, Sequence hypothesis, Scratch& scratch, Path& path) {
    if (reference.size <= word_bits) {
        align_word<Step, ties>(reference, hypothesis, scratch, path);
    } else {
        Blocks<Step, ties>(reference, hypothesis, scratch).align(path);
    }
}

template <Ties ties>
void align_table(Sequence reference, Sequence hypothesis, const Costs& costs, Path& path) {
    const std::int64_t dearest = std::max({costs.substitution, costs.deletion, costs.insertion});
    const std::int64_t words = reference.size + hypothesis.size + 2;
    if (dearest <= std::numeric_limits<std::int32_t>::max() / words) {
        Table<std::int32_t, ties>(reference, hypothesis, costs).align(path);
    } else if (dearest <= (std::int64_t{1} << 62) / words) {
        Table<std::int64_t, ties>(reference, hypothesis, costs).align(path);
    } else {
        throw std::overflow_error("costs are too large for sequences of this length");
    }
}

template <Ties ties>
void align_pair(Sequence reference, Sequence hypothesis, const Costs& costs, Family which,
                Scratch& scratch, Path& path) {
    // Equal last words make the diagonal optimal, so where it is preferred it is also taken.
    if constexpr (ties != Ties::compute_wer) {
        while (reference.size > 0 && hypothesis.size > 0 &&
               reference[reference.size - 1] == hypothesis[hypothesis.size - 1]) {
            --reference.size;
            --hypothesis.size;
            path.step_diagonal(true);
        }
    }
    if (reference.size == 0 || hypothesis.size == 0) {
        path.finish(reference.size, hypothesis.size);
    } else if (which == Family::sclite) {
        align_bits<ScliteCosts, ties>(reference, hypothesis, scratch, path);
    } else if (which == Family::unit) {
        align_bits<UnitCosts, ties>(reference, hypothesis, scratch, path);
    } else {
        align_table<ties>(reference, hypothesis, costs, path);
    }
}

// The pairs, with word types small enough to index a table.
class Columns {
public:
    explicit Columns(const Pairs& pairs) : pairs_(pairs) {
        Type low = 0;
        Type high = 0;
        const auto look = [&](const Type* types, const std::int64_t* begins,
                              const std::int64_t* ends) {
            for (std::int64_t k = 0; k < pairs.count; ++k) {
                words_ += ends[k] - begins[k];
                for (std::int64_t at = begins[k]; at < ends[k]; ++at) {
                    low = std::min(low, types[at]);
                    high = std::max(high, types[at]);
                }
            }
        };
        look(pairs.reference_types, pairs.reference_begins, pairs.reference_ends);
        look(pairs.hypothesis_types, pairs.hypothesis_begins, pairs.hypothesis_ends);
        if (low < 0 || (high >= direct_types && high / 2 >= words_)) {
            renumber();
        } else {
            types_ = static_cast<std::size_t>(high) + 1;
        }
    }

    const Pairs& pairs() const { return pairs_; }
    std::int64_t words() const { return words_; }
    std::size_t types() const { return types_; }

    std::int64_t words(std::int64_t k) const {
        return pairs_.reference_ends[k] - pairs_.reference_begins[k] + pairs_.hypothesis_ends[k] -
               pairs_.hypothesis_begins[k];
    }

private:
    void renumber() {
        std::unordered_map<Type, Type> numbers;
        const auto copy = [&](const Type* types, const std::int64_t* begins,
                              const std::int64_t* ends, std::vector<Type>& into,
                              std::vector<std::int64_t>& bounds) {
            bounds.push_back(0);
            for (std::int64_t k = 0; k < pairs_.count; ++k) {
                for (std::int64_t at = begins[k]; at < ends[k]; ++at) {
                    const auto next = static_cast<Type>(numbers.size());
                    into.push_back(numbers.emplace(types[at], next).first->second);
                }
                bounds.push_back(static_cast<std::int64_t>(into.size()));
            }
        };
        copy(pairs_.reference_types, pairs_.reference_begins, pairs_.reference_ends,
             reference_types_, reference_bounds_);
        copy(pairs_.hypothesis_types, pairs_.hypothesis_begins, pairs_.hypothesis_ends,
             hypothesis_types_, hypothesis_bounds_);
        pairs_ = {pairs_.count,
                  reference_types_.data(), reference_bounds_.data(), reference_bounds_.data() + 1,
                  hypothesis_types_.data(), hypothesis_bounds_.data(),
                  hypothesis_bounds_.data() + 1};
        types_ = std::max<std::size_t>(numbers.size(), 1);
    }

    Pairs pairs_;
    std::int64_t words_ = 0;
    std::size_t types_ = 1;
    std::vector<Type> reference_types_;
    std::vector<Type> hypothesis_types_;
    std::vector<std::int64_t> reference_bounds_;
    std::vector<std::int64_t> hypothesis_bounds_;
};

// Threads take pieces of consecutive pairs until none are left.
template <Ties ties>
class Batch {
public:
    Batch(const Columns& columns, const Costs& costs, std::int64_t* offsets, std::int32_t* counts)
        : columns_(columns),
          costs_(reduced(costs)),
          family_(family(costs_)),
          offsets_(offsets),
          counts_(counts) {
        std::int64_t words = piece_words;
        for (std::int64_t k = 0; k < columns.pairs().count; ++k) {
            if (words >= piece_words) {
                begins_.push_back(k);
                words = 0;
            }
            words += columns.words(k);
        }
        pieces_ = begins_.size();
        begins_.push_back(columns.pairs().count);
    }

    Edits run(int threads) {
        Edits edits;
        if (offsets_ != nullptr) edits.pieces.resize(pieces_);
        std::vector<std::thread> others;
        try {
            for (std::size_t n = 1; n < wanted(threads); ++n) {
                others.emplace_back([this, &edits] { work(edits); });
            }
        } catch (const std::system_error&) {
            // no more threads to be had: those there are do the work
        }
        work(edits);
        for (std::thread& other : others) other.join();
        if (problem_) std::rethrow_exception(problem_);
        if (offsets_ != nullptr) edits.size = add_up();
        return edits;
    }

private:
    std::size_t wanted(int threads) const {
        if (threads > 0) return std::min(static_cast<std::size_t>(threads), pieces_);
        const auto worth = static_cast<std::size_t>(columns_.words() / thread_words);
        const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
        return std::min({processors, worth, pieces_});
    }

    void work(Edits& edits) {
        try {
            Scratch scratch;
            scratch.by_type.resize(columns_.types());
            std::vector<std::uint8_t> buffer;
            for (std::size_t piece = next_++; piece < pieces_; piece = next_++) {
                for (std::int64_t k = begins_[piece]; k < begins_[piece + 1]; ++k) {
                    align(k, scratch, buffer,
                          offsets_ == nullptr ? nullptr : &edits.pieces[piece]);
                }
            }
        } catch (...) {
            next_ = pieces_;
            const std::lock_guard<std::mutex> lock(mutex_);
            problem_ = std::current_exception();
        }
    }

    void align(std::int64_t k, Scratch& scratch, std::vector<std::uint8_t>& buffer,
               std::vector<std::uint8_t>* edits) {
        const Pairs& pairs = columns_.pairs();
        const Sequence reference{pairs.reference_types + pairs.reference_begins[k],
                                 pairs.reference_ends[k] - pairs.reference_begins[k]};
        const Sequence hypothesis{pairs.hypothesis_types + pairs.hypothesis_begins[k],
                                  pairs.hypothesis_ends[k] - pairs.hypothesis_begins[k]};
        const auto room = static_cast<std::size_t>(reference.size + hypothesis.size);
        if (buffer.size() < room) buffer.resize(room);
        std::uint8_t* end = buffer.data() + buffer.size();
        Path path{end};
        align_pair<ties>(reference, hypothesis, costs_, family_, scratch, path);
        if (edits != nullptr) {
            offsets_[k + 1] = end - path.first;
            edits->insert(edits->end(), path.first, end);
        }
        std::int32_t* counts = counts_ + 4 * k;
        counts[0] = static_cast<std::int32_t>(path.correct);
        counts[1] = static_cast<std::int32_t>(path.diagonal - path.correct);
        counts[2] = static_cast<std::int32_t>(reference.size - path.diagonal);
        counts[3] = static_cast<std::int32_t>(hypothesis.size - path.diagonal);
    }

    std::int64_t add_up() {
        offsets_[0] = 0;
        for (std::int64_t k = 0; k < columns_.pairs().count; ++k) offsets_[k + 1] += offsets_[k];
        return offsets_[columns_.pairs().count];
    }

    const Columns& columns_;
    Costs costs_;
    Family family_;
    std::int64_t* offsets_;
    std::int32_t* counts_;
    std::size_t pieces_ = 0;
    std::vector<std::int64_t> begins_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::exception_ptr problem_;
};

}  // namespace

Edits align(const Pairs& pairs, const Costs& costs, Ties ties, int threads, std::int64_t* offsets,
            std::int32_t* counts) {
    const Columns columns(pairs);
    if (ties == Ties::sclite) return Batch<Ties::sclite>(columns, costs, offsets, counts).run(threads);
    if (ties == Ties::align_text) {
        return Batch<Ties::align_text>(columns, costs, offsets, counts).run(threads);
    }
    return Batch<Ties::compute_wer>(columns, costs, offsets, counts).run(threads);
}

}  // namespace alignment
