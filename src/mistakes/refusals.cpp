#include "mistakes/refusals.hpp"

#include "base/never_freed.hpp"
#include "mpi/attribute.hpp"
#include "mpi/tests.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

namespace carpool::mistakes {
namespace {

/// A letter is the number of a call, and what is wrong with it or, with no error, what who asks
/// does in it, as it remembers that.
struct LetterHead {
    std::int64_t call;
    std::int32_t error_class;
    std::int32_t code;
};

std::vector<std::byte> letter(const LetterHead& head, const std::string& text) {
    std::vector<std::byte> bytes(sizeof head + text.size());
    std::memcpy(bytes.data(), &head, sizeof head);
    std::memcpy(bytes.data() + sizeof head, text.data(), text.size());
    return bytes;
}

std::pair<LetterHead, std::string> read(std::span<const std::byte> bytes) {
    LetterHead head;
    std::memcpy(&head, bytes.data(), sizeof head);
    const auto text = bytes.subspan(sizeof head);
    return {head, std::string(reinterpret_cast<const char*>(text.data()), text.size())};
}

/// Those of all communicators.
class Everywhere {
public:
    static void add(const std::shared_ptr<Refusals>& one) {
        const std::lock_guard lock(mutex_);
        std::erase_if(all_, [](const auto& known) { return known.expired(); });
        all_.push_back(one);
    }

    static std::vector<std::shared_ptr<Refusals>> all() {
        const std::lock_guard lock(mutex_);
        std::vector<std::shared_ptr<Refusals>> alive;
        for (const auto& one : all_)
            if (auto refusals = one.lock()) alive.push_back(std::move(refusals));
        return alive;
    }

private:
    static inline std::mutex mutex_;
    static inline std::vector<std::weak_ptr<Refusals>> all_;
};

}  // namespace

std::shared_ptr<Refusals> Refusals::of(MPI_Comm comm,
                                       const std::shared_ptr<mpi::CommState>& state) {
    if (auto known = mpi::Attribute<Refusals>::find(comm)) return known;
    auto made = std::make_shared<Refusals>(state);
    mpi::Attribute<Refusals>::attach(comm, made);
    Everywhere::add(made);
    return made;
}

engine::LooseMessages& Refusals::messages() {
    if (!messages_) messages_ = engine::transport_of(*state_)->loose();
    return *messages_;
}

void Refusals::tell(std::int64_t call, const mpi::Error& error) {
    const std::lock_guard lock(mutex_);
    if (!heard_.contains(call)) send(call, error);
}

void Refusals::send(std::int64_t call, const mpi::Error& error) {
    note(call);
    heard_.try_emplace(call, error);
    const auto& bytes =
        sent_.emplace_back(letter({call, error.error_class(), 0},
                                  "rank " + std::to_string(state_->rank()) + ": " + error.what()));
    for (int rank = 0; rank < state_->size(); ++rank)
        if (rank != state_->rank()) messages().send(rank, state_->service_tag(), bytes);
    if (!messages().all_sent()) send_besides(bytes);
}

/// A mate whose cells are full may wait for this letter, and this rank may do nothing here any more
/// that would try again: MPI brings it all the same. Who has it twice takes the first.
void Refusals::send_besides(std::span<const std::byte> letter) {
    if (!besides_) besides_ = engine::transport_of(*state_, engine::Ways::mpi)->loose();
    for (int rank = 0; rank < state_->size(); ++rank)
        if (rank != state_->rank() && state_->mate(rank) != nullptr)
            besides_->send(rank, state_->service_tag(), letter);
}

/// Of a call that others may have done without a message to here, since they did something else.
void Refusals::ask(std::int64_t call, CallCode mine, const std::vector<int>& ranks) {
    state_->channel()->keep_for_ever();
    const Done done(done_[place_of(call)].load(std::memory_order_relaxed));
    const bool mustered = done.is_of(call) && done.mustered();
    const auto code = Done(call, mine, mustered).low_bits();
    const auto& bytes = sent_.emplace_back(letter({call, MPI_SUCCESS, code}, ""));
    for (const int rank : ranks)
        if (rank != state_->rank()) messages().send(rank, state_->service_tag(), bytes);
}

/// Tells all what this rank has done in a call, if that is something else. Who has mustered does
/// the same as those that still do; of two that muster for different things one may be ahead, but
/// for the same thing they would have the same code.
void Refusals::answer(int rank, std::int64_t call, const Done& asker) {
    const Done done(done_[place_of(call)].load(std::memory_order_relaxed));
    if (!done.is_of(call)) return;  // not begun yet, or long ago
    const auto mine = done.code();
    const auto theirs = asker.code();
    if (mine.number() == theirs.number()) return;
    const bool both_muster = mine.precedes() && theirs.precedes() && !mine.same_way(theirs);
    const bool they_are_behind = theirs.precedes() && done.mustered();
    const bool they_are_ahead = mine.precedes() && asker.mustered();
    if (mine.same_operation(theirs) && (both_muster || they_are_behind || they_are_ahead)) return;
    if (!heard_.contains(call))
        send(call, {MPI_ERR_ARG, mine.unlike(state_->rank(), theirs, rank)});
}

void Refusals::hear() {
    while (const auto message = messages().probe(state_->service_tag())) {
        while (!messages().all_received()) continue;  // letters are short: they are here
        const auto [head, text] = read(message->bytes);
        if (head.error_class == MPI_SUCCESS) {
            answer(message->source, head.call, Done(static_cast<std::uint64_t>(head.code)));
            continue;
        }
        note(head.call);
        heard_.try_emplace(head.call, head.error_class, text);
    }
    const bool all_sent = messages().all_sent();
    if (all_sent && (!besides_ || besides_->all_sent())) sent_.clear();
    const auto forgotten = state_->window().begun() - state_->turns_before_reuse();
    heard_.erase(heard_.begin(), heard_.lower_bound(forgotten));
}

/// Those who ask there may wait for this rank, which has done something else and gone on.
void Refusals::hear_elsewhere() const {
    for (const auto& other : Everywhere::all())
        if (other.get() != this) other->hear_beside();
}

/// Unless another thread does something here.
void Refusals::hear_beside() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock() && !gone_ && state_->ready()) hear();
}

std::optional<mpi::Error> Refusals::found(std::int64_t call, CallCode mine,
                                          const engine::Communication& here, int look) {
    if (!mpi::may_wait()) return std::nullopt;
    hear_elsewhere();
    const std::lock_guard lock(mutex_);
    hear();
    make_room(call);
    if (const auto heard = heard_.find(call); heard != heard_.end()) return heard->second;
    auto error = stray(call, mine, here, look);
    if (error)
        send(call, *error);
    else if (look >= first_question && std::has_single_bit(static_cast<unsigned>(look)))
        ask(call, mine, here.awaited());
    return error;
}

/// A message in the same call that is not expected: all that are have their receives, but for those
/// of which shared memory has told since the last look.
std::optional<mpi::Error> Refusals::stray(std::int64_t call, CallCode mine,
                                          const engine::Communication& here, int look) {
    constexpr std::size_t at_once = 48;
    const auto suspects = mine.suspects();
    const auto first = static_cast<std::size_t>(look) * at_once % suspects.size();
    const auto behind = std::min(first + at_once, suspects.size());
    for (auto i = first; i < behind; ++i) {
        const auto theirs = suspects[i];
        if (mine.precedes() && theirs.same_operation(mine)) continue;  // it may have heard of all
        const int tag = state_->tag_in(state_->turn(call), theirs.number());
        const auto rank = messages().waiting(tag);
        if (!rank || here.has_all_of(*rank) || here.is_told_of(*rank, tag)) continue;
        return mpi::Error(MPI_ERR_ARG, theirs.unlike(*rank, mine, state_->rank()));
    }
    return std::nullopt;
}

/// Until the tags come again there is time for all messages to come; if there are many of them,
/// also for the slowest rank to come to the call before another rank uses them again.
void Refusals::note(std::int64_t call) {
    constexpr std::int64_t many = 1024;
    state_->channel()->keep_for_ever();
    if (state_->turns_before_reuse() < many) return;
    const auto when = call + state_->turns_before_reuse() / 2;
    untidy_.try_emplace(call, when);
    next_tidying_ = std::min(next_tidying_, when);
}

void Refusals::tidy_now(std::int64_t call) {
    if (!mpi::may_wait()) return;
    const std::lock_guard lock(mutex_);
    hear();
    next_tidying_ = never;
    std::erase_if(untidy_, [&](const auto& failed) {
        if (failed.second <= call) drain(failed.first);
        return failed.second <= call;
    });
    for (const auto& [failed, when] : untidy_) next_tidying_ = std::min(next_tidying_, when);
}

void Refusals::drain(std::int64_t call) {
    const auto turn = state_->turn(call);
    for (int tag = turn.tag; tag < turn.tag + state_->tags_per_turn(); ++tag)
        while (auto message = messages().probe(tag)) drained_.push_back(std::move(message->memory));
    discard_letters(call);
    if (messages().all_received()) drained_.clear();
}

void Refusals::discard_letters(std::int64_t call) {
    const auto turn = state_->turn(call);
    messages().discard(turn.tag, turn.tag + state_->tags_per_turn());
}

/// What calls that failed have left unread may lie in rooms that its sender needs for this one.
void Refusals::make_room(std::int64_t call) {
    for (auto failed = untidy_.begin(); failed != untidy_.lower_bound(call); ++failed)
        discard_letters(failed->first);
}

void Refusals::bury(std::shared_ptr<void> failed) {
    const std::lock_guard lock(mutex_);
    buried_.push_back(std::move(failed));
}

void Refusals::on_free() {
    const std::lock_guard lock(mutex_);
    gone_ = true;
    for (auto& one : std::exchange(buried_, {})) base::NeverFreed::add(std::move(one));
}

}  // namespace carpool::mistakes
