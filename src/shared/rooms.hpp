#pragma once

#include "shared/household.hpp"
#include "shared/mate.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace carpool::shared {

/// Rooms of this process's memory in which what one or several mates are to read is put together
/// once per start, in turn: the next while some still read the last. Of two:
///
///     room 0   start 0 ── letters to all readers ──▶ all have read it ─▶ start 2
///     room 1              start 1 ── letters …
class Rooms {
public:
    static constexpr int fewest = 2;  ///< rooms, where there are any

    /// None as yet. @param home  outlives them
    explicit Rooms(Household& home) : home_(home) {}

    Rooms(const Rooms&) = delete;
    Rooms& operator=(const Rooms&) = delete;
    ~Rooms();

    /// Returns the reader's number. One mate may be several readers.
    std::size_t add_reader(Mate& mate);

    /// What is put together now is old: the next start begins.
    void turn();

    /// Lets `put` write to the room, unless that has been since turn(), and return its length;
    /// false, and nothing done, while somebody has to read what was there before.
    template <typename Put>
    bool load(Put put) {
        if (loaded_) return true;
        if (!is_read(current())) return false;
        bytes_ = put(home_.at(current().offset));
        return loaded_ = true;
    }

    /// Tells a reader of it; false if there is no cell for the letter. @pre loaded
    bool tell(std::size_t reader, const Address& to);

    /// Tells some at once, who are that audience; false if there is no cell for the notice.
    /// @pre loaded
    bool post(NoticeBoard& board, const NoticeBoard::Audience& audience,
              std::span<const std::size_t> readers, const Address& to);

    /// Makes them large enough for so many bytes; false if there is no memory for that. What was
    /// put together before may still be read where it was.
    bool hold(std::size_t bytes);

    /// Adds rooms until there are so many, or until memory ends.
    void extend(std::size_t wanted);

    std::size_t bytes() const { return size_; }  ///< of each

    /// What they take of the memory, in bytes.
    std::size_t taken() const { return rooms_.size() * Memory::piece(size_); }

private:
    struct Room {
        std::size_t offset;
        std::vector<Reading> latest = {};  ///< of each reader
    };

    bool add_room();
    void give_back();

    Room& current() { return rooms_[current_]; }
    static bool is_read(const Room& room);

    Household& home_;
    std::size_t size_ = 0;
    std::vector<Room> rooms_;
    std::vector<Mate*> readers_;
    std::size_t current_ = 0;
    bool loaded_ = false;
    std::int64_t bytes_ = 0;  // of what is loaded
};

}  // namespace carpool::shared
