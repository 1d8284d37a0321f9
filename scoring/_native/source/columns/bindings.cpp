// Python's view of columns.hpp. Columns are handed over as bytes of native numbers.
#include <limits>
#include <string>

#include "../common/arguments.hpp"
#include "../common/interruption.hpp"
#include "columns.hpp"

namespace {

std::string_view shape_of(py::handle shape, std::string_view data) {
    const std::string_view bytes = bytes_of(shape, "shape");
    require(bytes.size() == data.size(), "data and shape differ in length");
    return bytes;
}

struct Offsets {
    Offsets(py::handle column, const char* name) {
        const std::string_view bytes = bytes_of(column, name);
        size = bytes.size() / sizeof(std::int64_t);
        require(bytes.size() == size * sizeof(std::int64_t),
                std::string(name) + ": expected bytes of int64, found " +
                    std::to_string(bytes.size()) + " bytes");
        data = reinterpret_cast<const std::int64_t*>(bytes.data());
    }

    const std::int64_t* data;
    std::size_t size;
};

py::tuple tokenize(const py::object& self, py::handle data, py::handle shape, py::handle begins,
                   py::handle ends) {
    const std::string_view text = bytes_of(data, "data");
    const std::string_view shape_bytes = shape_of(shape, text);
    const Offsets from(begins, "begins");
    const Offsets to(ends, "ends");
    require(from.size == to.size, "begins and ends differ in length");
    for (std::size_t span = 0; span < from.size; ++span) {
        require(0 <= from.data[span] && from.data[span] <= to.data[span] &&
                    to.data[span] <= static_cast<std::int64_t>(text.size()),
                "a span lies outside the data");
    }
    const py::scoped_critical_section alone(self);
    Watch watch = watch_of_call();
    const columns::Spans spans{text, shape_bytes, from.data, to.data, from.size};
    const columns::Ends ends_of_spans = columns::count_tokens(spans, watch);
    // of a large file's words there is no room for two copies
    NumberBytes<std::int32_t> types(ends_of_spans.offsets.back());
    columns::number_tokens(spans, ends_of_spans, self.cast<columns::TokenTable&>(), watch, types.data());
    return py::make_tuple(types.take(), packed(ends_of_spans.offsets), py::bytes(ends_of_spans.braced));
}

py::list texts(const py::object& self, py::handle from) {
    const std::int64_t first = whole(from, "first", 0, std::numeric_limits<std::int64_t>::max());
    const py::scoped_critical_section alone(self);
    const auto& table = self.cast<const columns::TokenTable&>();
    py::list all;
    for (auto number = static_cast<std::size_t>(first); number < table.size(); ++number) {
        const std::string_view text = table.text(number);
        all.append(py::bytes(text.data(), text.size()));
    }
    return all;
}

py::tuple scan_trn(py::handle data) {
    Watch watch = watch_of_call();
    const columns::TrnLines lines = columns::scan_trn(bytes_of(data, "data"), watch);
    return py::make_tuple(packed(lines.text_begins), packed(lines.text_ends),
                          packed(lines.identifier_begins), packed(lines.identifier_ends),
                          lines.marked, lines.unparsable, lines.unterminated);
}

py::list as_bytes(const std::vector<std::string>& names) {
    py::list all;
    for (const std::string& name : names) all.append(py::bytes(name));
    return all;
}

// The bytes of a column, which is given up.
template <class Number>
py::bytes handed_over(std::vector<Number>& column) {
    py::bytes bytes = packed(column);
    std::vector<Number>().swap(column);
    return bytes;
}

py::tuple scan_ctm(py::handle data, py::handle shape, const py::object& table) {
    const std::string_view text = bytes_of(data, "data");
    const std::string_view shape_bytes = shape_of(shape, text);
    if (!py::isinstance<columns::TokenTable>(table)) {
        throw unexpected("table", "a TokenTable", table);
    }
    const py::scoped_critical_section alone(table);
    Watch watch = watch_of_call();
    columns::CtmLines lines =
        columns::scan_ctm(text, shape_bytes, table.cast<columns::TokenTable&>(), watch);
    // one after the other, so that there are never two copies of all
    const py::bytes begins = handed_over(lines.begins);
    const py::bytes durations = handed_over(lines.durations);
    const py::bytes confidences = handed_over(lines.confidences);
    const py::bytes types = handed_over(lines.types);
    return py::make_tuple(begins, durations, confidences, types, lines.run_begins, as_bytes(lines.files),
                          as_bytes(lines.channels), lines.first_confidence, lines.empty_line,
                          lines.short_line, lines.cut_line, lines.odd_time,
                          lines.negative_time, lines.unsorted);
}

}  // namespace

void define_columns(py::module_ module) {
    using py::arg;
    py::class_<columns::TokenTable>(module, "TokenTable")
        .def(py::init<>())
        .def("__len__", &columns::TokenTable::size)
        .def("intern",
             [](const py::object& self, py::handle token) {
                 const std::string_view text = bytes_of(token, "token");
                 const py::scoped_critical_section alone(self);
                 return self.cast<columns::TokenTable&>().intern(text.data(), text.size());
             })
        .def("texts", &texts, arg("first") = 0)
        .def("tokenize", &tokenize, arg("data"), arg("shape"), arg("begins"), arg("ends"));
    module.def("scan_trn", &scan_trn, arg("data"));
    module.def("scan_ctm", &scan_ctm, arg("data"), arg("shape"), arg("table"));
    module.def("number", [](py::handle field) { return columns::number(bytes_of(field, "field")); });
}
