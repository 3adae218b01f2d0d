// SPDX-License-Identifier: MIT
#include "mpi/comm/comm_state.hpp"

#include "mpi/attribute.hpp"
#include "mpi/comm/duplications.hpp"
#include "mpi/comm/in_use.hpp"
#include "mpi/comm/oversubscription.hpp"
#include "mpi/handle.hpp"
#include "mpi/library.hpp"
#include "mpi/tests.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <thread>
#include <utility>

namespace carpool::mpi {
namespace {

/// Ranks of one communicator in another of the same processes; empty if they are the same. Two
/// communicators of one rank may be of different sessions, which cannot be compared.
std::vector<int> translated_ranks(MPI_Comm from, MPI_Comm to) {
    int size = 0;
    check(MPI_Comm_size(from, &size), "MPI_Comm_size");
    if (size == 1) return {};
    int relation = MPI_UNEQUAL;
    check(MPI_Comm_compare(from, to, &relation), "MPI_Comm_compare");
    if (relation != MPI_SIMILAR) return {};
    Group here;
    Group there;
    check(MPI_Comm_group(from, here.out()), "MPI_Comm_group");
    check(MPI_Comm_group(to, there.out()), "MPI_Comm_group");
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::vector<int> translated(ranks.size());
    check(MPI_Group_translate_ranks(here.get(), size, ranks.data(), there.get(), translated.data()),
          "MPI_Group_translate_ranks");
    return translated;
}

std::vector<int> inverse(const std::vector<int>& permutation) {
    std::vector<int> result(permutation.size());
    for (std::size_t i = 0; i < permutation.size(); ++i)
        result[static_cast<std::size_t>(permutation[i])] = static_cast<int>(i);
    return result;
}

/// The nodes of the same processes, by their ranks in another communicator.
std::shared_ptr<const topology::Nodes> renumbered(std::shared_ptr<const topology::Nodes> nodes,
                                                  const std::vector<int>& ranks) {
    if (!nodes || ranks.empty()) return nodes;
    std::vector<std::uint64_t> names;
    for (const int rank : ranks) names.push_back(static_cast<std::uint64_t>(nodes->node(rank)));
    return std::make_shared<const topology::Nodes>(names);
}

int looked_up(const std::vector<int>& ranks, int rank) {
    return ranks.empty() ? rank : ranks[static_cast<std::size_t>(rank)];
}

/// The number of bits for the tags of one call: enough for all codes, or for some of them if MPI
/// has few tags.
int bits_for_codes(int tags) {
    constexpr int most = 12;
    constexpr int least_calls = 16;
    const auto each = static_cast<unsigned>(tags / 2 / least_calls);
    return std::clamp(static_cast<int>(std::bit_width(each)) - 1, 1, most);
}

std::int64_t calls_within(int tags, int bits) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<unsigned>(tags / 2) >> bits));
}

thread_local bool testing = false;  // is this thread testing a duplication?

struct TestScope {
    TestScope() { testing = true; }
    ~TestScope() { testing = false; }
};

Error no_duplicate() {
    return {MPI_ERR_OTHER,
            "MPI cannot duplicate comm for the messages of Carpool: perhaps it has no context ids "
            "left, or an attribute of comm forbids copies"};
}

bool used_anywhere(bool used, MPI_Comm comm, bool (*idle)()) {
    int flag = used ? 1 : 0;
    Request request;
    check(MPI_Iallreduce(MPI_IN_PLACE, &flag, 1, MPI_INT, MPI_MAX, comm, request.out()),
          "MPI_Iallreduce");
    for (int ended = 0; ended == 0; idle())
        check(MPI_Test(request.out(), &ended, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
}

}  // namespace

std::shared_ptr<CommState> CommState::of(MPI_Comm comm) {
    auto state = unopened(comm);
    state->open(comm);
    return state;
}

std::shared_ptr<CommState> CommState::unopened(MPI_Comm comm) {
    static_cast<void>(in_use(comm));  // for what it begins
    if (auto state = Attribute<CommState>::find(comm)) return state;
    auto state = std::make_shared<CommState>(comm);
    Attribute<CommState>::attach(comm, state);
    return state;
}

std::shared_ptr<CommState> CommState::lent(const std::shared_ptr<Channel>& channel, MPI_Comm comm) {
    auto state = std::make_shared<CommState>(comm, channel);
    Attribute<CommState>::attach(comm, state);
    return state;
}

CommState::CommState(MPI_Comm comm)
    : tags_(Channel::tags_per_block(comm)),
      code_bits_(bits_for_codes(tags_)),
      calls_before_reuse_(calls_within(tags_, code_bits_)),
      window_(calls_before_reuse_) {
    check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
    // Before the first duplication begins: host MPIs may hang in another one while that is pending.
    auto alone = Channel::alone();
    if (size_ > 1) return;
    channel_ = std::move(alone);
    ready_ = true;
}

void CommState::open(MPI_Comm comm) {
    if (opened_ || ready_) return;
    Duplications::of_this_process().add([state = weak_from_this()] {
        const auto one = state.lock();
        return !one || one->duplication_is_over();
    });
    const ReturnedErrors returned(comm);
    if (MPI_Comm_idup(comm, &duplicate_, &request_) != MPI_SUCCESS) throw no_duplicate();
    opened_ = true;
}

CommState::CommState(MPI_Comm comm, const std::shared_ptr<Channel>& lender)
    : channel_(lender),
      tags_(Channel::tags_per_block(comm)),
      code_bits_(bits_for_codes(tags_)),
      calls_before_reuse_(calls_within(tags_, code_bits_)),
      window_(calls_before_reuse_),
      channel_ranks_(translated_ranks(comm, lender->comm())),
      ranks_(inverse(channel_ranks_)),
      ready_(true) {
    check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
    if (size_ == 1) return;
    tag_block_.emplace(lender);
    channel_ = tag_block_->channel();
    first_tag_ = tag_block_->number() * tags_;
    nodes_ = renumbered(lender->endpoint_table().nodes, channel_ranks_);
}

bool CommState::ready() {
    if (ready_) return true;
    if (!opened_) return false;
    if (testing) return false;  // called from within the host's progress
    // Does not wait for the lock: the thread that has it may wait for a lock of the host MPI that
    // this thread holds.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return false;
    if (failure_) throw Error(*failure_);
    try {
        ready_ = ready_ || test_channel();
    } catch (const Error& error) {
        failure_ = error;
        duplicated_ = true;
        throw;
    }
    return ready_;
}

bool CommState::duplication_is_over() {
    if (!duplicated_) static_cast<void>(mistake_in([this] { ready(); }));
    return duplicated_;
}

bool CommState::test_channel() {
    const TestScope scope;
    if (!endpoint_discovery_) {
        if (!test_duplication()) return false;
        duplicated_ = true;
        channel_ = std::make_shared<Channel>(Comm(duplicate_));
        endpoint_discovery_.emplace(channel_->comm());
    }
    if (!tuning_file_) {
        if (!endpoint_discovery_->test()) return false;
        channel_->introduce(endpoint_discovery_->take());
        nodes_ = channel_->endpoint_table().nodes;
        if (!endpoint_discovery_->tells_of_tuning_file()) {
            endpoint_discovery_.reset();
            return true;
        }
        tuning_file_.emplace(channel_->comm());
    }
    if (!tuning_file_->test()) return false;
    channel_->tune(tuning_file_->take());
    endpoint_discovery_.reset();
    tuning_file_.reset();
    return true;
}

/// The user may have freed the communicator by now.
bool CommState::test_duplication() {
    bool ended = false;
    if (mistake_in([&] { ended = mpi::test(&request_); })) throw no_duplicate();
    return ended;
}

void CommState::wait(const std::function<void()>& idle) {
    while (!ready()) {
        idle();
        std::this_thread::yield();
    }
}

MPI_Comm CommState::twin(MPI_Comm comm) {
    const bool is_own = size_ > 1 && !tag_block_;
    if (!twin_) twin_ = is_own ? channel_ : std::make_shared<Channel>(duplicate_of(comm));
    return twin_->comm();
}

const choose::MachineTuning* CommState::tuned() const {
    const auto& tuned = channel_->tuned();
    return tuned ? &*tuned : nullptr;
}

choose::CutOffs CommState::cut_offs() const {
    const bool ranks_share_cores = ranks_per_core(oversubscription()) > 1;
    const auto& usual = choose::usual_cut_offs(is_open_mpi(), ranks_share_cores);
    return tuned() != nullptr ? tuned()->cut_offs.over(usual) : usual;
}

int CommState::channel_rank(int rank) const { return looked_up(channel_ranks_, rank); }

int CommState::rank_of_channel_rank(int channel_rank) const {
    return looked_up(ranks_, channel_rank);
}

CommState::Place::Place(std::shared_ptr<CommState> state) : state_(std::move(state)) {
    const std::lock_guard lock(state_->line_mutex_);
    number_ = state_->places_++;
    state_->taken_places_.insert(number_);
}

CommState::Place::~Place() {
    const std::lock_guard lock(state_->line_mutex_);
    state_->taken_places_.erase(number_);
}

std::int64_t CommState::places() {
    const std::lock_guard lock(line_mutex_);
    return places_;
}

bool CommState::all_left_before(std::int64_t place) {
    const std::lock_guard lock(line_mutex_);
    return taken_places_.empty() || *taken_places_.begin() >= place;
}

int CommState::next_superstep_tag() {
    const std::lock_guard lock(line_mutex_);
    return first_tag_ + persistent_tags() + static_cast<int>(supersteps_++ % 2);
}

std::optional<CommState::DecodedTag> CommState::decoded(int tag, std::int64_t near) const {
    const int first = first_tag_ + tags_ / 2;
    const auto place = static_cast<std::int64_t>(tag - first) >> code_bits_;
    if (tag < first || place >= calls_before_reuse_) return std::nullopt;
    const auto half = calls_before_reuse_ / 2;
    const auto ahead = ((place - near + half) & (calls_before_reuse_ - 1)) - half;
    return DecodedTag{near + ahead, (tag - first) & (tags_per_call() - 1)};
}

void CommState::break_off() {
    broken_ = true;
    if (ready_) channel_->keep_for_ever();
}

void CommState::throw_broken() const {
    throw Error(MPI_ERR_OTHER,
                "an earlier call on comm has failed while its messages were under way, expected "
                "that comm is freed then and nothing else is called on it");
}

// The lower half of the tags is for persistent requests, the upper half for calls; the last two of
// the lower half are for the messages of supersteps.

int CommState::take_tag(MPI_Comm comm, bool (*idle)()) {
    const int half = persistent_tags();
    for (int tries = 0; tries < half; ++tries) {
        const int tag = first_tag_ + inits_ % half;
        const bool first_time_round = inits_ < half;
        inits_ = inits_ + 1 < 2 * half ? inits_ + 1 : half;
        std::unique_lock lock(mutex_);
        const bool used = used_tags_.contains(tag);
        lock.unlock();
        if (!first_time_round && used_anywhere(used, comm, idle)) continue;
        lock.lock();
        used_tags_.insert(tag);
        return tag;
    }
    throw Error(MPI_ERR_OTHER, "all tags of the communicator are in use, expected at most " +
                                   std::to_string(half) + " persistent requests at a time");
}

void CommState::release_tag(int tag) {
    const std::lock_guard lock(mutex_);
    used_tags_.erase(tag);
}

/// A persistent request that is never started. On MPICH it keeps its communicator alive; null on
/// Open MPI, where it would not.
Request CommState::reference_to(MPI_Comm comm) {
    Request reference;
    constexpr int root = 0, tag = 0;
    if (!is_open_mpi())
        check(MPI_Recv_init(nullptr, 0, MPI_BYTE, root, tag, comm, reference.out()),
              "MPI_Recv_init");
    return reference;
}

// MPICH calls this when nothing refers to the communicator any more, so nothing is pending on it;
// perhaps within its progress, where no call of MPI may be made. Open MPI calls it at once.
void CommState::on_free() {
    attached_ = false;
    if (!is_open_mpi()) return;
    if (broken_) return;  // what is pending then never ends
    for (; pending_ > 0; std::this_thread::yield())
        if (!progress_.load()()) return;
    if (!opened_) return;
    // the duplication uses the communicator too; a call has told if it has failed
    static_cast<void>(mistake_in([this] { wait(); }));
}

}  // namespace carpool::mpi
