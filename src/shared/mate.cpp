#include "shared/mate.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace carpool::shared {
namespace {

/// Of a letter that stays where it is.
template <typename AnyCell>
Letter letter_in(const AnyCell& cell, std::uint64_t number, const std::byte* memory) {
    constexpr bool is_notice = std::is_same_v<AnyCell, Notice>;
    Letter letter{number, is_notice, cell.place, cell.bytes, cell.content};
    if (cell.place == Place::staged) {
        std::uint64_t offset = 0;
        std::memcpy(&offset, cell.content, sizeof offset);
        letter.content = memory + offset;
    }
    return letter;
}

Letter copied(const Letter& letter) {
    Letter result{0, letter.notice, letter.place, letter.bytes};
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

std::uint64_t Mate::send_staged(const Address& to, std::int64_t bytes, std::size_t offset) {
    const auto told = static_cast<std::uint64_t>(offset);
    return send(to, Place::staged, bytes, std::as_bytes(std::span(&told, 1)));
}

void Mate::expect(Expectation& expectation) {
    expectation.met.store(false, std::memory_order_relaxed);
    const std::lock_guard lock(receiving_);
    const auto early = find_early(expectation.address);
    if (early.among == nullptr) return expected_.push_back(&expectation);
    meet(expectation, take(early));
}

void Mate::forget(Expectation& expectation) {
    const std::lock_guard lock(receiving_);
    std::erase(expected_, &expectation);
    if (expectation.met.exchange(false, std::memory_order_relaxed)) release(expectation.letter);
}

/// What a letter comes after has been written before it: it is there at the next look at the
/// latest.
void Mate::take_in() {
    const std::lock_guard lock(receiving_);
    for (bool more = true; more;) {
        const bool notice = has_notice();
        more = take_in_letters();
        if (notice && take_in_notice()) more = true;
    }
}

/// As far as they do not come after notices that have not been read. True if there were some.
bool Mate::take_in_letters() {
    bool some = false;
    for (; has_letter(); some = true) {
        const auto number = taken_.load(std::memory_order_relaxed) + 1;
        const auto& cell = theirs_.cells[cell_of(number)];
        if (cell.after > noticed_.load(std::memory_order_relaxed)) return some;
        take_in({cell.context, cell.tag}, letter_in(cell, number, memory_));
        taken_.store(number, std::memory_order_release);
        free_cells_before(number, early_letters_);
    }
    return some;
}

/// One that is for others may be overwritten meanwhile, and others behind it: then the oldest that
/// is left comes next. One that is for this process stays as it is. False while it is overwritten.
bool Mate::take_in_notice() {
    const auto next = noticed_.load(std::memory_order_relaxed) + 1;
    const auto& cell = notices_.board->cells[cell_of(next)];
    const auto number = cell.number.load(std::memory_order_acquire);
    if (number < next) return false;
    const auto audience = cell.audience.load(std::memory_order_acquire);
    const bool unchanged = cell.number.load(std::memory_order_relaxed) == number;
    if (number == next && unchanged && is_in(audience))
        take_in({cell.context, cell.tag}, letter_in(cell, number, memory_));
    noticed_.store(number == next ? next : number - Receipts::cells, std::memory_order_release);
    free_cells_before(number, early_notices_);
    return true;
}

void Mate::take_in(const Address& address, Letter letter) {
    if (auto* const expectation = expecting(address)) return meet(*expectation, std::move(letter));
    early(letter.notice).add({arrivals_++, address, std::move(letter)});
    count_early();
}

bool Mate::is_in(std::uint16_t audience) const {
    constexpr std::size_t word_bits = 64;
    const auto offset = notices_.board->audiences[audience].load(std::memory_order_acquire);
    const auto* const words = reinterpret_cast<const std::uint64_t*>(memory_ + offset);
    return (words[notices_.reader / word_bits] >> notices_.reader % word_bits & 1) != 0;
}

/// Who waits for such a letter, and now no more; null if nobody does.
Expectation* Mate::expecting(const Address& address) {
    const auto found = std::find_if(expected_.begin(), expected_.end(),
                                    [&](const auto* one) { return one->address == address; });
    if (found == expected_.end()) return nullptr;
    auto* const expectation = *found;
    expected_.erase(found);
    return expectation;
}

/// Those that wait in their cells are the last: older ones have been copied.
void Mate::free_cells_before(std::uint64_t number, EarlyLetters& early) {
    const auto waiting = early.waiting();
    for (auto one = waiting.rbegin(); one != waiting.rend() && one->letter.number != 0; ++one) {
        if (one->letter.number + Receipts::cells / 2 > number) continue;
        const auto in_cell = std::exchange(one->letter, copied(one->letter));
        receipt(in_cell);
    }
}

void Mate::release(Letter& letter) {
    if (letter.number != 0) receipt(letter);
    letter = {};
}

void Mate::count_early() {
    early_.store(early_letters_.waiting().size() + early_notices_.waiting().size(),
                 std::memory_order_relaxed);
}

/// Letters and notices of one address are read in the order in which they have come.
Mate::Found Mate::find_early(const Address& address) {
    auto* const letter = early_letters_.find(address);
    auto* const notice = early_notices_.find(address);
    const bool is_letter =
        letter != nullptr && (notice == nullptr || letter->arrival < notice->arrival);
    if (is_letter) return {&early_letters_, letter};
    return notice != nullptr ? Found{&early_notices_, notice} : Found{};
}

Letter Mate::take(const Found& found) {
    auto letter = found.among->take(*found.one);
    count_early();
    return letter;
}

std::optional<Letter> Mate::take_early(const Address& address) {
    look();
    const std::lock_guard lock(receiving_);
    const auto found = find_early(address);
    if (found.among == nullptr) return std::nullopt;
    auto letter = take(found);
    if (letter.number == 0) return letter;
    auto copy = copied(letter);
    release(letter);
    return copy;
}

std::optional<int> Mate::first_early(std::uint64_t context) {
    look();
    const std::lock_guard lock(receiving_);
    const EarlyLetter* first = nullptr;
    for (auto* const early : {&early_letters_, &early_notices_})
        for (const auto& one : early->waiting()) {
            if (one.address.context != context) continue;
            if (first == nullptr || one.arrival < first->arrival) first = &one;
            break;
        }
    return first != nullptr ? std::optional<int>(first->address.tag) : std::nullopt;
}

std::size_t Mate::discard(std::uint64_t context) {
    look();
    const std::lock_guard lock(receiving_);
    std::size_t count = 0;
    for (auto* const early : {&early_letters_, &early_notices_})
        count += early->erase_if([&](EarlyLetter& one) {
            const bool erased = one.address.context == context;
            if (erased) release(one.letter);
            return erased;
        });
    count_early();
    return count;
}

}  // namespace carpool::shared
