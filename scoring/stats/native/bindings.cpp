#include <algorithm>
#include <limits>
#include <string>
#include <thread>

#include "python.hpp"
#include "resample.hpp"

namespace {

namespace py = pybind11;
using namespace resampling;

using Integers = py::array_t<std::int64_t, py::array::c_style>;
using Thresholds = py::array_t<std::uint64_t, py::array::c_style>;

constexpr std::int64_t draws_per_thread = 200'000;  // below this a thread costs more than it helps

Rows rows_of(const Integers& array, const char* name, std::int64_t width) {
    if (array.ndim() != 2 || (width >= 0 && array.shape(1) != width)) {
        throw py::value_error(std::string(name) + ": expected a row of numbers for each unit");
    }
    return {array.data(), array.shape(0), array.shape(1)};
}

void require(bool fulfilled, const char* problem) {
    if (!fulfilled) throw py::value_error(problem);
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
    require(group_tables.size() == plan.groups.count, "group_tables: expected one for each group");
    require(thresholds.ndim() == 2 && firsts.size() == thresholds.shape(0),
            "firsts: expected one for each table");
    plan.tables = {thresholds.data(), firsts.data(), thresholds.shape(0), thresholds.shape(1)};
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

Integers draw(const Integers& units, const Integers& groups, const Integers& group_tables,
              const Integers& singles, std::int64_t singles_table, const Thresholds& thresholds,
              const Integers& firsts, std::uint64_t seed, std::int64_t replications, int threads) {
    const Plan plan = checked_plan(units, groups, group_tables, singles, singles_table, thresholds,
                                   firsts);
    require(replications > 0, "replications: expected at least one");
    require(threads >= 0, "threads: expected a number from 0");
    const double draws = static_cast<double>(replications) * static_cast<double>(plan.units.count);
    const auto useful = static_cast<int>(std::min(draws / draws_per_thread + 1, 1000.0));
    const auto present = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int used = std::min(useful, threads > 0 ? threads : present);
    Integers sums({replications, plan.units.width});
    std::int64_t* out = sums.mutable_data();
    {
        const py::gil_scoped_release release;
        resample(plan, seed, replications, used, out);
    }
    return sums;
}

}  // namespace

NATIVE_MODULE(_native, module) {
    using py::arg;
    module.doc() = "Compiled resampling; the same function as scoring.stats.plain.";
    module.def("resample", &draw, arg("units"), arg("groups"), arg("group_tables"), arg("singles"),
               arg("singles_table"), arg("thresholds"), arg("firsts"), arg("seed"),
               arg("replications"), arg("threads"));
}
