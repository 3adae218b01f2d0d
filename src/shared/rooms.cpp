#include "shared/rooms.hpp"

#include <algorithm>
#include <utility>

namespace carpool::shared {

std::unique_ptr<Rooms> Rooms::open(Household& home, std::size_t bytes) {
    constexpr std::size_t least = 2;
    std::unique_ptr<Rooms> rooms(new Rooms(home, bytes));
    rooms->extend(least);
    return rooms->rooms_.size() == least ? std::move(rooms) : nullptr;
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

Rooms::~Rooms() {
    for (const auto& room : rooms_) home_.give_back(room.offset, size_, room.latest);
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
