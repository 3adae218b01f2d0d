#include "shared/rooms.hpp"

#include <algorithm>
#include <utility>

namespace carpool::shared {

std::unique_ptr<Rooms> Rooms::open(Household& home, std::size_t bytes) {
    const auto one = home.take(bytes);
    if (!one) return nullptr;
    const auto other = home.take(bytes);
    if (!other) {
        home.give_back(*one, bytes, {});
        return nullptr;
    }
    return std::unique_ptr<Rooms>(new Rooms(home, bytes, {{{*one}, {*other}}}));
}

Rooms::~Rooms() {
    for (const auto& room : rooms_) {
        std::vector<Reading> readings;
        for (std::size_t reader = 0; reader < readers_.size(); ++reader)
            readings.push_back({readers_[reader], room.letters[reader]});
        home_.give_back(room.offset, size_, readings);
    }
}

std::size_t Rooms::add_reader(Mate& mate) {
    readers_.push_back(&mate);
    for (auto& room : rooms_) room.letters.push_back(0);
    return readers_.size() - 1;
}

void Rooms::turn() {
    if (!std::exchange(loaded_, false)) return;
    current_ = 1 - current_;
}

bool Rooms::is_read(const Room& room) const {
    for (std::size_t reader = 0; reader < readers_.size(); ++reader)
        if (!Reading{readers_[reader], room.letters[reader]}.ended()) return false;
    return true;
}

bool Rooms::tell(std::size_t reader, const Address& to) {
    auto& room = current();
    const auto number = readers_[reader]->send_room(to, bytes_, room.offset);
    if (number != 0) room.letters[reader] = number;
    return number != 0;
}

}  // namespace carpool::shared
