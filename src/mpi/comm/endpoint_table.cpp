// SPDX-License-Identifier: MIT
#include "mpi/comm/endpoint_table.hpp"

#include "base/digest.hpp"
#include "base/unique_id.hpp"
#include "mpi/comm/tuning_file.hpp"
#include "mpi/error.hpp"
#include "mpi/host_symbol.hpp"
#include "shared/node_name.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

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

bool shares(const shared::ProcessAddress& process) { return process.process != 0; }

std::size_t place_of(int rank, const std::vector<int>& ascending) {
    return static_cast<std::size_t>(std::ranges::lower_bound(ascending, rank) - ascending.begin());
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

EndpointDiscovery::EndpointDiscovery(MPI_Comm comm, int told_all) : comm_(comm) {
    check(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
    check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    own_.by_first = {base::unique_id(), tuning_file_name() != nullptr ? 1U : 0U};
    if (auto* const home = shared_segment()) {
        own_.presence = home->presence();
        processes_ = home->processes();
        own_.endpoints = digest_of(processes_);
    } else {
        own_.presence.node = shared::this_node();
    }
    size_ <= told_all ? tell_card_to_all() : tell_name_to_all();
}

bool EndpointDiscovery::test() {
    while (gathering_.test()) {
        if (then_ == nullptr) return true;
        (this->*std::exchange(then_, nullptr))();
    }
    return false;
}

void EndpointDiscovery::tell_card_to_all() {
    cards_.resize(static_cast<std::size_t>(size_));
    cards_[static_cast<std::size_t>(rank_)] = own_;
    gathering_ = Gathering(comm_, cards_.data(), {sizeof(Card), sizeof(Card)});
    then_ = &EndpointDiscovery::hear_cards_of_all;
}

void EndpointDiscovery::hear_cards_of_all() {
    std::vector<std::uint64_t> names;
    for (const auto& card : cards_) names.push_back(shared::node_name(card.presence));
    if (!found_nodes(cards_.front().by_first, names)) return;
    const auto all = std::exchange(cards_, {});
    for (const int rank : companions_) cards_.push_back(all[static_cast<std::size_t>(rank)]);
    meet_all();
}

void EndpointDiscovery::tell_name_to_all() {
    constexpr std::int64_t word = sizeof(std::uint64_t);
    names_.resize(words_by_first + static_cast<std::size_t>(size_));
    if (rank_ == 0) std::memcpy(names_.data(), &own_.by_first, sizeof(ByFirst));
    names_[words_by_first + static_cast<std::size_t>(rank_)] = shared::node_name(own_.presence);
    gathering_ = Gathering(comm_, names_.data(), {sizeof(ByFirst) + word, word});
    then_ = &EndpointDiscovery::hear_names;
}

void EndpointDiscovery::hear_names() {
    auto told = std::exchange(names_, {});
    ByFirst by_first{};
    std::memcpy(&by_first, told.data(), sizeof by_first);
    if (found_nodes(by_first, std::span(told).subspan(words_by_first))) tell_card_on_node();
}

/// Returns whether any two ranks may share memory. All ranks have the same names, so all find the
/// same. @param names  are overwritten
bool EndpointDiscovery::found_nodes(const ByFirst& by_first, std::span<std::uint64_t> names) {
    by_first_ = by_first;
    endpoint_table_.context = by_first.context;
    const bool any = shared::any_two_share(names);
    std::ranges::transform(names, names.begin(), shared::node_in);
    auto nodes = std::make_shared<const topology::Nodes>(names);
    endpoint_table_.node = nodes->node(rank_);
    const auto companions = nodes->ranks_of(endpoint_table_.node);
    companions_.assign(companions.begin(), companions.end());
    if (nodes->count() > 1) endpoint_table_.nodes = std::move(nodes);
    return any;
}

void EndpointDiscovery::tell_card_on_node() {
    cards_.resize(companions_.size());
    cards_[place_of(rank_, companions_)] = own_;
    gathering_ = Gathering(comm_, cards_.data(), {sizeof(Card), sizeof(Card)}, companions_);
    then_ = &EndpointDiscovery::meet_all;
}

/// Nodes that have the same name by chance can still differ.
bool EndpointDiscovery::attached(const shared::ProcessAddress& other) const {
    const auto& own = own_.presence;
    return other.process == own.process ||
           (other.node == own.node && shared_segment()->attach(other));
}

/// A rank that cannot attach another rank of its node has no endpoints at all.
void EndpointDiscovery::meet_all() {
    content_.resize(static_cast<std::size_t>(size_), 1);
    if (all_known_already()) return make_endpoints();
    bool content = shares(own_.presence);
    for (const auto& card : cards_)
        if (shares(own_.presence) && shares(card.presence)) content &= attached(card.presence);
    content_[static_cast<std::size_t>(rank_)] = content ? 1 : 0;
    gathering_ = Gathering(comm_, content_.data(), {1, 1});
    then_ = &EndpointDiscovery::make_endpoints;
}

/// Have all ranks attached each other already, on another communicator? If all are on one node and
/// share memory with the same processes, and the ranks of this communicator are among these, all
/// ranks find that out by themselves and need no further round.
bool EndpointDiscovery::all_known_already() const {
    return !endpoint_table_.nodes && std::ranges::all_of(cards_, [&](const Card& card) {
        return shares(card.presence) && card.endpoints == own_.endpoints &&
               std::ranges::binary_search(processes_, card.presence.process);
    });
}

void EndpointDiscovery::make_endpoints() {
    const auto is_content = [&](int rank) { return content_[static_cast<std::size_t>(rank)] != 0; };
    endpoint_table_.all_share = std::ranges::all_of(content_, std::identity());
    endpoint_table_.endpoints.resize(cards_.size());
    for (std::size_t place = 0; place < cards_.size(); ++place) {
        const int other = companions_[place];
        if (other != rank_ && is_content(rank_) && is_content(other))
            endpoint_table_.endpoints[place] = &shared_segment()->endpoint(cards_[place].presence);
    }
}

}  // namespace carpool::mpi
