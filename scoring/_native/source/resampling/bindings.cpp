#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "../common/arguments.hpp"
#include "../common/interruption.hpp"
#include "resample.hpp"
#include "segments.hpp"

namespace {

using namespace resampling;

using Integers = Buffer<std::int64_t>;
using Thresholds = Buffer<std::uint64_t>;

constexpr std::int64_t most_tables = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t most_replications = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t draws_per_thread = 200'000;  // below this a thread costs more than it helps

Rows rows_of(const Integers& rows, const char* name, std::int64_t width) {
    require(width < 0 || rows.extent(1) == width,
            std::string(name) + ": expected rows as wide as those of the units");
    return {rows.data(), rows.extent(0), rows.extent(1)};
}

Plan checked_plan(const Integers& units, const Integers& groups, const Integers& group_tables,
                  const Integers& singles, std::int64_t singles_table,
                  const Thresholds& thresholds, const Integers& firsts) {
    Plan plan{};
    plan.units = rows_of(units, "units", -1);
    plan.groups = rows_of(groups, "groups", plan.units.width);
    plan.singles = rows_of(singles, "singles", plan.units.width);
    plan.group_tables = group_tables.data();
    plan.singles_table = singles_table;
    require(plan.units.count > 0 && plan.units.count < (std::int64_t{1} << 32),
            "units: expected at least one and less than 2**32");
    require(plan.units.width > 0, "units: expected at least one number in each row");
    require(group_tables.size() == plan.groups.count, "group_tables: expected one for each group");
    require(firsts.size() == thresholds.extent(0), "firsts: expected one for each table");
    require(std::all_of(firsts.data(), firsts.data() + firsts.size(),
                        [](std::int64_t first) { return first >= 0 && first < most_tables; }),
            "firsts: expected numbers from 0 and less than 2**31 - 1");
    plan.tables = {thresholds.data(), firsts.data(), thresholds.extent(0), thresholds.extent(1)};
    const auto known = [&](std::int64_t table) { return table >= 0 && table < plan.tables.count; };
    require(std::all_of(plan.group_tables, plan.group_tables + plan.groups.count, known),
            "group_tables: no such table");
    require(singles_table < 0 || (known(singles_table) && plan.singles.count > 0),
            "singles_table: no such table, or no singles");
    for (std::int64_t table = 0; table < plan.tables.count; ++table) {
        require(plan.tables.width > 0 &&
                    thresholds.data()[(table + 1) * plan.tables.width - 1] ==
                        std::numeric_limits<std::uint64_t>::max(),
                "thresholds: the last one of a table must be the greatest word");
    }
    return plan;
}

py::array_t<std::int64_t> draw(py::handle units, py::handle groups, py::handle group_tables,
                               py::handle singles, py::handle singles_table, py::handle thresholds,
                               py::handle firsts, py::handle seed, py::handle replications,
                               py::handle threads) {
    const Integers unit_rows(units, "units", 2);
    const Integers group_rows(groups, "groups", 2);
    const Integers tables_of_groups(group_tables, "group_tables");
    const Integers single_rows(singles, "singles", 2);
    const std::int64_t table_of_singles = whole(singles_table, "singles_table", -1, most_tables);
    const Thresholds threshold_rows(thresholds, "thresholds", 2);
    const Integers least(firsts, "firsts");
    const Plan plan = checked_plan(unit_rows, group_rows, tables_of_groups, single_rows,
                                   table_of_singles, threshold_rows, least);
    const auto start = whole_word(seed, "seed");
    const std::int64_t count = whole(replications, "replications", 1, most_replications);
    const int most = static_cast<int>(whole(threads, "threads", 0, most_tables));
    const double draws = static_cast<double>(count) * static_cast<double>(plan.units.count);
    const auto useful = static_cast<int>(std::min(draws / draws_per_thread + 1, 1000.0));
    const auto present = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int used = std::min(useful, most > 0 ? most : present);
    py::array_t<std::int64_t> sums({count, plan.units.width});
    std::int64_t* out = sums.mutable_data();
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release release;
        resample(plan, start, count, used, watch, out);
    }
    return sums;
}

// The segments of pairs of alignments, one after the other: three columns of int32.
py::tuple matched_segments(const py::sequence& pairs, py::handle boundary_words) {
    Cutter cutter(whole(boundary_words, "boundary_words", 1, most_tables));
    Watch watch = watch_of_call();
    for (const py::handle pair : pairs) {
        const auto sides = pair.cast<py::tuple>();
        require(sides.size() == 2, "pairs: expected two alignments");
        const std::string_view first = bytes_of(sides[0], "pairs");
        const std::string_view second = bytes_of(sides[1], "pairs");
        watch.spend(static_cast<std::int64_t>(first.size() + second.size()));
        cutter.cut(first, second);
    }
    const MatchedSegments& matched = cutter.segments;
    return py::make_tuple(packed(matched.words), packed(matched.first_errors),
                          packed(matched.second_errors));
}

}  // namespace

void define_resampling(py::module_ module) {
    using py::arg;
    module.def("resample", &draw, arg("units"), arg("groups"), arg("group_tables"), arg("singles"),
               arg("singles_table"), arg("thresholds"), arg("firsts"), arg("seed"),
               arg("replications"), arg("threads"));
    module.def("matched_segments", &matched_segments, arg("pairs"), arg("boundary_words"));
}
