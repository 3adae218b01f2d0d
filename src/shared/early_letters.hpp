#pragma once

#include "shared/letter.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace carpool::shared {

struct EarlyLetter {
    std::uint64_t arrival;  ///< counts all that come early
    Address address;
    Letter letter;
};

/// Letters that have come and that nobody expects yet, the earliest first. Thousands may wait where
/// ranks that only send are far ahead: to take the first costs no more then.
class EarlyLetters {
public:
    EarlyLetters() { letters_.reserve(Receipts::cells); }

    void add(EarlyLetter one) { letters_.push_back(std::move(one)); }

    /// The earliest of that address; null if there is none.
    EarlyLetter* find(const Address& address) {
        for (auto& one : waiting())
            if (one.address == address) return &one;
        return nullptr;
    }

    /// @param one  of those that wait
    Letter take(EarlyLetter& one) {
        auto letter = std::move(one.letter);
        const auto place = &one - letters_.data();
        if (static_cast<std::size_t>(place) == taken_)
            take_first();
        else
            letters_.erase(letters_.begin() + place);
        return letter;
    }

    std::span<EarlyLetter> waiting() { return std::span(letters_).subspan(taken_); }

    /// Returns how many there were.
    template <typename Unwanted>
    std::size_t erase_if(Unwanted unwanted) {
        forget_taken();
        return std::erase_if(letters_, unwanted);
    }

private:
    /// Those behind it move up once as many have been taken.
    void take_first() {
        if (++taken_ * 2 >= letters_.size()) forget_taken();
    }

    void forget_taken() {
        letters_.erase(letters_.begin(), letters_.begin() + static_cast<std::ptrdiff_t>(taken_));
        taken_ = 0;
    }

    std::vector<EarlyLetter> letters_;  // those that have been taken come first
    std::size_t taken_ = 0;
};

}  // namespace carpool::shared
