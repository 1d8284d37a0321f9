// Python's view of columns.hpp. Columns are handed over as bytes of native numbers.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "columns.hpp"

namespace py = pybind11;

namespace {

template <typename Number>
py::bytes packed(const std::vector<Number>& column) {
    return py::bytes(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(Number));
}

std::string_view view_of(const py::bytes& data) {
    char* text = nullptr;
    Py_ssize_t length = 0;
    if (PyBytes_AsStringAndSize(data.ptr(), &text, &length) != 0) throw py::error_already_set();
    return {text, static_cast<std::size_t>(length)};
}

std::string_view shape_of(const py::bytes& shape, std::string_view data) {
    const std::string_view bytes = view_of(shape);
    if (bytes.size() != data.size()) throw py::value_error("data and shape differ in length");
    return bytes;
}

py::tuple tokenize(columns::TokenTable& table, const py::bytes& data, const py::bytes& shape,
                   const py::bytes& begins, const py::bytes& ends) {
    const std::string_view text = view_of(data);
    const std::string_view shape_bytes = shape_of(shape, text);
    const std::string_view first = view_of(begins);
    const std::string_view last = view_of(ends);
    const std::size_t spans = first.size() / sizeof(std::int64_t);
    if (first.size() != last.size()) throw py::value_error("begins and ends differ in length");
    const auto* from = reinterpret_cast<const std::int64_t*>(first.data());
    const auto* to = reinterpret_cast<const std::int64_t*>(last.data());
    for (std::size_t span = 0; span < spans; ++span) {
        if (from[span] < 0 || from[span] > to[span] ||
            to[span] > static_cast<std::int64_t>(text.size())) {
            throw py::value_error("a span lies outside the data");
        }
    }
    columns::Tokens tokens;
    columns::tokenize(text, shape_bytes, from, to, spans, table, tokens);
    return py::make_tuple(packed(tokens.types), packed(tokens.offsets), py::bytes(tokens.braced));
}

py::list texts(const columns::TokenTable& table, std::size_t first) {
    py::list all;
    for (std::size_t number = first; number < table.size(); ++number) {
        const std::string_view text = table.text(number);
        all.append(py::bytes(text.data(), text.size()));
    }
    return all;
}

py::tuple scan_trn(const py::bytes& data) {
    const columns::TrnLines lines = columns::scan_trn(view_of(data));
    return py::make_tuple(packed(lines.text_begins), packed(lines.text_ends),
                          packed(lines.identifier_begins), packed(lines.identifier_ends),
                          lines.marked, lines.unparsable, lines.unterminated);
}

py::list as_bytes(const std::vector<std::string>& names) {
    py::list all;
    for (const std::string& name : names) all.append(py::bytes(name));
    return all;
}

py::tuple scan_ctm(const py::bytes& data, const py::bytes& shape, columns::TokenTable& table) {
    const std::string_view text = view_of(data);
    const columns::CtmLines lines = columns::scan_ctm(text, shape_of(shape, text), table);
    return py::make_tuple(packed(lines.begins), packed(lines.durations), packed(lines.confidences),
                          packed(lines.types), lines.run_begins, as_bytes(lines.files),
                          as_bytes(lines.channels), lines.first_confidence, lines.empty_line,
                          lines.short_line, lines.cut_line, lines.odd_time,
                          lines.negative_time, lines.unsorted);
}

}  // namespace

PYBIND11_MODULE(_native, module) {
    module.doc() = "Text files to columns; the plain twin is scoring.transcripts.plain.";
    py::class_<columns::TokenTable>(module, "TokenTable")
        .def(py::init<>())
        .def("__len__", &columns::TokenTable::size)
        .def("intern",
             [](columns::TokenTable& table, const py::bytes& token) {
                 const std::string_view text = view_of(token);
                 return table.intern(text.data(), text.size());
             })
        .def("texts", &texts, py::arg("first") = 0)
        .def("tokenize", &tokenize);
    module.def("scan_trn", &scan_trn);
    module.def("scan_ctm", &scan_ctm);
    module.def("number", [](const py::bytes& field) { return columns::number(view_of(field)); });
}
