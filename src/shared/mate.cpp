#include "shared/mate.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace carpool::shared {
namespace {

/// Of a letter that stays where it is.
Letter letter_in(const Cell& cell, std::uint64_t number, const std::byte* memory) {
    Letter letter{number, cell.place, cell.bytes, cell.content};
    if (cell.place == Place::in_room) {
        std::uint64_t offset = 0;
        std::memcpy(&offset, cell.content, sizeof offset);
        letter.content = memory + offset;
    }
    return letter;
}

Letter copied(const Letter& letter) {
    Letter result{0, letter.place, letter.bytes};
    if (letter.place == Place::elsewhere) return result;
    const auto bytes = static_cast<std::size_t>(letter.bytes);
    result.copy = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::memcpy(result.copy.get(), letter.content, bytes);
    result.content = result.copy.get();
    return result;
}

void meet(Expectation& expectation, Letter letter) {
    expectation.letter = std::move(letter);
    expectation.met.store(true, std::memory_order_release);
}

}  // namespace

/// Sees how many cells from there on are free.
bool Mate::looks_free(std::uint64_t number) const {
    auto end = number;
    while (end < number + Receipts::cells && is_free(end)) ++end;
    if (end > number) free_until_.store(end, std::memory_order_release);
    return end > number;
}

std::uint64_t Mate::send(const Address& to, Place place, std::int64_t bytes,
                         std::span<const std::byte> content) {
    CARPOOL_EXPECTS(content.size() <= Cell::capacity, content.size());
    return write(to, place, [&](std::byte* cell) {
        if (!content.empty()) std::memcpy(cell, content.data(), content.size());
        return bytes;
    });
}

std::uint64_t Mate::send_room(const Address& to, std::int64_t bytes, std::size_t offset) {
    const auto told = static_cast<std::uint64_t>(offset);
    return send(to, Place::in_room, bytes, std::as_bytes(std::span(&told, 1)));
}

void Mate::expect(Expectation& expectation) {
    expectation.met.store(false, std::memory_order_relaxed);
    const std::lock_guard lock(receiving_);
    const auto early = find_early(expectation.address);
    if (early == early_.end()) return expected_.push_back(&expectation);
    meet(expectation, taken(early));
}

void Mate::forget(Expectation& expectation) {
    const std::lock_guard lock(receiving_);
    std::erase(expected_, &expectation);
    if (expectation.met.exchange(false, std::memory_order_relaxed)) release(expectation.letter);
}

void Mate::take_in() {
    const std::lock_guard lock(receiving_);
    while (has_letter()) {
        const auto number = taken_.load(std::memory_order_relaxed) + 1;
        take_in(theirs_.cells[cell_of(number)], number);
        taken_.store(number, std::memory_order_relaxed);
        free_cells_before(number);
    }
}

/// Those that wait in their cells are the last: older ones have been copied.
void Mate::free_cells_before(std::uint64_t number) {
    for (auto one = early_.rbegin(); one != early_.rend() && one->letter.number != 0; ++one) {
        const auto own = one->letter.number;
        if (own + Receipts::cells / 2 > number) continue;
        one->letter = copied(one->letter);
        receipt(own);
    }
}

void Mate::take_in(const Cell& cell, std::uint64_t number) {
    const Address address{cell.context, cell.tag};
    auto letter = letter_in(cell, number, memory_);
    const auto expected = std::find_if(expected_.begin(), expected_.end(),
                                       [&](const auto* one) { return one->address == address; });
    if (expected == expected_.end()) {
        early_.push_back({address, std::move(letter)});
        return;
    }
    auto& expectation = **expected;
    expected_.erase(expected);
    meet(expectation, std::move(letter));
}

void Mate::release(Letter& letter) {
    if (letter.number != 0) receipt(letter.number);
    letter = {};
}

std::vector<Mate::Early>::iterator Mate::find_early(const Address& address) {
    return std::find_if(early_.begin(), early_.end(),
                        [&](const Early& one) { return one.address == address; });
}

std::optional<Letter> Mate::take_early(const Address& address) {
    look();
    const std::lock_guard lock(receiving_);
    const auto found = find_early(address);
    if (found == early_.end()) return std::nullopt;
    auto letter = taken(found);
    if (letter.number == 0) return letter;
    auto copy = copied(letter);
    release(letter);
    return copy;
}

Letter Mate::taken(std::vector<Early>::iterator early) {
    auto letter = std::move(early->letter);
    early_.erase(early);
    return letter;
}

bool Mate::waits(const Address& address) {
    look();
    const std::lock_guard lock(receiving_);
    return find_early(address) != early_.end();
}

std::size_t Mate::discard(const std::function<bool(const Address&)>& unwanted) {
    look();
    const std::lock_guard lock(receiving_);
    for (auto& one : early_)
        if (unwanted(one.address)) release(one.letter);
    return std::erase_if(early_, [&](const Early& one) { return unwanted(one.address); });
}

}  // namespace carpool::shared
