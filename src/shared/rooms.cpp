#include "shared/rooms.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace carpool::shared {

/// Rooms that grow take the next power of two, so that they seldom grow.
bool Rooms::hold(std::size_t bytes) {
    if (bytes <= size_) return true;
    const bool grow = size_ > 0;
    give_back();
    size_ = grow ? std::bit_ceil(bytes) : bytes;
    extend(fewest);
    if (rooms_.size() >= fewest) return true;
    give_back();
    return false;
}

void Rooms::extend(std::size_t wanted) {
    while (rooms_.size() < wanted && add_room()) {
    }
}

bool Rooms::add_room() {
    const auto offset = home_.take(size_);
    if (!offset) return false;
    auto& room = rooms_.emplace_back(Room{*offset});
    for (auto* const mate : readers_) room.latest.push_back({mate, 0});
    return true;
}

Rooms::~Rooms() { give_back(); }

void Rooms::give_back() {
    for (const auto& room : rooms_) home_.give_back(room.offset, size_, room.latest);
    rooms_.clear();
    size_ = current_ = 0;
    loaded_ = false;
}

std::size_t Rooms::add_reader(Mate& mate) {
    readers_.push_back(&mate);
    for (auto& room : rooms_) room.latest.push_back({&mate, 0});
    return readers_.size() - 1;
}

void Rooms::turn() {
    if (!std::exchange(loaded_, false)) return;
    if (++current_ == rooms_.size()) current_ = 0;
}

bool Rooms::is_read(const Room& room) { return std::ranges::all_of(room.latest, &Reading::ended); }

bool Rooms::tell(std::size_t reader, const Address& to) {
    auto& mate = *readers_[reader];
    const auto number = mate.send_room(to, bytes_, current().offset);
    if (number != 0) current().latest[reader] = {&mate, number};
    return number != 0;
}

bool Rooms::post(NoticeBoard& board, const NoticeBoard::Audience& audience,
                 std::span<const std::size_t> readers, const Address& to) {
    const auto number = board.write_room(audience, to, bytes_, current().offset);
    if (number == 0) return false;
    for (const auto reader : readers) current().latest[reader] = {readers_[reader], number, true};
    return true;
}

}  // namespace carpool::shared
