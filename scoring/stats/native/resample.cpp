#include "resample.hpp"

#include <algorithm>
#include <system_error>
#include <thread>

#include "random.hpp"

namespace resampling {

namespace {

constexpr unsigned guide_bits = 11;

// The tables, each with the place where the search for a word begins, by its upper bits.
class Lottery {
public:
    explicit Lottery(const Tables& tables) : tables_(tables) {
        guides_.reserve(static_cast<std::size_t>(tables.count) << guide_bits);
        for (std::int64_t table = 0; table < tables.count; ++table) {
            const std::uint64_t* thresholds = tables.thresholds + table * tables.width;
            std::int64_t place = 0;
            for (std::uint64_t upper = 0; upper < (1U << guide_bits); ++upper) {
                while (thresholds[place] < upper << (64 - guide_bits)) ++place;
                guides_.push_back(static_cast<std::int32_t>(place));
            }
        }
    }

    std::int64_t draw(std::int64_t table, std::uint64_t word) const {
        const std::uint64_t* thresholds = tables_.thresholds + table * tables_.width;
        const auto guide = (static_cast<std::uint64_t>(table) << guide_bits) +
                           (word >> (64 - guide_bits));
        std::int64_t place = guides_[guide];
        // nearly always this is all, and done without a branch to be guessed wrong
        place += thresholds[place] < word ? 1 : 0;
        while (thresholds[place] < word) ++place;
        return tables_.firsts[table] + place;
    }

private:
    const Tables& tables_;
    std::vector<std::int32_t> guides_;
};

// One replication at a time. `fixed` is the width of the rows, 0 where it is known only now.
template <int fixed>
class Replication {
public:
    Replication(const Plan& plan, const Lottery& lottery, std::uint64_t seed)
        : plan_(plan), lottery_(lottery), seed_(seed) {}

    void draw(std::int64_t number, std::int64_t* sums) {
        Words words(seed_, static_cast<std::uint64_t>(number));
        std::int64_t missing = plan_.units.count;
        std::int64_t singles = 0;
        do {
            std::fill(sums, sums + width(), 0);
            missing = plan_.units.count - draw_groups(words, sums);
            singles = plan_.singles_table < 0
                          ? 0
                          : lottery_.draw(plan_.singles_table, words.next());
            missing -= singles;
        } while (missing < 0);
        draw_each(plan_.singles, singles, words, sums);
        draw_each(plan_.units, missing, words, sums);
    }

private:
    std::int64_t width() const { return fixed > 0 ? fixed : plan_.units.width; }

    std::int64_t draw_groups(Words& words, std::int64_t* sums) const {
        std::int64_t drawn = 0;
        for (std::int64_t group = 0; group < plan_.groups.count; ++group) {
            const std::int64_t times =
                lottery_.draw(plan_.group_tables[group], words.next());
            const std::int64_t* row = plan_.groups[group];
            for (std::int64_t column = 0; column < width(); ++column) {
                sums[column] += times * row[column];
            }
            drawn += times;
        }
        return drawn;
    }

    void draw_each(const Rows& rows, std::int64_t times, Words& words, std::int64_t* sums) const {
        const auto count = static_cast<std::uint64_t>(rows.count);
        if (fixed > 0) {
            std::int64_t own[fixed > 0 ? fixed : 1];
            std::copy(sums, sums + fixed, own);
            for (std::int64_t k = 0; k < times; ++k) {
                const auto row = static_cast<std::int64_t>(below(count, words.next()));
                for (int column = 0; column < fixed; ++column) own[column] += rows[row][column];
            }
            std::copy(own, own + fixed, sums);
            return;
        }
        for (std::int64_t k = 0; k < times; ++k) {
            const auto row = static_cast<std::int64_t>(below(count, words.next()));
            for (std::int64_t column = 0; column < width(); ++column) {
                sums[column] += rows[row][column];
            }
        }
    }

    const Plan& plan_;
    const Lottery& lottery_;
    std::uint64_t seed_;
};

template <int fixed>
void draw_range(const Plan& plan, const Lottery& lottery, std::uint64_t seed, std::int64_t first,
                std::int64_t last, std::int64_t* sums) {
    Replication<fixed> replication(plan, lottery, seed);
    for (std::int64_t number = first; number < last; ++number) {
        replication.draw(number, sums + number * plan.units.width);
    }
}

}  // namespace

void resample(const Plan& plan, std::uint64_t seed, std::int64_t replications, int threads,
              std::int64_t* sums) {
    const Lottery lottery(plan.tables);
    auto run = &draw_range<0>;
    if (plan.units.width == 1) run = &draw_range<1>;
    if (plan.units.width == 2) run = &draw_range<2>;
    if (plan.units.width == 3) run = &draw_range<3>;
    if (plan.units.width == 4) run = &draw_range<4>;
    const std::int64_t share = (replications + threads - 1) / threads;
    std::vector<std::thread> others;
    std::int64_t own = replications;  // what no thread could be had for is done here
    try {
        for (std::int64_t first = share; first < replications; first += share) {
            own = first;
            others.emplace_back(run, std::cref(plan), std::cref(lottery), seed, first,
                                std::min(first + share, replications), sums);
            own = replications;
        }
    } catch (const std::system_error&) {
        run(plan, lottery, seed, own, replications, sums);
    }
    run(plan, lottery, seed, 0, std::min(share, replications), sums);
    for (std::thread& other : others) other.join();
}

}  // namespace resampling
