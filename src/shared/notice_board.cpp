#include "shared/notice_board.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace carpool::shared {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::size_t words = Board::most_readers / word_bits;

void set_bits(std::byte* memory, std::span<Mate* const> mates) {
    std::array<std::uint64_t, words> bits = {};
    for (const auto* mate : mates)
        bits[mate->drawer() / word_bits] |= std::uint64_t{1} << mate->drawer() % word_bits;
    std::memcpy(memory, bits.data(), sizeof bits);
}

}  // namespace

std::unique_ptr<NoticeBoard> NoticeBoard::open(Memory& memory) {
    const auto offset = memory.take(sizeof(Board));
    return offset ? std::unique_ptr<NoticeBoard>(new NoticeBoard(memory, *offset)) : nullptr;
}

/// The system has filled it with zeros.
NoticeBoard::NoticeBoard(Memory& memory, std::size_t offset)
    : memory_(memory), offset_(offset), board_(*new (memory.at(offset)) Board) {}

const NoticeBoard::Audience* NoticeBoard::audience(std::vector<Mate*> mates) {
    std::ranges::sort(mates);
    const std::lock_guard lock(mutex_);
    if (const auto found = audiences_.find(mates); found != audiences_.end()) return &found->second;
    if (audiences_.size() == Board::most_audiences) return nullptr;
    const auto offset = memory_.take(words * sizeof(std::uint64_t));
    if (!offset) return nullptr;
    set_bits(memory_.at(*offset), mates);
    const auto number = static_cast<std::uint16_t>(audiences_.size());
    board_.audiences[number].store(*offset, std::memory_order_release);
    return &audiences_.emplace(mates, Audience{number, mates}).first->second;
}

std::uint64_t NoticeBoard::write_staged(const Audience& audience, const Address& to,
                                        std::int64_t bytes, std::size_t offset) {
    return write(audience, to, Place::staged, [&](std::byte* cell) {
        const auto told = static_cast<std::uint64_t>(offset);
        std::memcpy(cell, &told, sizeof told);
        return bytes;
    });
}

/// Has everybody read what is in its cell?
bool NoticeBoard::is_free(std::uint64_t number) const {
    const auto* const readers = readers_[number % Receipts::cells];
    return readers == nullptr || std::ranges::all_of(readers->mates, [&](const Mate* mate) {
               return mate->has_read_notice(number - Receipts::cells);
           });
}

/// Sees how many cells from there on are free.
bool NoticeBoard::looks_free(std::uint64_t number) {
    auto end = number;
    while (end < number + Receipts::cells && is_free(end)) ++end;
    free_until_ = std::max(free_until_, end);
    return end > number;
}

void NoticeBoard::keep(const Audience& audience, std::uint64_t number) {
    written_ = number;
    readers_[number % Receipts::cells] = &audience;
    for (auto* const mate : audience.mates) mate->posted(number);
}

}  // namespace carpool::shared
