// SPDX-License-Identifier: MIT
// ranks: 2 4 5
// sanitize-ranks: 4
// program: own
// one-node: all (its sockets are those of one host)
//
// A transport that the library does not have, over sockets: all schedules work with it, alone and
// together with the library's own transports.

#include <boost/test/unit_test.hpp>

#include "../unit/support/collective_ranks.hpp"
#include "choose/graph_planner.hpp"
#include "choose/planner.hpp"
#include "current_step.hpp"
#include "engine/exchange.hpp"
#include "engine/loose_messages.hpp"
#include "engine/opened_state.hpp"
#include "engine/transport_choice.hpp"
#include "grid_cases.hpp"
#include "handles.hpp"
#include "schedule/expected.hpp"
#include "schedule/length_headers.hpp"
#include "slot_memory.hpp"
#include "socket_transport.hpp"
#include "world.hpp"

#include <sched.h>

namespace {

using namespace carpool;
using namespace carpool::tests;
using collectives::Problem;
using engine::Transports;
using schedule::Operation;

/// The schedule of this rank, and the expected contents of its receive slots.
struct Planned {
    std::string name;
    schedule::Schedule schedule;
    std::vector<schedule::Content> expected;
    bool sums = false;  ///< are blocks summed on any rank?
    schedule::SlotBytes sizes = sizes_in(schedule);
    std::vector<int> sources = {};
};

/// The elements of the blocks.
struct Elements {
    MPI_Datatype type;
    std::int64_t bytes;
    std::int64_t extent;
};

/// The communicator of all ranks, and transports between them.
struct World {
    /// Sockets to the ranks that `reaches` accepts, and the other transports to the rest.
    Transports by_sockets(SocketTransport::Reaches reaches, const Transports::List& others) const {
        Transports::List list{std::make_shared<SocketTransport>(streams, std::move(reaches))};
        list.insert(list.end(), others.begin(), others.end());
        return {world_rank(), world_size(), state->cut_offs(), std::move(list)};
    }

    bool runs(const Planned& planned, const Transports& transports, const Elements& elements) const;
    void check_dense(const Planned& planned) const;
    void check(const Planned& planned) const;
    void check_on_grid(const Place& place, std::int64_t bytes) const;

    std::shared_ptr<mpi::CommState> state = engine::opened_state(MPI_COMM_WORLD);
    mpi::CommState::Tag exchange_tag{state, MPI_COMM_WORLD, engine::Activity::progress};
    std::shared_ptr<Streams> streams = std::make_shared<Streams>(MPI_COMM_WORLD);
    Transports alone = by_sockets([](int, int) { return true; }, {});

    /// Sockets to some ranks; to the others memory if they share it, else MPI.
    Transports three = by_sockets([](int rank, int peer) { return (rank + peer) % 3 != 0; },
                                  engine::transports_of(*state).list());
};

/// True if all bytes are right after each of two starts, including those between the blocks.
bool World::runs(const Planned& planned, const Transports& transports,
                 const Elements& elements) const {
    const auto memory = [&](const std::vector<std::int64_t>& sizes) {
        return SlotMemory(sizes, elements.type, elements.bytes, elements.extent);
    };
    auto send = memory(planned.sizes.send), recv = memory(planned.sizes.recv);
    auto temp = memory(planned.sizes.temp);
    for (std::size_t slot = 0; slot < planned.sizes.send.size(); ++slot)
        send.write(slot, schedule::Origin{world_rank(), static_cast<int>(slot), send.size(slot)});
    auto expected = recv;
    for (std::size_t slot = 0; slot < planned.expected.size(); ++slot)
        if (planned.expected[slot]) expected.write(slot, planned.expected[slot]);
    const auto before = send;
    engine::Buffers buffers{send.blocks(), recv.blocks(), {}, {MPI_SUM}};
    if (planned.sums) buffers.temp = temp.blocks();
    buffers.sources = planned.sources;
    engine::Exchange exchange(planned.schedule, buffers, transports,
                              {.packing = engine::Packing::types, .summed = planned.sums});
    bool right = true;
    for (int start = 0; start < 2; ++start) {
        recv.clear();
        exchange.start(exchange_tag.value());
        while (!exchange.advance()) sched_yield();
        right = right && recv == expected && send == before;
    }
    return right;
}

/// Checks contiguous blocks with each list of transports.
void World::check_dense(const Planned& planned) const {
    note_step(planned.name);
    BOOST_TEST_CHECKPOINT(planned.name);
    const Elements dense = planned.sums ? Elements{MPI_INT64_T, 8, 8} : Elements{MPI_BYTE, 1, 1};
    BOOST_TEST(runs(planned, alone, dense), planned.name << ", by sockets");
    BOOST_TEST(runs(planned, three, dense), planned.name << ", by three ways");
}

/// Checks also blocks with gaps, unless blocks are summed.
void World::check(const Planned& planned) const {
    check_dense(planned);
    if (planned.sums) return;
    constexpr int extent = 3;
    MPI_Datatype sparse;
    MPI_Type_create_resized(MPI_BYTE, 0, extent, &sparse);
    const auto type = committed(sparse);
    BOOST_TEST(runs(planned, alone, {type, 1, extent}), planned.name << ", sparse");
}

std::shared_ptr<const topology::Nodes> nodes_of_two() {
    std::vector<std::uint64_t> names;
    for (int rank = 0; rank < world_size(); ++rank)
        names.push_back(static_cast<std::uint64_t>(rank / 2));
    return std::make_shared<const topology::Nodes>(names);
}

/// The contents after an operation on a graph, with `bytes` bytes in each block.
std::vector<schedule::Content> expected_on(const topology::Graph& graph, Operation operation,
                                           std::int64_t bytes) {
    std::vector<std::vector<std::int64_t>> sizes;
    for (const auto& edges : graph) sizes.emplace_back(edges.out.size() + 1, bytes);
    return schedule::expected(operation, graph, sizes)[static_cast<std::size_t>(world_rank())];
}

void World::check_on_grid(const Place& place, std::int64_t bytes) const {
    const topology::Grid grid(place.torus.dims,
                              {place.torus.periods.begin(), place.torus.periods.end()});
    const topology::Neighborhood neighborhood(place.pattern.d, place.pattern.offsets);
    const auto graph = topology::graph_of(grid, neighborhood);
    choose::Planner planner(grid, neighborhood);
    for (const auto operation : schedule::operations()) {
        const std::vector<std::int64_t> blocks(
            operation == Operation::alltoall ? static_cast<std::size_t>(neighborhood.size()) : 1,
            bytes);
        for (const auto* rule : routing::grid_rules())
            check(
                {place.text() + ", " + std::string(rule->name) + ", " +
                     std::string(schedule::name_of(operation)),
                 planner.placed(planner.planned(*rule, operation), operation, world_rank(), blocks),
                 expected_on(graph, operation, bytes), schedule::reduces(operation)});
    }
}

std::vector<topology::Graph> graphs() {
    const auto ranks = static_cast<std::size_t>(world_size());
    std::vector<std::vector<int>> star(ranks), twice(ranks);
    for (int rank = 1; rank < world_size(); ++rank) star[0].push_back(rank);
    for (int rank = 0; rank < world_size(); ++rank)
        twice[static_cast<std::size_t>(rank)] = {rank, (rank + 1) % world_size(), 0, 0};
    return {topology::Graph(ranks), topology::random_graph(world_size(), 1, 1),
            topology::random_graph(world_size(), 0.5, 2), topology::graph_of_targets(star),
            topology::graph_of_targets(twice)};
}

/// A schedule with blocks whose lengths only their two ends know.
Planned with_length_headers(const topology::Graph& graph, schedule::Schedule schedule,
                            std::int64_t longest) {
    const auto length = [&](int from, std::size_t edge) {
        return (from * 7 + static_cast<std::int64_t>(edge) * 5) % (2 * longest);
    };
    std::vector<std::vector<std::int64_t>> sizes;
    for (int rank = 0; rank < world_size(); ++rank) {
        auto& of_rank = sizes.emplace_back();
        for (std::size_t i = 0; i < graph[static_cast<std::size_t>(rank)].out.size(); ++i)
            of_rank.push_back(length(rank, i));
    }
    const auto here = static_cast<std::size_t>(world_rank());
    const auto contents = schedule::expected(Operation::alltoall, graph, sizes)[here];
    schedule::SlotBytes own{sizes[here], {}, {}};
    Planned planned{"length_headers", {}, contents};
    for (std::size_t i = 0; i < graph[here].in.size(); ++i) {
        own.recv.push_back(contents[i] ? contents[i].blocks.front().bytes : 0);
        planned.sources.push_back(graph[here].in[i].peer);
    }
    planned.schedule =
        schedule::with_length_headers(std::move(schedule), longest, graph[here], world_rank(), own);
    planned.sizes = std::move(own);
    return planned;
}

/// Problems with several roots, and on nodes.
std::vector<Problem> problems(collectives::Kind kind) {
    constexpr std::int64_t bytes = 40;
    std::vector<Problem> all;
    for (const int root : {0, world_size() - 1})
        for (const auto& nodes : {std::shared_ptr<const topology::Nodes>(), nodes_of_two()}) {
            if (root > 0 && !collectives::has_root(kind)) continue;
            auto problem = collective_ranks::equal_blocks(kind, world_size(), bytes);
            problem.root = root;
            problem.nodes = nodes;
            problem.commutes = nodes == nullptr;
            problem.segment = bytes / 2;
            all.push_back(problem);
        }
    return all;
}

Planned planned_by(const collectives::Algorithm& algorithm, const Problem& problem) {
    const std::vector alike{problem};
    const auto expected = collectives::expected(alike, algorithm.pieces(problem));
    return {collective_ranks::described(algorithm, problem),
            collectives::schedule_of(algorithm, problem, world_rank()),
            expected[static_cast<std::size_t>(world_rank())],
            collectives::reduces(problem.kind) || problem.kind == collectives::Kind::barrier};
}

/// All-to-alls with blocks of different sizes.
std::vector<Planned> varying_alltoalls() {
    constexpr int seed = 1;
    RandomSource random(seed);
    const auto all = collective_ranks::varying_alltoall(random, world_size());
    const auto here = static_cast<std::size_t>(world_rank());
    std::vector<Planned> planned;
    for (const auto& algorithm : collectives::algorithms(collectives::Kind::alltoall)) {
        if (!algorithm.applies(all.front()) || algorithm.by_node) continue;
        const auto schedules = algorithm.forwards
                                   ? collective_ranks::learnt_schedules(algorithm, all)
                                   : collective_ranks::schedules(algorithm, all);
        planned.push_back({"varying alltoall, " + std::string(algorithm.name), schedules[here],
                           collectives::expected(all, 1)[here]});
    }
    return planned;
}

std::vector<int> awaited_by(const engine::Exchange& exchange) {
    std::vector<int> ranks;
    exchange.visit_awaited([&](int rank) { ranks.push_back(rank); });
    return ranks;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(test_transport_sockets, World)

BOOST_AUTO_TEST_CASE(every_rule_and_operation_on_every_grid_is_right) {
    constexpr unsigned seed = 1;
    std::mt19937 rng(seed);
    const auto places = grid_cases(world_size(), rng);
    constexpr std::size_t kinds = 3;  // torus, mesh and a mixture, by turns
    for (std::size_t i = 0; i < places.size(); i += kinds + 1) check_on_grid(places[i], 24);
}

BOOST_AUTO_TEST_CASE(every_rule_and_operation_on_every_graph_is_right) {
    for (const auto& graph : graphs())
        for (const auto operation : schedule::operations()) {
            const choose::GraphPlanner planner(graph, operation, {}, false, nodes_of_two());
            for (const auto* rule : routing::graph_rules()) {
                const auto plan = planner.planned(*rule);
                check({std::string(rule->name) + ", " + std::string(schedule::name_of(operation)),
                       planner.placed(plan, world_rank(), 16), expected_on(graph, operation, 16),
                       schedule::reduces(operation)});
            }
        }
}

BOOST_AUTO_TEST_CASE(messages_with_length_headers_are_right) {
    constexpr std::int64_t longest = 10;
    for (const auto& graph : graphs()) {
        const choose::GraphPlanner planner(graph, Operation::alltoall, {});
        for (const auto* rule : routing::graph_rules())
            check(with_length_headers(
                graph, planner.placed(planner.planned(*rule), world_rank(), longest), longest));
    }
}

BOOST_AUTO_TEST_CASE(every_algorithm_of_every_collective_is_right) {
    for (const auto kind : collectives::kinds())
        for (const auto& algorithm : collectives::algorithms(kind))
            for (const auto& problem : problems(kind))
                if (algorithm.applies(problem) && collectives::is_told_of(algorithm, problem))
                    check(planned_by(algorithm, problem));
    for (const auto& planned : varying_alltoalls()) check(planned);
}

BOOST_AUTO_TEST_CASE(blocks_that_no_socket_takes_at_once_are_right) {
    constexpr auto kind = collectives::Kind::allgather;
    const auto problem = collective_ranks::equal_blocks(kind, world_size(), 400'000);
    for (const auto& algorithm : collectives::algorithms(kind))
        if (algorithm.applies(problem) && collectives::is_told_of(algorithm, problem))
            check_dense(planned_by(algorithm, problem));
}

BOOST_AUTO_TEST_CASE(staging_memory_is_returned_to_its_transport) {
    const auto graph = topology::random_graph(world_size(), 1, 1);
    const choose::GraphPlanner planner(graph, Operation::alltoall, {});
    const auto taken = streams->staged;
    const auto rule = routing::find_rule("direct");
    check({"direct", planner.placed(planner.planned(*rule), world_rank(), 16),
           expected_on(graph, Operation::alltoall, 16)});
    BOOST_TEST(streams->staged > taken);  // blocks with gaps are packed in staging buffers
    BOOST_TEST(streams->staged == streams->given_back);
}

BOOST_AUTO_TEST_CASE(an_exchange_tells_which_ranks_it_waits_for) {
    const int last = world_size() - 1;
    schedule::Schedule schedule;
    schedule.send_slots = schedule.recv_slots = 1;
    const schedule::Message none{-1, {}};
    if (world_rank() == last)
        schedule.rounds = {{0, {0, {{{schedule::Slot::Kind::send, 0}, 8}}}, none}};
    if (world_rank() == 0)
        schedule.rounds = {{0, none, {last, {{{schedule::Slot::Kind::recv, 0}, 8}}}}};
    std::int64_t value = world_rank(), come = -1;
    const mpi::Shape shape(1, MPI_INT64_T);
    const auto block = [&](std::int64_t& at) {
        return mpi::Block{reinterpret_cast<std::byte*>(&at), shape};
    };
    for (const auto& transports : {alone, three}) {
        engine::Exchange exchange(schedule, {{block(value)}, {block(come)}, {}}, transports, {});
        constexpr int tag = 1;
        if (world_rank() == 0) exchange.start(tag);
        BOOST_TEST(exchange.advance() == (world_rank() != 0));
        if (world_rank() == 0) BOOST_TEST(awaited_by(exchange) == std::vector{last});
        MPI_Barrier(MPI_COMM_WORLD);
        if (world_rank() != 0) exchange.start(tag);
        while (!exchange.advance()) sched_yield();
        if (world_rank() == 0) BOOST_TEST(come == last);
        BOOST_TEST(awaited_by(exchange).empty());
    }
}

BOOST_AUTO_TEST_CASE(messages_one_by_one_are_probed_and_received) {
    const std::vector<std::byte> sent(100'000, std::byte(world_rank() + 1));
    for (const auto& transports : {alone, three}) {
        engine::LooseMessages messages(transports);
        const int next = (world_rank() + 1) % world_size();
        const int previous = (world_rank() + world_size() - 1) % world_size();
        for (int round = 0; round < 2; ++round) {
            constexpr int known = 2, unknown = 3;
            std::vector<std::byte> come(sent.size());
            const auto receive = messages.receive(previous, known, come);
            messages.send(next, unknown, std::span(sent).first(5));
            messages.send(next, known, sent);
            std::optional<engine::UnexpectedMessage> met;
            while (!met) met = messages.probe_unsynchronous(unknown);
            BOOST_TEST(met->source == previous);
            BOOST_TEST(met->bytes.size() == 5u);
            std::vector<std::size_t> ended;
            while (ended.size() < 2)
                if (const auto one = messages.test_any()) ended.push_back(*one);
            std::sort(ended.begin(), ended.end());
            BOOST_TEST(ended == (std::vector{receive, met->receive}));
            BOOST_TEST((come.back() == std::byte(previous + 1)));
            BOOST_TEST((met->bytes.front() == std::byte(previous + 1)));
            while (!messages.all_sent()) sched_yield();
            BOOST_TEST(messages.all_received());
            messages.clear();
        }
    }
}

BOOST_AUTO_TEST_CASE(an_unexpected_message_is_seen) {
    constexpr int tag = 4;
    engine::LooseMessages messages(three);
    const int next = (world_rank() + 1) % world_size();
    const int previous = (world_rank() + world_size() - 1) % world_size();
    const std::byte sent{1};
    messages.send(next, tag, {&sent, 1}, true);  // by MPI, as a synchronous send
    std::optional<int> seen;
    while (!seen) seen = engine::unexpected_from(*state, previous);
    BOOST_TEST(*seen == tag);
    std::optional<engine::UnexpectedMessage> met;
    while (!met) met = messages.probe(tag);
    while (!messages.all_received() || !messages.all_sent()) sched_yield();
    BOOST_TEST(!engine::unexpected_from(*state, previous));
}

BOOST_AUTO_TEST_SUITE_END()
