// Python's view of grid.hpp.
#include <cstdint>
#include <string>
#include <vector>

#include "../common/arguments.hpp"
#include "../common/interruption.hpp"
#include "grid.hpp"

namespace {

using namespace asclite;

// The columns of an axis, alive while it is looked at.
struct Columns {
    Columns(py::handle given, const std::string& name)
        : fields(tuple_of(given, name)),
          texts(fields[0], name + ".texts"),
          begins(fields[1], name + ".begins"),
          ends(fields[2], name + ".ends"),
          singles(fields[3], name + ".singles"),
          loose(fields[4], name + ".loose"),
          offsets(fields[5], name + ".offsets"),
          before(fields[6], name + ".before"),
          lasts(fields[7], name + ".lasts") {}

    static py::tuple tuple_of(py::handle given, const std::string& name) {
        if (!py::isinstance<py::tuple>(given) || py::len(given) != 8) {
            throw unexpected(name, "eight columns", given);
        }
        return py::reinterpret_borrow<py::tuple>(given);
    }

    Axis axis(const std::string& name, std::int64_t known) const {
        const std::int64_t words = texts.size();
        const auto need = [&](bool fulfilled) { require(fulfilled, name + ": columns do not fit"); };
        need(begins.size() == words && ends.size() == words && singles.size() == words);
        need(loose.size() == words && offsets.size() == words + 1 && offsets.data()[0] == 0);
        need(offsets.data()[words] == before.size() && words < never);
        for (std::int64_t word = 0; word < words; ++word) {
            need(offsets.data()[word] < offsets.data()[word + 1]);
            need(offsets.data()[word + 1] <= before.size());
            need(0 <= texts.data()[word] && texts.data()[word] < known);
            need(0 <= singles.data()[word] && singles.data()[word] < never);
            for (std::int64_t k = offsets.data()[word]; k < offsets.data()[word + 1]; ++k) {
                need(0 <= before.data()[k] && before.data()[k] <= word);
            }
        }
        for (std::int64_t k = 0; k < lasts.size(); ++k) {
            need(0 < lasts.data()[k] && lasts.data()[k] <= words);
        }
        need(words == 0 || lasts.size() > 0);
        return {words,           texts.data(),   begins.data(), ends.data(),  singles.data(),
                loose.data(),    offsets.data(), before.data(), lasts.data(), lasts.size()};
    }

    py::tuple fields;
    Buffer<std::int32_t> texts;
    Buffer<std::int64_t> begins, ends, singles;
    Buffer<std::uint8_t> loose;
    Buffer<std::int64_t> offsets;
    Buffer<std::int32_t> before, lasts;
};

py::tuple align_grid(const py::sequence& axes, py::handle streams, const py::sequence& prices,
                     const py::sequence& texts, py::handle parts, py::handle wrong,
                     py::handle slow, py::handle fast, py::handle block) {
    Problem problem;
    const auto count = static_cast<std::int64_t>(py::len(axes));
    require(count > 0, "axes: expected at least one");
    problem.streams = static_cast<std::size_t>(whole(streams, "streams", 0, count));
    std::int64_t values[11];
    require(py::len(prices) == 11, "prices: expected eleven");
    for (std::size_t k = 0; k < 11; ++k) {
        values[k] = whole(prices[k], "prices", -1, std::int64_t{1} << 40);
    }
    problem.prices = {values[0], values[1], values[2],      values[3],      values[4],     values[5],
                      values[6], values[7], values[8] != 0, values[9] != 0, values[10] != 0};
    require(problem.prices.nearness <= 0 || problem.prices.duration > 0,
            "prices: expected a duration above 0");
    for (const py::handle text : texts) problem.texts.push_back(bytes_of(text, "texts"));
    const Buffer<std::uint8_t> kinds(parts, "parts");
    require(kinds.size() == static_cast<std::int64_t>(problem.texts.size()),
            "parts: expected one for each text");
    for (std::int64_t k = 0; k < kinds.size(); ++k) {
        require(kinds.data()[k] <= 2, "parts: expected 0, 1 or 2");
    }
    problem.parts = reinterpret_cast<const Part*>(kinds.data());
    const Buffer<std::uint8_t> foreign(wrong, "wrong");
    const auto pairs = static_cast<std::int64_t>(problem.streams) *
                       (count - static_cast<std::int64_t>(problem.streams));
    require(foreign.empty() || foreign.size() == pairs, "wrong: expected one for each pair of axes");
    problem.wrong = foreign.empty() ? nullptr : foreign.data();
    std::vector<Columns> columns;
    columns.reserve(static_cast<std::size_t>(count));
    std::int64_t cells = 1, alone = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::string name = "axes[" + std::to_string(k) + "]";
        columns.emplace_back(axes[static_cast<std::size_t>(k)], name);
        problem.axes.push_back(columns.back().axis(name, kinds.size()));
        const std::int64_t words = problem.axes.back().words + 1;
        require(cells <= (std::int64_t{1} << 62) / words, "axes: the grid is too large");
        cells *= words;
        for (std::int64_t word = 0; word + 1 < words; ++word) {
            alone += columns.back().singles.data()[word];
            require(alone < never, "axes: the costs are too large");
        }
    }
    // a step of several axes costs at most as much for each of them
    require(!problem.prices.multiple || alone * count < never, "axes: the costs are too large");
    problem.slow = static_cast<std::size_t>(whole(slow, "slow", 0, count - 1));
    problem.fast = static_cast<std::size_t>(whole(fast, "fast", count == 1 ? 1 : 0, count == 1 ? 1 : count - 1));
    require(problem.slow != problem.fast, "fast: expected another axis than the slow one");
    problem.block = whole(block, "block", 1, std::int64_t{1} << 40);

    Watch watch = watch_of_call();
    std::vector<std::int32_t> path;
    std::int64_t cost = 0;
    {
        const py::gil_scoped_release release;
        cost = Grid(problem, watch).align(path);
    }
    return py::make_tuple(cost, packed(path));
}

}  // namespace

void define_asclite(py::module_ module) {
    module.def("align_grid", &align_grid, py::arg("axes"), py::arg("streams"), py::arg("prices"),
               py::arg("texts"), py::arg("parts"), py::arg("wrong"), py::arg("slow"),
               py::arg("fast"), py::arg("block"));
}
