#include "mpi/comm/endpoint_table.hpp"

#include "base/digest.hpp"
#include "base/unique_id.hpp"
#include "mpi/comm/tuning_file.hpp"
#include "mpi/error.hpp"
#include "mpi/host_symbol.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <unordered_map>

namespace carpool::mpi {
namespace {

// Inits report wrong values of these variables.

bool may_share() {
    const char* const transport = std::getenv("CARPOOL_TRANSPORT");
    return transport == nullptr || std::string_view(transport) != "mpi";
}

std::size_t most_shared() {
    const char* const text = std::getenv("CARPOOL_SHARED_MEMORY");
    std::size_t bytes = shared::SharedSegment::usual_most;
    if (text != nullptr) std::from_chars(text, text + std::strlen(text), bytes);
    return bytes;
}

/// A test program may define a function that refuses memory.
shared::MayTake may_take() { return host_function<bool()>("carpool_test_may_take"); }

std::uint64_t digest_of(std::span<const std::uint64_t> processes) {
    base::Digest digest;
    for (const auto process : processes) digest.add(static_cast<std::int64_t>(process));
    return digest.bits();
}

}  // namespace

shared::SharedSegment* shared_segment() {
    // never freed: endpoints may read in it until this process ends
    static shared::SharedSegment* const one =
        may_share() ? shared::SharedSegment::create(most_shared(), may_take()).release() : nullptr;
    return one;
}

std::size_t EndpointTable::discard_messages() const {
    std::size_t count = 0;
    for (auto* const one : endpoints)
        if (one != nullptr) count += one->discard(context);
    return count;
}

EndpointTable EndpointTable::further(std::uint64_t number) const {
    auto result = *this;
    base::Digest digest;
    digest.add(static_cast<std::int64_t>(context));
    digest.add(static_cast<std::int64_t>(number));
    result.context = digest.bits();
    return result;
}

EndpointDiscovery::EndpointDiscovery(MPI_Comm comm) : comm_(comm) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    cards_.resize(static_cast<std::size_t>(size));
    auto& own = cards_[static_cast<std::size_t>(rank_)];
    own.context = base::unique_id();
    own.has_tuning_file = tuning_file_name() != nullptr;
    if (auto* const home = shared_segment()) {
        own.presence = home->presence();
        processes_ = home->processes();
        own.endpoints = digest_of(processes_);
    } else {
        own.presence.node = shared::this_node();
    }
    gather(cards_);
}

template <typename Value>
void EndpointDiscovery::gather(std::vector<Value>& values) {
    gathering_ =
        Gathering(comm_, values.data(), std::vector<std::int64_t>(values.size(), sizeof(Value)));
}

bool EndpointDiscovery::test() {
    if (!gathering_.test()) return false;
    if (second_) {
        make_endpoints();
        return true;
    }
    endpoint_table_.context = cards_.front().context;
    find_nodes();
    if (!anybody_shares()) return true;
    if (all_known_already()) {
        content_.assign(cards_.size(), 1);
        make_endpoints();
        return true;
    }
    meet_all();
    second_ = true;
    return test();
}

bool EndpointDiscovery::shares_node(int rank) const {
    const auto& own = cards_[static_cast<std::size_t>(rank_)].presence;
    const auto& other = cards_[static_cast<std::size_t>(rank)].presence;
    return own.process != 0 && other.process != 0 && own.node == other.node;
}

/// All ranks have the same cards, so all find the same.
bool EndpointDiscovery::anybody_shares() const {
    std::unordered_map<std::uint64_t, int> sharers;
    return std::any_of(cards_.begin(), cards_.end(), [&](const Card& card) {
        return card.presence.process != 0 && ++sharers[card.presence.node] > 1;
    });
}

/// Have all ranks attached each other already, on another communicator? If all share memory with
/// the same processes, and the ranks of this communicator are among these, all ranks find that out
/// by themselves and need no second round.
bool EndpointDiscovery::all_known_already() const {
    const auto& own = cards_[static_cast<std::size_t>(rank_)];
    return std::ranges::all_of(cards_, [&](const Card& card) {
        return card.presence.process != 0 && card.presence.node == own.presence.node &&
               card.endpoints == own.endpoints &&
               std::ranges::binary_search(processes_, card.presence.process);
    });
}

void EndpointDiscovery::find_nodes() {
    std::vector<std::uint64_t> names;
    for (const auto& card : cards_) names.push_back(card.presence.node);
    const topology::Nodes nodes(names);
    if (nodes.count() > 1) endpoint_table_.nodes = std::make_shared<const topology::Nodes>(nodes);
}

/// A rank that cannot open the memory of another rank of its node has no endpoints at all.
void EndpointDiscovery::meet_all() {
    content_.resize(cards_.size());
    bool content = true;
    for (int rank = 0; rank < static_cast<int>(cards_.size()); ++rank)
        if (rank != rank_ && shares_node(rank))
            content &= shared_segment()->attach(cards_[static_cast<std::size_t>(rank)].presence);
    content_[static_cast<std::size_t>(rank_)] = content ? 1 : 0;
    gather(content_);
}

void EndpointDiscovery::make_endpoints() {
    const auto shares = [](const Card& card) { return card.presence.process != 0; };
    const auto is_content = [](char one) { return one != 0; };
    endpoint_table_.all_share = std::all_of(cards_.begin(), cards_.end(), shares) &&
                                std::all_of(content_.begin(), content_.end(), is_content);
    endpoint_table_.endpoints.resize(cards_.size());
    for (std::size_t rank = 0; rank < cards_.size(); ++rank) {
        const auto& presence = cards_[rank].presence;
        if (static_cast<int>(rank) == rank_ || !shares_node(static_cast<int>(rank))) continue;
        if (content_[rank] != 0 && content_[static_cast<std::size_t>(rank_)] != 0)
            endpoint_table_.endpoints[rank] = &shared_segment()->endpoint(presence);
    }
}

}  // namespace carpool::mpi
