// SPDX-License-Identifier: MIT
#include "mpi/types/layout.hpp"

namespace carpool::mpi {
namespace {

constexpr std::size_t most_runs = std::size_t{1} << 20;

bool plain(const Run& run) { return run.repeat == 1 || run.stride == run.length; }

/// The same bytes in the simplest form: one piece if the pieces touch.
Run simplified(Run run) {
    if (run.stride == run.length) return {run.offset, run.length * run.repeat, 0, 1};
    return run;
}

/// Joins next to last if together they are one run.
bool join(Run& last, const Run& next) {
    if (plain(last) && plain(next) && last.offset + last.length == next.offset) {
        last.length += next.length;
        return true;
    }
    if (next.repeat != 1 || next.length != last.length) return false;
    if (last.repeat == 1) last.stride = next.offset - last.offset;
    if (next.offset != last.offset + last.stride * last.repeat) return false;
    ++last.repeat;
    return true;
}

}  // namespace

void Layout::append(Run run) {
    if (run.length == 0 || run.repeat == 0) return;
    run = simplified(run);
    if (!has_one_ || !join(last(), run)) push_back(run);
}

void Layout::push_back(const Run& run) {
    if (!has_one_)
        one_ = run;
    else if (several_.empty())
        several_ = {one_, run};
    else
        several_.push_back(run);
    has_one_ = true;
}

bool Layout::append(const Layout& other, std::int64_t offset) {
    for (Run run : other.runs()) {
        run.offset += offset;
        append(run);
    }
    return several_.size() <= most_runs;
}

std::optional<Layout> Layout::repeated(std::int64_t count, std::int64_t stride) const {
    Layout result;
    if (several_.empty() && has_one_ && one_.repeat == 1) {
        const Run& piece = one_;
        result.append({piece.offset, piece.length, stride, count});
        return result;
    }
    for (std::int64_t i = 0; i < count && has_one_; ++i)
        if (!result.append(*this, i * stride)) return std::nullopt;
    return result;
}

std::int64_t Layout::size() const {
    std::int64_t sum = 0;
    for (const auto& run : runs()) sum += run.length * run.repeat;
    return sum;
}

std::int64_t Layout::pieces() const {
    std::int64_t sum = 0;
    for (const auto& run : runs()) sum += run.repeat;
    return sum;
}

}  // namespace carpool::mpi
