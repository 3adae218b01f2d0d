#pragma once

#include "base/mutex.hpp"
#include "shared/early_letters.hpp"
#include "shared/letter.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace carpool::shared {

/// Another process with which this one shares memory: letters go to it and come from it, in order.
/// Any thread may call anything. Nothing waits.
///
/// Letters travel in a ring of cells. A cell is used again when its letter has been read, in
/// whatever order. Some letters that nobody expects yet wait in their cells; more of them are
/// copied, so that they stop nobody. So do notices.
class Mate {
public:
    /// Where notices are, and whom they are for.
    struct Notices {
        const Board* board = nullptr;  ///< the other process's, which is only read
        std::size_t reader = 0;        ///< which of its drawers is for this process
        std::size_t drawer = 0;        ///< which of this process's is for it
    };

    /// @param own     this process's drawer for it
    /// @param theirs  its drawer for this process, which is only read
    /// @param memory  where its segment begins
    Mate(Drawer& own, const Drawer& theirs, const std::byte* memory, Notices notices)
        : own_(own), theirs_(theirs), memory_(memory), notices_(notices) {}
    Mate(Drawer& own, const Drawer& theirs, const std::byte* memory)
        : Mate(own, theirs, memory, Notices{}) {}

    // ---- letters to it ----

    /// Is a cell free, unless another thread takes it?
    bool has_cell() const {
        const auto next = sent_.load(std::memory_order_relaxed) + 1;
        return next < free_until_.load(std::memory_order_acquire) || looks_free(next);
    }

    /// Fetches what the next letter is written to, while something else is done.
    void fetch_cell() const {
        constexpr int to_write = 1;
        const auto next = sent_.load(std::memory_order_relaxed) + 1;
        __builtin_prefetch(&own_.cells[cell_of(next)], to_write);
    }

    /// Returns the letter's number, or 0, and nothing done, if no cell is free.
    /// @param put  writes the content, and returns its bytes. @pre it fits into a cell
    template <typename Put>
    std::uint64_t write(const Address& to, Place place, Put put) {
        const std::lock_guard lock(sending_);
        if (!has_cell()) return 0;
        const auto number = sent_.load(std::memory_order_relaxed) + 1;
        auto& cell = own_.cells[cell_of(number)];
        cell.context = to.context;
        cell.tag = to.tag;
        cell.place = place;
        cell.after = posted_.load(std::memory_order_acquire);
        cell.bytes = put(cell.content);
        cell.number.store(number, std::memory_order_release);
        sent_.store(number, std::memory_order_relaxed);
        return number;
    }

    /// The same of bytes that lie somewhere. @param bytes  of the message, wherever it is
    std::uint64_t send(const Address& to, Place place, std::int64_t bytes,
                       std::span<const std::byte> content);

    /// The letter with its bytes at an offset of this process's segment.
    std::uint64_t send_staged(const Address& to, std::int64_t bytes, std::size_t offset);

    bool has_read(std::uint64_t number) const {
        return theirs_.receipts.read[cell_of(number)].load(std::memory_order_acquire) >= number;
    }

    std::size_t drawer() const { return notices_.drawer; }

    /// The notice of that number is for it, too: what is sent from now on comes after that.
    void posted(std::uint64_t notice) { posted_.store(notice, std::memory_order_release); }

    bool has_read_notice(std::uint64_t number) const {
        return theirs_.notices.read[cell_of(number)].load(std::memory_order_acquire) >= number;
    }

    // ---- letters from it ----

    /// From now on, behind all others of the same address. @pre not expected already
    void expect(Expectation& expectation);

    /// Not any more: a letter that has come is lost.
    void forget(Expectation& expectation);

    /// Takes in what has come.
    void look() {
        if (has_letter() || has_notice()) take_in();
    }

    /// The letter's bytes have been read.
    void release(Letter& letter);

    /// Has anything come that nobody expects? Most often not, and that costs little to know.
    bool has_early() {
        look();  // who sees there that another thread has taken it in, sees here what came of that
        return early_.load(std::memory_order_relaxed) != 0;
    }

    /// A copy of the next letter of that address that has come and nobody expects.
    std::optional<Letter> take_early(const Address& address);

    /// The tag of the first letter with that context that has come and nobody expects.
    std::optional<int> first_early(std::uint64_t context);

    /// Is a letter there that waits for a notice to be read? Another look may find both.
    bool is_behind() {
        look();
        return has_letter();
    }

    /// Throws away all that nobody expects of those with that context; returns how many.
    std::size_t discard(std::uint64_t context);

private:
    /// Where one is, in which of the two; none if there is none.
    struct Found {
        EarlyLetters* among = nullptr;
        EarlyLetter* one = nullptr;
    };

    Found find_early(const Address& address);
    Letter take(const Found& found);
    void count_early();
    EarlyLetters& early(bool notice) { return notice ? early_notices_ : early_letters_; }
    void take_in(const Address& address, Letter letter);

    static std::size_t cell_of(std::uint64_t number) { return number % Receipts::cells; }

    bool is_free(std::uint64_t number) const {
        return number <= Receipts::cells || has_read(number - Receipts::cells);
    }

    bool looks_free(std::uint64_t number) const;

    bool has_letter() const {
        const auto next = taken_.load(std::memory_order_acquire) + 1;
        return theirs_.cells[cell_of(next)].number.load(std::memory_order_acquire) == next;
    }

    bool has_notice() const {
        if (notices_.board == nullptr) return false;
        const auto next = noticed_.load(std::memory_order_acquire) + 1;
        return notices_.board->cells[cell_of(next)].number.load(std::memory_order_acquire) >= next;
    }

    void take_in();
    bool take_in_letters();
    bool take_in_notice();
    bool is_in(std::uint16_t audience) const;
    Expectation* expecting(const Address& address);
    void free_cells_before(std::uint64_t number, EarlyLetters& early);
    void receipt(const Letter& letter) {
        auto& receipts = letter.notice ? own_.notices : own_.receipts;
        receipts.read[cell_of(letter.number)].store(letter.number, std::memory_order_release);
    }

    // What each letter needs, in as few cache lines as it goes.
    Drawer& own_;
    const Drawer& theirs_;
    const std::byte* memory_;
    std::atomic<std::uint64_t> sent_ = 0;
    /// Cells of earlier letters are free as far as is known: the other one writes its receipts for
    /// each letter, so to read them costs more than to send one.
    mutable std::atomic<std::uint64_t> free_until_ = Receipts::cells + 1;
    std::atomic<std::uint64_t> taken_ = 0;
    std::atomic<std::uint64_t> noticed_ = 0;  // as far as the board has been read
    std::vector<Expectation*> expected_;      // the longest first
    EarlyLetters early_letters_;
    EarlyLetters early_notices_;
    std::atomic<std::size_t> early_ = 0;  // of both
    std::uint64_t arrivals_ = 0;
    Notices notices_;
    std::atomic<std::uint64_t> posted_ = 0;  // the latest notice for it

    base::Mutex sending_;
    base::Mutex receiving_;  // of taken_, noticed_, expected_ and all that is early
};

}  // namespace carpool::shared
