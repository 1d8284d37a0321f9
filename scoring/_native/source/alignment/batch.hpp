// Aligns pieces of many pairs, in threads while further pieces are still being prepared.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "../common/helpers.hpp"
#include "linear.hpp"

namespace alignment {

// Consecutive pairs. Types and bounds may be the piece's own or somebody else's.
struct Piece {
    std::int64_t first = 0;  // number of the first pair
    std::int64_t words = 0;
    std::size_t types = 1;  // all types are less
    Pairs pairs{};
    std::vector<Type> reference_types;
    std::vector<Type> hypothesis_types;
    std::vector<std::int64_t> reference_bounds{0};
    std::vector<std::int64_t> hypothesis_bounds{0};
    std::vector<std::uint8_t> edits;

    // A piece of about a tenth of a millisecond.
    static constexpr std::int64_t good_size = 20'000;

    // The pairs are those of the piece's own types and bounds.
    void own() {
        pairs = {static_cast<std::int64_t>(reference_bounds.size()) - 1,
                 reference_types.data(), reference_bounds.data(), reference_bounds.data() + 1,
                 hypothesis_types.data(), hypothesis_bounds.data(), hypothesis_bounds.data() + 1};
        words = reference_bounds.back() + hypothesis_bounds.back();
    }

    void clear() {
        reference_types.clear();
        hypothesis_types.clear();
        reference_bounds.resize(1);
        hypothesis_bounds.resize(1);
    }
};

class Batch {
public:
    // `threads` at most, the caller's included; 0 means as many as there are processors.
    // `offsets` (a number more than pairs, or null if only counts are wanted) receives where the
    // edits of each pair begin, `counts` four numbers per pair.
    Batch(const Costs& costs, Ties ties, int threads, std::int64_t* offsets, std::int32_t* counts,
          Watch& watch)
        : costs_(costs),
          ties_(ties),
          threads_(threads > 0 ? static_cast<std::size_t>(threads)
                               : std::max(1U, std::thread::hardware_concurrency())),
          offsets_(offsets),
          counts_(counts),
          own_(costs, ties, watch),
          helpers_(watch) {}
    ~Batch() {
        const std::lock_guard<std::mutex> lock(mutex_);
        waiting_.clear();
        complete_ = true;
        wake_.notify_all();
    }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    // Aligns the piece now or later. Returns storage to build the next piece in.
    Piece give(Piece piece) {
        words_ += piece.words;
        if (threads_ == 1) {
            align(own_, piece);
            Piece next;
            if (offsets_ != nullptr) keep(piece);
            next.reference_types.swap(piece.reference_types);
            next.hypothesis_types.swap(piece.hypothesis_types);
            next.reference_bounds.swap(piece.reference_bounds);
            next.hypothesis_bounds.swap(piece.hypothesis_bounds);
            next.clear();
            return next;
        }
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            waiting_.push_back(std::move(piece));
        }
        wake_.notify_one();
        const auto worth = static_cast<std::size_t>(words_ / thread_words);
        if (helpers_.size() + 1 < std::min(threads_, worth + 1)) {
            const bool started = helpers_.start([this](Watch& watch) {
                Aligner aligner(costs_, ties_, watch);
                work(aligner, false);
            });
            if (!started) threads_ = helpers_.size() + 1;  // no more to be had
        }
        return {};
    }

    // Waits for all pieces; the edits of all pairs, piece by piece.
    std::vector<Piece> finish() {
        work(own_, true);
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            complete_ = true;
        }
        wake_.notify_all();
        helpers_.finish();
        std::sort(done_.begin(), done_.end(),
                  [](const Piece& left, const Piece& right) { return left.first < right.first; });
        return std::move(done_);
    }

private:
    // Fewer words than this are not worth a thread.
    static constexpr std::int64_t thread_words = 60'000;

    void work(Aligner& aligner, bool last) {
        while (true) {
            Piece piece;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                if (!last) wake_.wait(lock, [this] { return complete_ || !waiting_.empty(); });
                if (waiting_.empty() || helpers_.failed()) return;
                piece = std::move(waiting_.front());
                waiting_.pop_front();
            }
            align(aligner, piece);
            if (offsets_ != nullptr) keep(piece);
        }
    }

    void keep(Piece& piece) {
        Piece kept;
        kept.first = piece.first;
        kept.edits.swap(piece.edits);
        const std::lock_guard<std::mutex> lock(mutex_);
        done_.push_back(std::move(kept));
    }

    void align(Aligner& aligner, Piece& piece) const {
        aligner.expect_types(piece.types);
        if (offsets_ != nullptr) piece.edits.reserve(static_cast<std::size_t>(piece.words));
        for (std::int64_t k = 0; k < piece.pairs.count; ++k) {
            const std::int64_t pair = piece.first + k;
            const Path path = aligner.align(piece.pairs.reference(k), piece.pairs.hypothesis(k),
                                            counts_ + 4 * pair);
            if (offsets_ == nullptr) continue;
            offsets_[pair + 1] = aligner.end() - path.first;
            piece.edits.insert(piece.edits.end(), static_cast<const std::uint8_t*>(path.first),
                               aligner.end());
        }
    }

    Costs costs_;
    Ties ties_;
    std::size_t threads_;
    std::int64_t* offsets_;  // lengths, until all are known
    std::int32_t* counts_;
    Aligner own_;
    std::int64_t words_ = 0;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool complete_ = false;
    std::deque<Piece> waiting_;
    std::vector<Piece> done_;
    Helpers helpers_;  // the first to go, as they use all above
};

}  // namespace alignment
