// Python's view of decimals.hpp.
#include <cstdint>
#include <string>
#include <vector>

#include "../common/arguments.hpp"
#include "decimals.hpp"

namespace decimals {
namespace {

// A column, and the text of its last number: most neighbours are equal in some columns.
struct NumberColumn {
    Buffer<double> numbers;
    std::uint64_t bits = 0;
    std::string text{};

    void append(std::string& line, std::int64_t row) {
        std::uint64_t now = 0;
        std::memcpy(&now, numbers.data() + row, sizeof now);
        if (text.empty() || now != bits) {
            bits = now;
            text.clear();
            append_general(text, numbers.data()[row]);
        }
        line += text;
    }
};

py::str rows_of_numbers(const py::sequence& columns) {
    std::vector<NumberColumn> all;
    for (const py::handle column : columns) all.push_back({Buffer<double>(column, "columns")});
    require(!all.empty(), "columns: expected at least one");
    for (const NumberColumn& column : all) {
        require(column.numbers.size() == all[0].numbers.size(), "columns: expected equal lengths");
    }
    std::string lines;
    for (std::int64_t row = 0; row < all[0].numbers.size(); ++row) {
        if (row > 0) lines += '\n';
        for (std::size_t column = 0; column < all.size(); ++column) {
            if (column > 0) lines += ' ';
            all[column].append(lines, row);
        }
    }
    return py::str(lines);
}

}  // namespace
}  // namespace decimals

void define_decimals(py::module_ module) {
    module.def("rows_of_numbers", &decimals::rows_of_numbers, py::arg("columns"));
}
