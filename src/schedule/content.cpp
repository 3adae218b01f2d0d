// SPDX-License-Identifier: MIT
#include "schedule/content.hpp"

#include "schedule/schedule.hpp"
#include "schedule/text.hpp"

#include <algorithm>
#include <tuple>

namespace carpool::schedule {
namespace {

bool before(const Origin& a, const Origin& b) {
    return std::tie(a.send_slot, a.bytes, a.rank, a.ranks) <
           std::tie(b.send_slot, b.bytes, b.rank, b.ranks);
}

bool same_slot(const Origin& a, const Origin& b) {
    return a.send_slot == b.send_slot && a.bytes == b.bytes;
}

Content sorted(Content content) {
    std::sort(content.blocks.begin(), content.blocks.end(), before);
    Content result;
    for (const auto& block : content.blocks) result.add(block);
    return result;
}

/// With an entry for every rank.
Content spelt_out(const Content& content) {
    Content result;
    for (const auto& block : content.blocks)
        for (int i = 0; i < block.ranks; ++i)
            result.blocks.push_back({block.rank + i, block.send_slot, block.bytes});
    return result;
}

bool overlap(const Content& sorted) {
    const auto& blocks = sorted.blocks;
    return std::adjacent_find(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) {
               return same_slot(a, b) && b.rank < a.rank + a.ranks;
           }) != blocks.end();
}

}  // namespace

void Content::add(const Origin& block) {
    const bool joins = !blocks.empty() && same_slot(blocks.back(), block) &&
                       blocks.back().rank + blocks.back().ranks == block.rank;
    if (joins)
        blocks.back().ranks += block.ranks;
    else
        blocks.push_back(block);
}

void Content::add(const Content& other) {
    for (const auto& block : other.blocks) add(block);
}

Content Content::normalised(SumOrder order) const {
    if (order == SumOrder::exact) return *this;
    auto result = sorted(*this);
    if (!overlap(result)) return result;
    result = spelt_out(*this);
    std::sort(result.blocks.begin(), result.blocks.end(), before);
    if (order == SumOrder::any) return result;
    const auto end = std::unique(result.blocks.begin(), result.blocks.end());
    result.blocks.erase(end, result.blocks.end());
    return sorted(std::move(result));
}

std::string to_text(const Content& content) {
    if (!content) return "nothing";
    std::string text;
    for (const auto& block : spelt_out(content).blocks)
        text += (text.empty() ? "" : " + ") + to_text(Slot{Slot::Kind::send, block.send_slot}) +
                " of rank " + std::to_string(block.rank) + " (" + std::to_string(block.bytes) +
                " B)";
    return text;
}

}  // namespace carpool::schedule
