// SPDX-License-Identifier: MIT
// What another process may have written to the memory that it shares with this one: messages,
// multicasts, reader sets and acks, some of which are broken. An input is a row of calls of this
// process, and of writes of the other.

#include "shared/endpoint.hpp"
#include "base/expects.hpp"
#include "bytes.hpp"
#include "fuzz.hpp"
#include "shared/envelope.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

using namespace carpool::shared;

namespace {

class TwoProcesses {
public:
    explicit TwoProcesses(const std::string& input) : bytes_(input) {}

    void run() {
        while (!bytes_.empty()) one();
    }

private:
    static constexpr std::size_t memory_bytes = 2048;

    void one() {
        switch (bytes_.one_of(10)) {
            case 0:
            case 1:
                return write_message();
            case 2:
                return write_multicast();
            case 3:
                return write_reader_set();
            case 4:
                return write_ack();
            case 5:
                return expect();
            case 6:
                return forget();
            case 7:
                return take_unexpected();
            case 8:
                return look();
            default:
                return send();
        }
    }

    // The other process

    template <typename Entry>
    void fill(Entry& entry, std::uint64_t number) {
        entry.context = static_cast<std::uint64_t>(bytes_.one_of(2));
        entry.tag = bytes_.one_of(2);
        entry.place = static_cast<ContentPlace>(bytes_.one_of(4));
        const bool is_broken = bytes_.one_of(8) == 0;
        entry.bytes = is_broken ? bytes_.number<std::int64_t>() : bytes_.one_of(100);
        const auto offset = is_broken ? bytes_.number<std::uint64_t>()
                                      : std::uint64_t{bytes_.number<std::uint16_t>()};
        std::memcpy(entry.content, &offset, sizeof offset);
        entry.after_multicast = static_cast<std::uint64_t>(bytes_.one_of(3));
        entry.number = number;
    }

    void write_message() {
        const auto number = bytes_.one_of(8) == 0 ? bytes_.number<std::uint64_t>() : ++sent_;
        fill(theirs_->entries[number % Acks::entries], number);
    }

    void write_multicast() {
        const auto number = bytes_.one_of(8) == 0 ? bytes_.number<std::uint64_t>() : ++multicasts_;
        auto& entry = ring_->entries[bytes_.one_of(8) == 0 ? 0 : number % Acks::entries];
        entry.reader_set =
            bytes_.one_of(8) == 0 ? bytes_.number<std::uint16_t>() : std::uint16_t{1};
        fill(entry, number);
    }

    void write_reader_set() {
        ring_->reader_sets[1] = bytes_.one_of(4) == 0 ? bytes_.number<std::uint64_t>() : 0;
        memory_[0] = static_cast<std::byte>(bytes_.one_of(256));
    }

    void write_ack() {
        const auto number = bytes_.number<std::uint64_t>();
        theirs_->acks.read[number % Acks::entries] = number;
    }

    // This process

    Address address() { return {static_cast<std::uint64_t>(bytes_.one_of(2)), bytes_.one_of(2)}; }

    void expect() {
        receives_.emplace_back().address = address();
        endpoint_.post(receives_.back());
    }

    void forget() {
        if (receives_.empty()) return;
        endpoint_.cancel(receives_.front());
        receives_.pop_front();
    }

    void take_unexpected() {
        const auto context = static_cast<std::uint64_t>(bytes_.one_of(2));
        endpoint_.first_unexpected(context);
        if (bytes_.one_of(4) == 0) endpoint_.discard(context);
        if (const auto envelope = endpoint_.take_unexpected(address())) read(*envelope);
    }

    void look() {
        endpoint_.poll();
        for (auto one = receives_.begin(); one != receives_.end();) {
            if (one->matched) {
                read(one->envelope);
                endpoint_.release(one->envelope);
                one = receives_.erase(one);
            } else {
                ++one;
            }
        }
    }

    void send() { endpoint_.send_staged(address(), 8, 0); }

    /// Touches each byte of a message.
    static void read(const Envelope& envelope) {
        if (envelope.place == ContentPlace::elsewhere) return;
        const volatile std::byte* byte = envelope.content;
        for (std::int64_t i = 0; i < envelope.bytes; ++i) static_cast<void>(byte[i]);
    }

    fuzz::Bytes bytes_;
    std::unique_ptr<Mailbox> own_ = std::make_unique<Mailbox>();
    std::unique_ptr<Mailbox> theirs_ = std::make_unique<Mailbox>();
    std::unique_ptr<MulticastEntries> ring_ = std::make_unique<MulticastEntries>();
    std::unique_ptr<std::byte[]> memory_ = std::make_unique<std::byte[]>(memory_bytes);
    Endpoint endpoint_{*own_, *theirs_, std::span<const std::byte>(memory_.get(), memory_bytes),
                       Endpoint::MulticastSource{ring_.get(), 3, 0}};
    std::list<PostedReceive> receives_;
    std::uint64_t sent_ = 0;
    std::uint64_t multicasts_ = 0;
};

}  // namespace

/// The error for a broken message says so.
void fuzz::read(const std::string& input) {
    try {
        TwoProcesses(input).run();
    } catch (const BrokenMessage& error) {
        CARPOOL_EXPECTS(std::strlen(error.what()) > 0);
    }
}
