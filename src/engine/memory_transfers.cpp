#include "engine/memory_transfers.hpp"

#include "base/each_once.hpp"
#include "base/expects.hpp"
#include "mpi/byte_count.hpp"
#include "mpi/company.hpp"
#include "mpi/error.hpp"
#include "mpi/tests.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

namespace carpool::engine {

using mpi::check;
using shared::Cell;
using shared::Notice;
using shared::Place;

namespace {

// Who waits for memory alone must let MPI go on now and then: others may wait for that.
constexpr int looks_between_turns = 32;

template <typename Letter>
bool fits(std::int64_t bytes) {
    return bytes <= static_cast<std::int64_t>(Letter::capacity);
}

}  // namespace

MemoryTransfers::MemoryTransfers(TransferList transfers, const mpi::CommState& state,
                                 const Longest& longest)
    : transfers_(std::move(transfers)),
      state_(state),
      lengths_(transfers_, state.rank()),
      context_(state.channel()->company().context),
      inboxes_(transfers_.receives.size()),
      ended_(transfers_.receives.size()) {
    for (std::size_t r = 0; r < inboxes_.size(); ++r) {
        inboxes_[r].mate = state.mate(transfers_.receives[r].peer);
        inboxes_[r].place = static_cast<std::size_t>(transfers_.order[r]);
        sources_.push_back(inboxes_[r].mate);
    }
    base::keep_each_once(sources_);
    for (const auto& send : transfers_.sends) outboxes_.push_back({state.mate(send.peer)});
    open_rooms(longest);
    find_circulars();
    open_.reserve(inboxes_.size());
    untold_.reserve(inboxes_.size());
    delayed_.reserve(outboxes_.size());
}

MemoryTransfers::~MemoryTransfers() {
    for (auto& inbox : inboxes_)
        if (!inbox.ended) inbox.mate->forget(inbox.expectation);
    const auto let_go = [](MPI_Request& request) {
        if (request != MPI_REQUEST_NULL && !mpi::finalized()) MPI_Request_free(&request);
    };
    for (auto& inbox : inboxes_) let_go(inbox.request);
    for (auto& out : outboxes_) let_go(out.request);
}

bool MemoryTransfers::needs_room(const Transfer& send, const Longest& longest) {
    return !send.typed && longest.includes(send) && !fits<Cell>(send.bytes);
}

/// How many rooms each content has. Who receives nothing here may be several starts ahead of those
/// who read, which spares ranks that share a core to change places at every second one.
std::size_t MemoryTransfers::rooms_in_turn() const {
    constexpr std::int64_t least = 2;
    constexpr std::int64_t most = 8;
    constexpr std::int64_t ample_bytes = std::int64_t{1} << 17;
    if (!inboxes_.empty()) return least;
    std::int64_t bytes = 0;
    for (const auto& rooms : rooms_) bytes += static_cast<std::int64_t>(rooms->bytes());
    return static_cast<std::size_t>(
        std::clamp(ample_bytes / std::max<std::int64_t>(1, bytes), least, most));
}

/// Rooms for what does not fit into a letter, the same for all messages of one content.
void MemoryTransfers::open_rooms(const Longest& longest) {
    std::unordered_map<int, shared::Rooms*> rooms;
    for (std::size_t s = 0; s < outboxes_.size(); ++s) {
        const auto& send = transfers_.sends[s];
        if (!needs_room(send, longest)) continue;
        CARPOOL_EXPECTS(send.content >= 0, send.peer, send.bytes);
        const auto [found, first] = rooms.try_emplace(send.content);
        if (first) found->second = new_rooms(send.bytes);
        auto& out = outboxes_[s];
        out.rooms = found->second;
        if (out.rooms != nullptr)
            out.reader = out.rooms->add_reader(*out.mate);
        else
            ++shared_use_.without_room;
    }
    const auto in_turn = rooms_in_turn();
    for (auto& one : rooms_) {
        if (!fits<Notice>(static_cast<std::int64_t>(one->bytes()))) one->extend(in_turn);
        shared_use_.bytes += static_cast<std::int64_t>(one->taken());
    }
}

/// Null if there is no memory for them.
shared::Rooms* MemoryTransfers::new_rooms(std::int64_t bytes) {
    auto rooms = shared::Rooms::open(*mpi::household(), static_cast<std::size_t>(bytes));
    return rooms ? rooms_.emplace_back(std::move(rooms)).get() : nullptr;
}

/// Nothing else goes to the mates of a circular, since that waits for all of its sends. It spares a
/// single message a room, which has to be seen free each time; but one board is not for many.
void MemoryTransfers::find_circulars() {
    constexpr std::size_t few = 2;
    std::unordered_map<const shared::Mate*, int> messages;
    for (const auto& out : outboxes_) ++messages[out.mate];
    std::map<int, std::vector<std::size_t>> alike;
    for (std::size_t s = 0; s < outboxes_.size(); ++s)
        if (may_be_noticed(s) && messages[outboxes_[s].mate] == 1)
            alike[transfers_.sends[s].content].push_back(s);
    for (auto& [content, sends] : alike) {
        const auto bytes = transfers_.sends[sends.front()].bytes;
        const bool spares_a_room =
            fits<Notice>(bytes) && !fits<Cell>(bytes) && outboxes_.size() <= few;
        if (sends.size() > 1 || spares_a_room) add_circular(std::move(sends));
    }
}

void MemoryTransfers::add_circular(std::vector<std::size_t> sends) {
    auto* const board = mpi::household()->board();
    std::vector<shared::Mate*> mates;
    for (const auto send : sends) mates.push_back(outboxes_[send].mate);
    const auto* const audience = board != nullptr ? board->audience(std::move(mates)) : nullptr;
    if (audience == nullptr) return;
    auto& circular =
        circulars_.emplace_back(std::make_unique<Circular>(audience, std::move(sends)));
    for (const auto send : circular->sends) {
        outboxes_[send].circular = circular.get();
        circular->readers.push_back(outboxes_[send].reader);
    }
}

bool MemoryTransfers::may_be_noticed(std::size_t send) const {
    const auto& t = transfers_.sends[send];
    return !t.typed && !t.apart && t.content >= 0 &&
           (fits<Cell>(t.bytes) || outboxes_[send].rooms != nullptr);
}

shared::Address MemoryTransfers::address_of(const Transfer& transfer) const {
    return {context_, transfer.apart ? tag_ - 1 : tag_};
}

void MemoryTransfers::post(int tag) {
    tag_ = tag;
    open_.clear();
    untold_.clear();
    std::fill(ended_.begin(), ended_.end(), 0);
    for (const auto& circular : circulars_) circular->launched = 0;
    for (const auto& out : outboxes_)
        if (out.circular == nullptr) out.mate->fetch_cell();
    for (const auto& rooms : rooms_) rooms->turn();
    for (std::size_t r = 0; r < inboxes_.size(); ++r) {
        auto& inbox = inboxes_[r];
        inbox.expectation.address = address_of(transfers_.receives[r]);
        inbox.ended = false;
        inbox.mate->expect(inbox.expectation);
        open_.push_back(r);
    }
}

// ---- sends ----

void MemoryTransfers::launch(std::size_t send) {
    auto* const circular = outboxes_[send].circular;
    if (circular == nullptr) return launch_alone(send);
    if (++circular->launched < circular->sends.size() || post_notice(*circular)) return;
    for (const auto one : circular->sends) launch_alone(one);
}

/// False where somebody is late to read what is on the board.
bool MemoryTransfers::post_notice(const Circular& circular) {
    const auto first = circular.sends.front();
    const auto& t = transfers_.sends[first];
    auto& board = *mpi::household()->board();
    const auto load = [&](std::byte* to) { return t.cargo->load_into(to); };
    if (fits<Notice>(t.bytes))
        return board.write(*circular.audience, address_of(t), Place::in_cell, load) != 0;
    auto& rooms = *outboxes_[first].rooms;
    return rooms.load(load) &&
           rooms.post(board, *circular.audience, circular.readers, address_of(t));
}

void MemoryTransfers::launch_alone(std::size_t send) {
    delayed_.send(send, outboxes_[send].mate, [this](std::size_t one) { return try_to_send(one); });
}

bool MemoryTransfers::try_to_send(std::size_t send) {
    if (!outboxes_[send].mate->has_cell()) return false;
    const auto& t = transfers_.sends[send];
    if (!t.typed && fits<Cell>(t.bytes)) return send_in_cell(send);
    return outboxes_[send].rooms != nullptr ? send_in_room(send) : send_by_mpi(send);
}

bool MemoryTransfers::send_in_cell(std::size_t send) {
    const auto& t = transfers_.sends[send];
    const auto put = [&](std::byte* cell) { return t.cargo->load_into(cell); };
    return outboxes_[send].mate->write(address_of(t), Place::in_cell, put) != 0;
}

bool MemoryTransfers::send_in_room(std::size_t send) {
    auto& out = outboxes_[send];
    const auto& t = transfers_.sends[send];
    return out.rooms->load([&](std::byte* room) { return t.cargo->load_into(room); }) &&
           out.rooms->tell(out.reader, address_of(t));
}

bool MemoryTransfers::send_by_mpi(std::size_t send) {
    auto& out = outboxes_[send];
    const auto& t = transfers_.sends[send];
    const auto address = address_of(t);
    const auto bytes = t.cargo->load();
    if (out.mate->send(address, Place::elsewhere, bytes, {}) == 0) return false;
    const mpi::ByteCount part(static_cast<std::size_t>(bytes));
    const bool whole = bytes == t.bytes;
    check(MPI_Isend(t.buffer, whole ? t.count : part.count(), whole ? t.type : part.type(),
                    state_.channel_rank(t.peer), address.tag, state_.channel_comm(), &out.request),
          "MPI_Isend");
    ++by_mpi_;
    return true;
}

bool MemoryTransfers::all_sent() {
    if (!delayed_.empty()) return false;
    if (by_mpi_ == 0) return true;
    for (auto& out : outboxes_)
        if (out.request != MPI_REQUEST_NULL && mpi::test(&out.request)) --by_mpi_;
    return by_mpi_ == 0;
}

// ---- receives ----

void MemoryTransfers::look() {
    delayed_.go_on([this](std::size_t send) { return try_to_send(send); });
    if (open_.empty()) return;
    for (auto* const mate : sources_) mate->look();
    const auto ended = std::erase_if(open_, [this](std::size_t receive) {
        if (!has_come(receive)) return false;
        auto& inbox = inboxes_[receive];
        inbox.ended = true;
        ended_[inbox.place] = 1;
        untold_.push_back(static_cast<int>(inbox.place));
        return true;
    });
    if (ended > 0)
        vain_looks_ = 0;
    else if (++vain_looks_ % looks_between_turns == 0)
        mpi::give_host_its_turn(state_.channel_comm());
}

bool MemoryTransfers::has_come(std::size_t receive) {
    auto& inbox = inboxes_[receive];
    if (inbox.request != MPI_REQUEST_NULL) return has_come_by_mpi(receive);
    if (!inbox.expectation.met.load(std::memory_order_acquire)) return false;
    if (inbox.expectation.letter.place == Place::elsewhere) {
        receive_by_mpi(receive);
        return false;
    }
    take(receive);
    return true;
}

void MemoryTransfers::take(std::size_t receive) {
    auto& inbox = inboxes_[receive];
    auto& letter = inbox.expectation.letter;
    lengths_.check(inbox.place, letter.bytes);
    const auto& t = transfers_.receives[receive];
    if (t.cargo != nullptr)
        t.cargo->take_from(letter.content, letter.bytes);
    else if (letter.bytes > 0)
        std::memcpy(t.buffer, letter.content, static_cast<std::size_t>(letter.bytes));
    inbox.mate->release(letter);
}

/// The letter says how long the message is: Open MPI 5 writes past a receive that is shorter than
/// what it copies from another process.
void MemoryTransfers::receive_by_mpi(std::size_t receive) {
    auto& inbox = inboxes_[receive];
    const auto& t = transfers_.receives[receive];
    const int tag = inbox.expectation.address.tag;
    const auto bytes = inbox.expectation.letter.bytes;
    inbox.mate->release(inbox.expectation.letter);
    lengths_.check(inbox.place, bytes);
    check(MPI_Irecv(t.buffer, t.count, t.type, state_.channel_rank(t.peer), tag,
                    state_.channel_comm(), &inbox.request),
          "MPI_Irecv");
}

bool MemoryTransfers::has_come_by_mpi(std::size_t receive) {
    int flag = 0;
    MPI_Status status;
    const int code = mpi::test(inboxes_[receive].request, flag, status);
    if (code == MPI_SUCCESS && flag == 0) return false;
    lengths_.check(inboxes_[receive].place, status, code);
    return true;
}

std::span<const int> MemoryTransfers::test_some(int count, std::span<int> ended) {
    look();
    std::size_t found = 0;
    std::erase_if(untold_, [&](int place) {
        if (place >= count) return false;
        ended[found++] = place;
        return true;
    });
    return ended.first(found);
}

bool MemoryTransfers::test_receives(int first, int end) {
    look();
    return std::all_of(ended_.begin() + first, ended_.begin() + end,
                       [](char one) { return one != 0; });
}

bool MemoryTransfers::test_rest(int first) {
    return test_receives(first, static_cast<int>(ended_.size())) && all_sent();
}

std::vector<int> MemoryTransfers::awaited() const {
    std::vector<int> ranks;
    const auto await_send = [&](std::size_t send) { ranks.push_back(transfers_.sends[send].peer); };
    for (const auto receive : open_) ranks.push_back(transfers_.receives[receive].peer);
    if (ranks.empty()) delayed_.for_each(await_send);
    for (std::size_t s = 0; ranks.empty() && s < outboxes_.size(); ++s)
        if (outboxes_[s].request != MPI_REQUEST_NULL) await_send(s);
    base::keep_each_once(ranks);
    return ranks;
}

void MemoryTransfers::withdraw() {
    // open_ may be half changed: an error comes from where that is done
    for (auto& inbox : inboxes_) {
        if (inbox.ended) continue;
        inbox.ended = true;
        inbox.mate->forget(inbox.expectation);
        if (inbox.request == MPI_REQUEST_NULL) continue;
        check(MPI_Cancel(&inbox.request), "MPI_Cancel");
        // what has come too long is an error here, too
        MPI_Wait(&inbox.request, MPI_STATUS_IGNORE);
    }
    open_.clear();
    delayed_.clear();
}

}  // namespace carpool::engine
