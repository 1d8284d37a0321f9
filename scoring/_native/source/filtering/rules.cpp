#include <algorithm>
#include <bitset>
#include <cstring>

#include "filtering.hpp"

namespace filtering {

namespace {

std::string folded(std::string_view text, bool case_sensitive) {
    std::string made(text);
    if (!case_sensitive) {
        for (char& c : made) {
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return made;
}

struct Folded {
    std::string source, left, right;
};

constexpr std::size_t bytes = 256;
constexpr std::size_t keys = bytes * bytes;

std::size_t key_of(char first, char second) {
    return static_cast<unsigned char>(first) * bytes + static_cast<unsigned char>(second);
}

// So many bytes are compared at once; a text has as many zeros after it.
constexpr std::size_t ahead = sizeof(std::uint64_t);

std::uint64_t word_of(const char* bytes_ahead) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes_ahead, ahead);
    return word;
}

// A rule's number and its first bytes, which tell most places where it does not fit.
struct Entry {
    std::uint64_t value = 0, mask = 0;
    std::uint32_t number = 0;

    Entry() = default;
    Entry(std::size_t rule, std::string begin) : number(static_cast<std::uint32_t>(rule)) {
        std::string used(std::min(begin.size(), ahead), '\xff');
        used.resize(ahead);
        begin.resize(ahead);
        value = word_of(begin.data());
        mask = word_of(used.data());
    }

    bool may_fit(const char* text) const { return ((word_of(text) ^ value) & mask) == 0; }
};

// Rules, in their order, by the first two bytes of what is replaced and stands after.
class Table {
public:
    Table(const std::vector<Folded>& rules, bool behind_blank) : begins_(keys + 1) {
        for (const bool counting : {true, false}) {
            for (std::size_t number = 0; number < rules.size(); ++number) {
                const Folded& rule = rules[number];
                const bool needs_blank = !rule.left.empty() && rule.left.back() == ' ';
                if (rule.source.empty() || (needs_blank && !behind_blank)) continue;
                const std::string begin = rule.source + rule.right;
                const std::size_t first = key_of(begin[0], begin.size() > 1 ? begin[1] : '\0');
                const std::size_t last = begin.size() > 1 ? first + 1 : first + bytes;
                for (std::size_t key = first; key < last; ++key) {
                    if (counting) {
                        ++begins_[key + 1];
                    } else {
                        entries_[filled_[key]++] = Entry(number, begin);
                    }
                }
            }
            if (!counting) break;
            for (std::size_t key = 0; key < keys; ++key) begins_[key + 1] += begins_[key];
            for (std::size_t key = 0; key < keys; ++key) opens_[key] = begins_[key] != begins_[key + 1];
            entries_.resize(begins_[keys]);
            filled_ = begins_;
        }
    }

    bool empty() const { return entries_.empty(); }

    // Whether any rule begins so.
    bool opens(std::size_t key) const { return opens_[key]; }

    const Entry* begin(std::size_t key) const { return entries_.data() + begins_[key]; }
    const Entry* end(std::size_t key) const { return entries_.data() + begins_[key + 1]; }

private:
    std::vector<std::size_t> begins_, filled_;
    std::vector<Entry> entries_;
    std::bitset<keys> opens_;
};

bool stands(std::string_view text, std::size_t at, std::string_view part) {
    return text.compare(at, part.size(), part) == 0;
}

}  // namespace

std::string rewrite(std::string_view text, const std::vector<Rule>& rules, bool case_sensitive,
                    bool copy, std::vector<std::int64_t>& hits, Watch& watch) {
    std::vector<Folded> parts;
    for (const Rule& rule : rules) {
        parts.push_back({folded(rule.source, case_sensitive), folded(rule.left, case_sensitive),
                         folded(rule.right, case_sensitive)});
    }
    const Table anywhere(parts, false);
    const Table behind_blank(parts, true);
    std::string seen = folded(text, case_sensitive);
    seen.resize(text.size() + ahead);
    const std::string_view view(seen.data(), text.size());
    std::string made;
    if (copy) made.reserve(text.size());
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size();) {
        bool blank = at > 0 && view[at - 1] == ' ';
        std::size_t key = 0;
        for (; at < view.size(); blank = view[at++] == ' ') {
            if (!blank && anywhere.empty()) {
                // nothing fits before the next blank
                at = std::min(view.find(' ', at), view.size() - 1) + 1;
                if (at == view.size()) break;
                blank = true;
            }
            key = key_of(view[at], at + 1 < view.size() ? view[at + 1] : '\0');
            if ((blank ? behind_blank : anywhere).opens(key)) break;
        }
        if (at == view.size()) break;
        const Table& table = blank ? behind_blank : anywhere;
        const Entry* entry = table.begin(key);
        const Entry* const last = table.end(key);
        for (; entry != last; ++entry) {
            if (!entry->may_fit(view.data() + at)) continue;
            const Folded& rule = parts[entry->number];
            if (rule.left.size() <= at && stands(view, at, rule.source) &&
                stands(view, at + rule.source.size(), rule.right) &&
                stands(view, at - rule.left.size(), rule.left)) {
                break;
            }
        }
        watch.spend(16 + 4 * (entry - table.begin(key)));
        if (entry == last) {
            ++at;
            continue;
        }
        if (copy) made.append(text, done, at - done);
        made.append(rules[entry->number].target);
        ++hits[entry->number];
        at += parts[entry->number].source.size();
        done = at;
    }
    if (copy) made.append(text, done);
    return made;
}

}  // namespace filtering
