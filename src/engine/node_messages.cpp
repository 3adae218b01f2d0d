#include "engine/node_messages.hpp"

#include "base/expects.hpp"
#include "mpi/company.hpp"
#include "mpi/error.hpp"
#include "mpi/tests.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace carpool::engine {

using shared::Cell;
using shared::Place;

namespace {

std::int64_t length_of(std::span<const std::byte> bytes) {
    return static_cast<std::int64_t>(bytes.size());
}

}  // namespace

NodeMessages::~NodeMessages() {
    for (auto& receive : receives_)
        if (receive.state == State::expected) receive.mate->forget(receive.expectation);
}

// ---- sends ----

void NodeMessages::send(int target, int tag, std::span<const std::byte> bytes, bool synchronous) {
    auto* const mate = state_.mate(target);
    if (mate == nullptr || synchronous) return by_mpi_->send(target, tag, bytes, synchronous);
    delayed_.send({mate, target, address(tag), bytes}, mate,
                  [this](const Outgoing& message) { return try_to_send(message); });
}

bool NodeMessages::try_to_send(const Outgoing& message) {
    const auto& [mate, target, address, bytes] = message;
    if (!mate->has_cell()) return false;
    if (bytes.size() <= Cell::capacity)
        return mate->send(address, Place::in_cell, length_of(bytes), bytes) != 0;
    auto& home = *mpi::household();
    const auto room = home.take(bytes.size());
    if (!room) return send_by_mpi(message);
    std::memcpy(home.at(*room), bytes.data(), bytes.size());
    const auto number = mate->send_room(address, length_of(bytes), *room);
    const shared::Reading reading{mate, number};
    home.give_back(*room, bytes.size(), std::span(&reading, 1));
    return number != 0;
}

bool NodeMessages::send_by_mpi(const Outgoing& message) {
    const auto& [mate, target, address, bytes] = message;
    if (mate->send(address, Place::elsewhere, length_of(bytes), {}) == 0) return false;
    by_mpi_->send(target, address.tag, bytes);
    return true;
}

bool NodeMessages::all_sent() {
    delayed_.go_on([this](const Outgoing& message) { return try_to_send(message); });
    return delayed_.empty() && by_mpi_->all_sent();
}

// ---- receives ----

NodeMessages::Receive& NodeMessages::new_receive(shared::Mate* mate, int source, int tag,
                                                 std::span<std::byte> bytes) {
    auto& receive = receives_.emplace_back(mate, source, bytes);
    receive.expectation.address = address(tag);
    ++open_;
    return receive;
}

std::size_t NodeMessages::receive(int source, int tag, std::span<std::byte> bytes) {
    auto& receive = new_receive(state_.mate(source), source, tag, bytes);
    if (receive.mate != nullptr)
        receive.mate->expect(receive.expectation);
    else
        receive_by_mpi(receive);
    return receives_.size() - 1;
}

void NodeMessages::receive_by_mpi(Receive& receive) {
    receive.number =
        by_mpi_->receive(receive.source, receive.expectation.address.tag, receive.bytes);
    receive.state = State::by_mpi;
}

std::optional<UnexpectedMessage> NodeMessages::probe(int tag) {
    if (auto message = probe_mates(tag)) return message;
    auto message = by_mpi_->probe(tag);
    if (!message) return std::nullopt;
    auto& receive = new_receive(nullptr, message->source, tag, message->bytes);
    receive.number = message->receive;
    receive.state = State::by_mpi;
    message->receive = receives_.size() - 1;
    return message;
}

/// Mates tell by a letter of whatever comes by MPI.
std::optional<UnexpectedMessage> NodeMessages::probe_unsynchronous(int tag) {
    return state_.all_are_mates() ? probe_mates(tag) : probe(tag);
}

bool NodeMessages::is_behind() {
    for (int rank = 0; rank < state_.size(); ++rank)
        if (auto* const mate = state_.mate(rank); mate != nullptr && mate->is_behind()) return true;
    return false;
}

std::optional<UnexpectedMessage> NodeMessages::probe_mates(int tag) {
    for (int looks = 0; looks < state_.size(); ++looks) {
        auto* const mate = state_.mate(next_);
        if (mate != nullptr && mate->has_early())
            if (auto message = taken_from(*mate, next_, tag)) return message;
        next_ = (next_ + 1) % state_.size();
    }
    return std::nullopt;
}

std::optional<UnexpectedMessage> NodeMessages::taken_from(shared::Mate& mate, int source, int tag) {
    auto letter = mate.take_early(address(tag));
    if (!letter) return std::nullopt;
    if (letter->place == Place::elsewhere) letter->copy = memory_for(letter->bytes);
    const std::span bytes(letter->copy.get(), static_cast<std::size_t>(letter->bytes));
    auto& receive = new_receive(&mate, source, tag, bytes);
    if (letter->place == Place::elsewhere) {
        receive_by_mpi(receive);
    } else {
        receive.state = State::ended;
        --open_;
    }
    return UnexpectedMessage{source, bytes, std::move(letter->copy), receives_.size() - 1};
}

/// Takes in what has come of that which is expected.
void NodeMessages::look() {
    if (open_ == 0) return;
    while (const auto number = by_mpi_->test_any()) {
        const auto ended = std::find_if(receives_.begin(), receives_.end(), [&](const auto& one) {
            return one.state == State::by_mpi && one.number == *number;
        });
        ended->state = State::ended;
        --open_;
    }
    for (auto& receive : receives_) {
        if (receive.state != State::expected) continue;
        receive.mate->look();
        if (!receive.expectation.met.load(std::memory_order_acquire)) continue;
        auto& letter = receive.expectation.letter;
        if (letter.bytes > length_of(receive.bytes))
            throw mpi::Error(MPI_ERR_TRUNCATE, std::to_string(letter.bytes) +
                                                   " bytes have come, expected at most " +
                                                   std::to_string(receive.bytes.size()));
        if (letter.place == Place::elsewhere) {
            receive_by_mpi(receive);
        } else {
            if (letter.bytes > 0)
                std::memcpy(receive.bytes.data(), letter.content,
                            static_cast<std::size_t>(letter.bytes));
            receive.state = State::ended;
            --open_;
        }
        receive.mate->release(letter);
    }
}

std::optional<std::size_t> NodeMessages::test_any() {
    look();
    while (told_ < receives_.size() && receives_[told_].state == State::told) ++told_;
    for (auto i = told_; i < receives_.size(); ++i) {
        if (receives_[i].state != State::ended) continue;
        receives_[i].state = State::told;
        return i;
    }
    return std::nullopt;
}

bool NodeMessages::all_received() {
    look();
    return open_ == 0;
}

void NodeMessages::clear() {
    CARPOOL_EXPECTS(open_ == 0 && delayed_.empty(), open_);
    receives_.clear();
    told_ = 0;
    by_mpi_->clear();
}

// ---- what nobody expects ----

std::optional<int> NodeMessages::unexpected_from(int rank) {
    auto* const mate = state_.mate(rank);
    const auto context = state_.channel()->company().context;
    const auto early = mate != nullptr ? mate->first_early(context) : std::nullopt;
    return early ? early : by_mpi_->unexpected_from(rank);
}

}  // namespace carpool::engine
