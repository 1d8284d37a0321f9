#include "resample.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <type_traits>

#include "../common/helpers.hpp"
#include "random.hpp"

namespace resampling {

namespace {

constexpr unsigned guide_bits = 9;
constexpr int most_times = 1000;  // one replication in forty is begun again

// A table with the place where the search for a word begins, by the word's upper bits.
class Lottery {
public:
    Lottery(const Tables& tables, std::int64_t table)
        : thresholds_(tables.thresholds + table * tables.width), first_(tables.firsts[table]) {
        std::int64_t place = 0;
        for (std::uint64_t upper = 0; upper < (1U << guide_bits); ++upper) {
            while (thresholds_[place] < upper << (64 - guide_bits)) ++place;
            guide_.push_back(place);
        }
    }

    std::int64_t draw(std::uint64_t word) const {
        std::int64_t place = guide_[word >> (64 - guide_bits)];
        // nearly always this is all, and done without a branch to be guessed wrong
        place += thresholds_[place] < word ? 1 : 0;
        while (thresholds_[place] < word) ++place;
        return first_ + place;
    }

private:
    const std::uint64_t* thresholds_;
    std::int64_t first_;
    std::vector<std::int64_t> guide_;
};

struct Group {
    const Lottery* lottery;
    const std::int64_t* row;
};

// A plan whose tables are ready for use.
struct Game {
    explicit Game(const Plan& plan) : units(plan.units), singles(plan.singles) {
        for (std::int64_t table = 0; table < plan.tables.count; ++table) {
            lotteries.emplace_back(plan.tables, table);
        }
        for (std::int64_t group = 0; group < plan.groups.count; ++group) {
            const auto table = static_cast<std::size_t>(plan.group_tables[group]);
            groups.push_back({&lotteries[table], plan.groups[group]});
        }
        if (plan.singles_table >= 0) {
            alone = &lotteries[static_cast<std::size_t>(plan.singles_table)];
        }
    }

    Rows units;
    Rows singles;
    const Lottery* alone = nullptr;  // tells how many singles are drawn
    std::vector<Lottery> lotteries;
    std::vector<Group> groups;
};

// One replication at a time. `known` is the width of the rows, 0 where only the plan knows it.
template <int known>
class Replication {
public:
    Replication(const Game& game, std::uint64_t seed) : game_(game), seed_(seed) {}

    void draw(std::int64_t number, std::int64_t* sums, Watch& watch) const {
        Words words(seed_, static_cast<std::uint64_t>(number));
        Sums own = zero();
        std::int64_t singles = 0;
        std::int64_t missing = draw_groups(words, own, singles);
        for (int times = 0; missing < 0; ++times) {
            if (times == most_times) {
                throw std::invalid_argument(
                    "groups: drawn more often than there are units, again and again");
            }
            watch.spend(8 * static_cast<std::int64_t>(game_.groups.size() + 1));
            own = zero();
            missing = draw_groups(words, own, singles);
        }
        draw_each(game_.singles, singles, words, own);
        draw_each(game_.units, missing, words, own);
        std::copy(own.begin(), own.end(), sums);
    }

private:
    // A few numbers stay in registers.
    using Sums = std::conditional_t<(known > 0), std::array<std::int64_t, known>,
                                    std::vector<std::int64_t>>;

    Sums zero() const {
        if constexpr (known > 0) {
            return Sums{};
        } else {
            return Sums(static_cast<std::size_t>(game_.units.width));
        }
    }

    // Returns how many draws are missing then, less than 0 if there were too many.
    std::int64_t draw_groups(Words& words, Sums& sums, std::int64_t& singles) const {
        std::int64_t missing = game_.units.count;
        for (const Group& group : game_.groups) {
            const std::int64_t times = group.lottery->draw(words.next());
            add(group.row, times, sums);
            missing -= times;
        }
        singles = game_.alone == nullptr ? 0 : game_.alone->draw(words.next());
        return missing - singles;
    }

    void draw_each(const Rows& rows, std::int64_t times, Words& words, Sums& sums) const {
        const auto count = static_cast<std::uint64_t>(rows.count);
        for (std::int64_t k = 0; k < times; ++k) {
            add(rows[static_cast<std::int64_t>(below(count, words.next()))], 1, sums);
        }
    }

    static void add(const std::int64_t* row, std::int64_t times, Sums& sums) {
        for (std::size_t column = 0; column < sums.size(); ++column) {
            // round and round beyond 63 bits, as numpy does
            sums[column] = static_cast<std::int64_t>(
                static_cast<std::uint64_t>(sums[column]) +
                static_cast<std::uint64_t>(times) * static_cast<std::uint64_t>(row[column]));
        }
    }

    const Game& game_;
    std::uint64_t seed_;
};

template <int known>
void draw_range(const Game& game, std::uint64_t seed, std::int64_t first, std::int64_t last,
                std::int64_t* sums, Watch& watch) {
    const Replication<known> replication(game, seed);
    const std::int64_t steps = 8 * (game.units.count + 8);
    for (std::int64_t number = first; number < last; ++number) {
        watch.spend(steps);
        replication.draw(number, sums + number * game.units.width, watch);
    }
}

}  // namespace

void resample(const Plan& plan, std::uint64_t seed, std::int64_t replications, int threads,
              Watch& watch, std::int64_t* sums) {
    const Game game(plan);
    auto run = &draw_range<0>;
    if (plan.units.width == 1) run = &draw_range<1>;
    if (plan.units.width == 2) run = &draw_range<2>;
    if (plan.units.width == 3) run = &draw_range<3>;
    if (plan.units.width == 4) run = &draw_range<4>;
    const std::int64_t share = (replications + threads - 1) / threads;
    Helpers helpers(watch);
    for (std::int64_t first = share; first < replications; first += share) {
        const std::int64_t last = std::min(first + share, replications);
        const bool started = helpers.start([&game, run, seed, first, last, sums](Watch& own) {
            run(game, seed, first, last, sums, own);
        });
        if (started) continue;
        run(game, seed, first, replications, sums, watch);  // what no thread could be had for
        break;
    }
    run(game, seed, 0, std::min(share, replications), sums, watch);
    helpers.finish();
}

}  // namespace resampling
