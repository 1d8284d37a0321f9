// Python's view of speakers.hpp.
#include <cmath>
#include <limits>
#include <string>

#include "../common/arguments.hpp"
#include "../common/interruption.hpp"
#include "graphs.hpp"
#include "speakers.hpp"

namespace {

using namespace speakers;
using Integers = Buffer<std::int64_t>;

// One side: all its words, their times if there are any, and where each of its sequences begins.
class Side {
public:
    Side(py::handle given, const std::string& name, std::size_t columns = 4)
        : fields_(some(given, name, columns)),
          ids_(fields_[0], name + ".ids"),
          begins_(fields_[1], name + ".begins"),
          ends_(fields_[2], name + ".ends"),
          bounds_(fields_[3], name + ".bounds") {
        const std::int64_t count = ids_.size();
        require(begins_.size() == ends_.size() && (begins_.empty() || begins_.size() == count),
                name + ": expected no times, or two of each word");
        timed = begins_.size() > 0;
        require(bounds_.size() > 0 && bounds_.data()[0] == 0 && bounds_.data()[bounds_.size() - 1] == count,
                name + ".bounds: expected numbers from 0 to that of the words");
        for (std::int64_t k = 1; k < bounds_.size(); ++k) {
            require(bounds_.data()[k - 1] <= bounds_.data()[k], name + ".bounds: expected them in ascending order");
        }
        for (std::int64_t k = 0; k < count; ++k) {
            require(ids_.data()[k] >= 0 && ids_.data()[k] < known_most, name + ".ids: expected numbers from 0 to below 2**26");
            known = std::max<std::int64_t>(known, ids_.data()[k] + 1);
        }
    }

    // `with_times` is a property of the other side: without words this side shows none.
    std::vector<Words> sequences(bool with_times) const {
        static const std::int64_t none = 0;
        std::vector<Words> found;
        for (std::int64_t k = 1; k < bounds_.size(); ++k) {
            const std::int64_t first = bounds_.data()[k - 1], last = bounds_.data()[k];
            Words one{ids_.data() + first, nullptr, nullptr, last - first};
            if (with_times) {
                one.begins = timed ? begins_.data() + first : &none;
                one.ends = timed ? ends_.data() + first : &none;
            }
            found.push_back(one);
        }
        return found;
    }

    std::int64_t size() const { return ids_.size(); }
    py::handle field(std::size_t number) const { return fields_[number]; }
    const Integers& bounds() const { return bounds_; }

    bool timed = false;
    std::int64_t known = 1;

private:
    static constexpr std::int32_t known_most = 1 << 26;

    static py::tuple some(py::handle given, const std::string& name, std::size_t columns) {
        if (!py::isinstance<py::tuple>(given) || py::len(given) != columns) {
            throw unexpected(name, columns == 4 ? "four columns" : "seven columns", given);
        }
        return py::reinterpret_borrow<py::tuple>(given);
    }

    py::tuple fields_;
    Buffer<std::int32_t> ids_;
    Integers begins_, ends_, bounds_;
};

struct Both {
    Both(py::handle one, py::handle other) : left(one, "left"), right(other, "right") {
        require(left.timed == right.timed || left.size() == 0 || right.size() == 0,
                "right: expected times where the left side has them");
        const bool timed = left.timed || right.timed;
        lefts = left.sequences(timed);
        rights = right.sequences(timed);
        known = std::max(left.known, right.known);
    }
    Side left, right;
    std::vector<Words> lefts, rights;
    std::int64_t known;
};

py::bytes distances(py::handle left, py::handle right) {
    const Both both(left, right);
    Watch watch = watch_of_call();
    std::vector<std::int64_t> found;
    {
        const py::gil_scoped_release release;
        for (const Words& one : both.lefts) {
            for (const Words& other : both.rights) found.push_back(distance(one, other, both.known, watch));
        }
    }
    return packed(found);
}

py::tuple align_timed(py::handle left, py::handle right) {
    const Both both(left, right);
    require(both.lefts.size() == both.rights.size(), "right: expected as many sequences as left");
    require(both.left.timed || both.right.timed || both.left.size() == 0 || both.right.size() == 0, "left: expected times");
    Watch watch = watch_of_call();
    std::vector<std::uint8_t> edits;
    std::vector<std::int64_t> bounds{0};
    {
        const py::gil_scoped_release release;
        for (std::size_t k = 0; k < both.lefts.size(); ++k) {
            const Words& one = both.lefts[k];
            const Words& other = both.rights[k];
            if (one.count == 0 || other.count == 0) {
                edits.insert(edits.end(), static_cast<std::size_t>(one.count), 2);
                edits.insert(edits.end(), static_cast<std::size_t>(other.count), 3);
            } else {
                align(one, other, watch, edits);
            }
            bounds.push_back(static_cast<std::int64_t>(edits.size()));
        }
    }
    return py::make_tuple(packed(edits), packed(bounds));
}

// The sequences of a side, which stand one after the other.
Words all_of(const std::vector<Words>& sequences) {
    Words all = sequences.front();
    for (std::size_t k = 1; k < sequences.size(); ++k) all.count += sequences[k].count;
    return all;
}

double allowed(py::handle value, const std::string& name) {
    return static_cast<double>(whole(value, name, 0, std::int64_t{1} << 62));
}

py::object combine_all(py::handle left, py::handle chains, py::handle right, py::handle alone,
                       py::handle most_updates, py::handle most_bytes) {
    const Both both(left, right);
    const Buffer<std::int32_t> of(chains, "chains");
    require(of.size() == static_cast<std::int64_t>(both.lefts.size()), "chains: expected one for each segment");
    require(!both.rights.empty() && of.size() > 0, "right: expected a stream, and a segment on the left");
    const bool single = whole(alone, "alone", 0, 1) != 0;
    Segments segments;
    for (std::int64_t k = 0; k < of.size(); ++k) {
        const auto chain = static_cast<std::size_t>(whole(py::int_(of.data()[k]), "chains", 0, of.size() - 1));
        if (segments.chains.size() <= chain) segments.chains.resize(chain + 1);
        const Words& one = both.lefts[static_cast<std::size_t>(k)];
        require(!one.timed() || one.count > 0, "left: expected words in each timed segment");
        segments.chains[chain].push_back(one);
    }
    require(!single || segments.chains.size() == 1, "chains: expected a single one");
    for (const auto& chain : segments.chains) require(!chain.empty(), "chains: expected segments of each");
    const double updates = allowed(most_updates, "most_updates"), bytes = allowed(most_bytes, "most_bytes");
    Watch watch = watch_of_call();
    Combined found;
    {
        const py::gil_scoped_release release;
        if (single && both.rights.size() == 1) {
            const Words all = all_of(both.lefts);
            found.cost = distance(all, both.rights[0], both.known, watch);
            found.path.assign(both.lefts.size(), {0, 0});
        } else {
            found = combine(segments, both.rights, single, updates, bytes, watch);
        }
    }
    if (found.cost < 0) return py::none();
    std::vector<std::int32_t> path;
    for (const Step& step : found.path) path.insert(path.end(), {step.chain, step.stream});
    return py::make_tuple(found.cost, packed(path));
}

py::tuple combine_one_by_one(py::handle left, py::handle right, py::handle start) {
    const Both both(left, right);
    const Buffer<std::int32_t> first(start, "start");
    require(first.size() == static_cast<std::int64_t>(both.lefts.size()), "start: expected a stream of each segment");
    require(both.left.size() + both.right.size() < std::numeric_limits<std::int32_t>::max() / 4, "left: expected fewer words");
    std::vector<std::int32_t> choice(first.data(), first.data() + first.size());
    for (const std::int32_t one : choice) {
        require(0 <= one && one < static_cast<std::int64_t>(both.rights.size()), "start: expected numbers of streams");
    }
    Watch watch = watch_of_call();
    std::int64_t cost = 0;
    {
        const py::gil_scoped_release release;
        cost = combine_greedily(both.lefts, both.rights, both.known, choice, watch);
    }
    return py::make_tuple(cost, packed(choice));
}

// A side of word graphs.
class GraphSide {
public:
    GraphSide(py::handle given, const std::string& name)
        : side(given, name, 7),
          marks_(side.field(4), name + ".marks"),
          offsets_(side.field(5), name + ".offsets"),
          predecessors_(side.field(6), name + ".predecessors") {
        const std::int64_t arcs = side.size();
        require(marks_.size() == arcs, name + ".marks: expected one for each arc");
        for (std::int64_t k = 0; k < arcs; ++k) require(marks_.data()[k] <= joined_alike, name + ".marks: expected numbers to 4");
        require(offsets_.size() == arcs + 1 && offsets_.data()[0] == 0 && offsets_.data()[arcs] == predecessors_.size(),
                name + ".offsets: expected numbers from 0 to that of the predecessors");
        for (std::int64_t k = 1; k < side.bounds().size(); ++k) {
            const std::int64_t first = side.bounds().data()[k - 1];
            for (std::int64_t arc = first; arc < side.bounds().data()[k]; ++arc) check(arc, first, name);
        }
    }

    std::vector<Graph> graphs(bool with_times) const {
        std::vector<Graph> found;
        std::int64_t k = 0;
        for (const Words& words : side.sequences(with_times)) {
            const std::int64_t first = side.bounds().data()[k++];
            found.push_back({words, marks_.data() + first, offsets_.data() + first, predecessors_.data()});
        }
        return found;
    }

    Side side;

private:
    void check(std::int64_t arc, std::int64_t first, const std::string& name) const {
        const std::int64_t begin = offsets_.data()[arc], end = offsets_.data()[arc + 1];
        require(0 <= begin && begin < end && end <= predecessors_.size(), name + ".predecessors: expected one of each arc");
        for (std::int64_t k = begin; k < end; ++k) {
            const std::int64_t place = predecessors_.data()[k];
            require(0 <= place && place <= arc - first, name + ".predecessors: expected earlier arcs of the sequence");
        }
    }

    Buffer<std::uint8_t> marks_;
    Buffer<std::int32_t> offsets_, predecessors_;
};

struct BothGraphs {
    BothGraphs(py::handle one, py::handle other) : left(one, "left"), right(other, "right") {
        require(left.side.timed == right.side.timed || left.side.size() == 0 || right.side.size() == 0,
                "right: expected times where the left side has them");
        // costs of words that are far from each other are sums below 2**28
        require(left.side.size() + right.side.size() < far / 4, "left: expected fewer words");
        const bool timed = left.side.timed || right.side.timed;
        lefts = left.graphs(timed);
        rights = right.graphs(timed);
    }
    GraphSide left, right;
    std::vector<Graph> lefts, rights;
};

py::tuple align_all_graphs(py::handle left, py::handle right, py::handle prefers_length) {
    const BothGraphs both(left, right);
    require(both.lefts.size() == both.rights.size(), "right: expected as many sequences as left");
    const bool prefers = whole(prefers_length, "prefers_length", 0, 1) != 0;
    Watch watch = watch_of_call();
    std::vector<Arcs> steps;
    std::vector<std::int64_t> bounds{0};
    {
        const py::gil_scoped_release release;
        for (std::size_t k = 0; k < both.lefts.size(); ++k) {
            align(both.lefts[k], both.rights[k], prefers, watch, steps);
            bounds.push_back(static_cast<std::int64_t>(steps.size()));
        }
    }
    std::vector<std::int32_t> flat;
    flat.reserve(2 * steps.size());
    for (const Arcs& step : steps) flat.insert(flat.end(), {step.first, step.second});
    return py::make_tuple(packed(flat), packed(bounds));
}

py::object combine_all_graphs(py::handle left, py::handle chains, py::handle right, py::handle alone,
                              py::handle most_updates, py::handle most_bytes) {
    const BothGraphs both(left, right);
    const Buffer<std::int32_t> of(chains, "chains");
    require(of.size() == static_cast<std::int64_t>(both.lefts.size()), "chains: expected one for each segment");
    require(!both.rights.empty() && of.size() > 0, "right: expected a stream, and a segment on the left");
    const bool single = whole(alone, "alone", 0, 1) != 0;
    std::vector<std::vector<Graph>> segments;
    for (std::int64_t k = 0; k < of.size(); ++k) {
        const auto chain = static_cast<std::size_t>(whole(py::int_(of.data()[k]), "chains", 0, of.size() - 1));
        if (segments.size() <= chain) segments.resize(chain + 1);
        const Graph& one = both.lefts[static_cast<std::size_t>(k)];
        require(!one.words.timed() || one.size() > 0, "left: expected words in each timed segment");
        segments[chain].push_back(one);
    }
    require(!single || segments.size() == 1, "chains: expected a single one");
    for (const auto& chain : segments) require(!chain.empty(), "chains: expected segments of each");
    const double updates = allowed(most_updates, "most_updates"), bytes = allowed(most_bytes, "most_bytes");
    Watch watch = watch_of_call();
    Combined found;
    {
        const py::gil_scoped_release release;
        found = combine_graphs(segments, both.rights, updates, bytes, watch);
    }
    if (found.cost < 0) return py::none();
    std::vector<std::int32_t> path;
    for (const Step& step : found.path) path.insert(path.end(), {step.chain, step.stream});
    return py::make_tuple(found.cost, packed(path));
}

py::tuple combine_graphs_one_by_one(py::handle left, py::handle right, py::handle start) {
    const BothGraphs both(left, right);
    const Buffer<std::int32_t> first(start, "start");
    require(first.size() == static_cast<std::int64_t>(both.lefts.size()), "start: expected a stream of each segment");
    std::vector<std::int32_t> choice(first.data(), first.data() + first.size());
    for (const std::int32_t one : choice) {
        require(0 <= one && one < static_cast<std::int64_t>(both.rights.size()), "start: expected numbers of streams");
    }
    Watch watch = watch_of_call();
    std::int64_t cost = 0;
    {
        const py::gil_scoped_release release;
        cost = combine_graphs_greedily(both.lefts, both.rights, choice, watch);
    }
    return py::make_tuple(cost, packed(choice));
}

}  // namespace

void define_speakers(py::module_ module) {
    using py::arg;
    module.def("distances", &distances, arg("left"), arg("right"));
    module.def("align_timed", &align_timed, arg("left"), arg("right"));
    module.def("align_graphs", &align_all_graphs, arg("left"), arg("right"), arg("prefers_length"));
    module.def("combine_graphs", &combine_all_graphs, arg("left"), arg("chains"), arg("right"), arg("alone"),
               arg("most_updates"), arg("most_bytes"));
    module.def("combine_graphs_greedily", &combine_graphs_one_by_one, arg("left"), arg("right"), arg("start"));
    module.def("combine", &combine_all, arg("left"), arg("chains"), arg("right"), arg("alone"),
               arg("most_updates"), arg("most_bytes"));
    module.def("combine_greedily", &combine_one_by_one, arg("left"), arg("right"), arg("start"));
}
