// Python's view of filtering.hpp.
#include <string>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#endif

#include "../common/arguments.hpp"
#include "../common/interruption.hpp"
#include "filtering.hpp"

namespace {

using namespace filtering;

Kind kind_of(py::handle value) {
    const std::string name = py::cast<std::string>(value);
    if (name == "ctm") return Kind::ctm;
    if (name == "stm") return Kind::stm;
    if (name == "trn") return Kind::trn;
    if (name == "txt") return Kind::txt;
    if (name == "rttm") return Kind::rttm;
    throw py::key_error(name);
}

py::tuple rewrite_text(py::handle text, py::handle rules, bool case_sensitive, bool copy) {
    const std::string_view given = bytes_of(text, "text");
    std::vector<Rule> read;
    const py::sequence sequence = py::reinterpret_borrow<py::sequence>(rules);
    const py::tuple kept(sequence);
    for (const py::handle rule : kept) {
        require(py::isinstance<py::tuple>(rule) && py::len(rule) == 4,
                "rules: expected tuples of four");
        const auto parts = py::reinterpret_borrow<py::tuple>(rule);
        const auto part = [&](std::size_t number) {
            return bytes_of(py::object(parts[number]), "rules");
        };
        read.push_back({part(0), part(1), part(2), part(3)});
    }
    std::vector<std::int64_t> hits(read.size());
    std::string made;
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release released;
        made = rewrite(given, read, case_sensitive, copy, hits, watch);
    }
    return py::make_tuple(py::bytes(made), hits);
}

py::tuple cut_lines(py::handle kind, py::handle data) {
    const Kind chosen = kind_of(kind);
    const std::string_view given = bytes_of(data, "data");
    Cut made;
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release released;
        made = cut(chosen, given, watch);
    }
    return py::make_tuple(py::bytes(made.texts), py::bytes(made.rests), made.stopped);
}

// What a function makes of bytes.
template <class Make>
py::bytes made_of(py::handle data, const char* name, Make make) {
    const std::string_view given = bytes_of(data, name);
    Watch watch = watch_of_call();
    std::string made;
    {
        const py::gil_scoped_release released;
        made = make(given, watch);
    }
    return py::bytes(made);
}

py::bytes trimmed_lines(py::handle texts) { return made_of(texts, "texts", trimmed); }

py::bytes ordered_records(py::handle kind, py::handle data) {
    const Kind chosen = kind_of(kind);
    if (chosen != Kind::ctm && chosen != Kind::stm) throw py::key_error(py::cast<std::string>(kind));
    return made_of(data, "data", [&](std::string_view given, Watch& watch) {
        return ordered(chosen, given, watch);
    });
}

py::tuple join_lines(py::handle kind, py::handle texts, py::handle rests) {
    const Kind chosen = kind_of(kind);
    const std::string_view first = bytes_of(texts, "texts");
    const std::string_view second = bytes_of(rests, "rests");
    std::pair<std::string, std::int64_t> made;
    Watch watch = watch_of_call();
    {
        const py::gil_scoped_release released;
        made = join(chosen, first, second, watch);
    }
    return py::make_tuple(py::bytes(made.first), made.second);
}

void keep_freed_memory() {
#ifdef __GLIBC__
    constexpr std::size_t most = 32 << 20;  // that glibc takes for the first
    mallopt(M_MMAP_THRESHOLD, static_cast<int>(most));
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    // what is next on the heap comes in few large pages, as far as it is used
    constexpr std::size_t page = 2 << 20;
    void* const room = std::malloc(most - page);
    if (room == nullptr) return;
    const auto begin = (reinterpret_cast<std::uintptr_t>(room) + page - 1) / page * page;
    madvise(reinterpret_cast<void*>(begin), most - 2 * page, MADV_HUGEPAGE);
    std::free(room);
#endif
}

}  // namespace

void define_filtering(py::module_ module) {
    module.def("rewrite", &rewrite_text, py::arg("text"), py::arg("rules"),
               py::arg("case_sensitive"), py::arg("copy"));
    module.def("cut", &cut_lines, py::arg("kind"), py::arg("data"));
    module.def("ordered", &ordered_records, py::arg("kind"), py::arg("data"));
    module.def("trimmed", &trimmed_lines, py::arg("texts"));
    module.def("keep_freed_memory", &keep_freed_memory);
    module.def("join", &join_lines, py::arg("kind"), py::arg("texts"), py::arg("rests"));
}
