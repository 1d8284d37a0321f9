#include <algorithm>

#include "speakers.hpp"

namespace speakers {

namespace {

constexpr int word_bits = 64;

// Myers' bit vectors, 64 words of the right side at a time.
std::int64_t plain_distance(const Words& left, const Words& right, std::int64_t known, Watch& watch) {
    if (left.count == 0 || right.count == 0) return left.count + right.count;
    std::vector<std::uint64_t> equal(static_cast<std::size_t>(known), 0);
    // the difference along the row that a block hands on to the one below
    std::vector<std::int8_t> carried(static_cast<std::size_t>(left.count), 1);
    std::int64_t total = right.count;
    for (std::int64_t first = 0; first < right.count; first += word_bits) {
        const auto rows = static_cast<int>(std::min<std::int64_t>(word_bits, right.count - first));
        for (int row = 0; row < rows; ++row) {
            equal[static_cast<std::size_t>(right.ids[first + row])] |= std::uint64_t{1} << row;
        }
        const bool last = first + rows == right.count;
        Changes changes;
        watch.spend(left.count * 3);
        for (std::int64_t column = 0; column < left.count; ++column) {
            std::int8_t& carry = carried[static_cast<std::size_t>(column)];
            const int change = changes.take(equal[static_cast<std::size_t>(left.ids[column])], carry, rows);
            carry = static_cast<std::int8_t>(change);
            if (last) total += change;
        }
        for (int row = 0; row < rows; ++row) equal[static_cast<std::size_t>(right.ids[first + row])] = 0;
    }
    return total;
}

// The grid of two timed sequences, of which only the cells are worked out that lie where words may
// be paired: right of them every word is inserted, left of them every word is deleted.
class Band {
public:
    Band(const Words& left, const Words& right)
        : left_(left), right_(right), row_(size(right) + 1, 0), at_(size(right) + 1, 0) {
        const Reach own(left), other(right);
        edges_.resize(size(left) + 1, 0);
        firsts_.resize(size(left) + 1, 1);
        std::int64_t frozen = 1;  // the first column in which a later row may have a pair
        for (std::int64_t i = 1; i <= left.count; ++i) {
            edges_[index(i)] = std::max(edges_[index(i - 1)], other.last(own.ends[index(i - 1)]));
            // word i - 1 and all later ones begin at the earliest then
            while (frozen <= right.count && other.ends[index(frozen - 1)] <= own.begins[index(i - 1)]) ++frozen;
            firsts_[index(i)] = frozen;
        }
    }

    template <class Keep>
    std::int64_t fill(Watch& watch, Keep keep) {
        std::int64_t edge = 0;
        for (std::int64_t i = 1; i <= left_.count; ++i) {
            const std::int64_t first = firsts_[index(i)], last = edges_[index(i)];
            watch.spend((last - first + 2) * 2);
            for (; edge < last; ++edge) {
                row_[index(edge + 1)] = value(edge, i - 1) + 1;
                at_[index(edge + 1)] = i - 1;
            }
            if (first > last) continue;
            std::int64_t corner = value(first - 1, i - 1), before = value(first - 1, i);
            for (std::int64_t j = first; j <= last; ++j) {
                const std::int64_t above = row_[index(j)];
                std::int64_t best = std::min(above, before) + 1;
                if (may_pair(left_, i - 1, right_, j - 1)) {
                    best = std::min(best, corner + (left_.ids[i - 1] != right_.ids[j - 1]));
                }
                keep(j, best == before + 1, best == above + 1);
                corner = above;
                before = row_[index(j)] = best;
                at_[index(j)] = i;
            }
        }
        return value(edge, left_.count) + right_.count - edge;
    }

    std::int64_t first(std::int64_t i) const { return firsts_[index(i)]; }
    std::int64_t last(std::int64_t i) const { return edges_[index(i)]; }

private:
    static std::size_t index(std::int64_t at) { return static_cast<std::size_t>(at); }
    static std::size_t size(const Words& words) { return static_cast<std::size_t>(words.count); }
    std::int64_t value(std::int64_t j, std::int64_t i) const { return row_[index(j)] + i - at_[index(j)]; }

    const Words left_, right_;
    std::vector<std::int64_t> row_, at_, edges_, firsts_;
};

}  // namespace

Reach::Reach(const Words& words) {
    if (!words.timed() || words.count == 0) return;
    ends.assign(words.ends, words.ends + words.count);
    begins.assign(words.begins, words.begins + words.count);
    for (std::size_t k = 1; k < ends.size(); ++k) ends[k] = std::max(ends[k], ends[k - 1]);
    for (std::size_t k = begins.size() - 1; k > 0; --k) begins[k - 1] = std::min(begins[k - 1], begins[k]);
}

std::int64_t Reach::first(std::int64_t begin) const {
    return std::upper_bound(ends.begin(), ends.end(), begin) - ends.begin();
}

std::int64_t Reach::last(std::int64_t end) const {
    return std::lower_bound(begins.begin(), begins.end(), end) - begins.begin();
}

std::int64_t distance(const Words& left, const Words& right, std::int64_t known, Watch& watch) {
    if (!left.timed()) return plain_distance(left, right, known, watch);
    return Band(left, right).fill(watch, [](std::int64_t, bool, bool) {});
}

void align(const Words& left, const Words& right, Watch& watch, std::vector<std::uint8_t>& edits) {
    constexpr std::uint8_t deletion = 2, insertion = 3;
    Band band(left, right);
    std::vector<std::uint8_t> ways;
    // of each column what its last cell says of insertions: below it the same holds
    std::vector<std::uint8_t> below(static_cast<std::size_t>(right.count) + 1, 1);
    band.fill(watch, [&](std::int64_t j, bool inserts, bool deletes) {
        ways.push_back(static_cast<std::uint8_t>((inserts ? 1 : 0) | (deletes ? 2 : 0)));
        below[static_cast<std::size_t>(j)] = inserts ? 1 : 0;
    });
    const auto begin = edits.size();
    std::int64_t i = left.count, j = right.count, end = static_cast<std::int64_t>(ways.size());
    const auto width = [&](std::int64_t row) { return std::max<std::int64_t>(0, band.last(row) - band.first(row) + 1); };
    while (i > 0 || j > 0) {
        bool inserts = false, deletes = false;
        if (i == 0 || j == 0) {
            inserts = i == 0;
            deletes = !inserts;
        } else if (j > band.last(i)) {
            inserts = true;
        } else if (j < band.first(i)) {
            inserts = below[static_cast<std::size_t>(j)] != 0;
            deletes = !inserts;
        } else {
            const auto way = ways[static_cast<std::size_t>(end - width(i) + j - band.first(i))];
            inserts = (way & 1U) != 0;
            deletes = !inserts && (way & 2U) != 0;
        }
        if (inserts) {
            edits.push_back(insertion);
            --j;
            continue;
        }
        end -= width(i--);
        if (deletes) {
            edits.push_back(deletion);
        } else {
            --j;
            edits.push_back(left.ids[i] == right.ids[j] ? 0 : 1);
        }
    }
    std::reverse(edits.begin() + static_cast<std::ptrdiff_t>(begin), edits.end());
}

}  // namespace speakers
