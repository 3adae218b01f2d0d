// SPDX-License-Identifier: MIT
// ranks: 2 3
// nightly-ranks: 4 5
// sanitize-ranks: 2
//
// Each argument and each setting of each init is another valid one on a single rank. No rank may
// hang, and all get the same error or none does; where MPI allows the arguments, the result is
// right.

#include <boost/test/unit_test.hpp>

#include "bundleable_requests.hpp"
#include "checked_request.hpp"
#include "collective_refusal.hpp"
#include "differing_inits.hpp"
#include "graph_neighbors.hpp"
#include "grid_neighborhood.hpp"
#include "halo_array.hpp"
#include "listed_traffic.hpp"
#include "random_halo.hpp"
#include "seed.hpp"
#include "user_operators.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_errors_differing_inits)

namespace {

using namespace carpool::tests;
using enum Collective;
using Call = CollectiveCall;

/// The first rank and the last one make their inits otherwise, one after the other.
template <typename Run>
void for_each_odd_rank(Run run) {
    for (const int odd : {0, world_size() - 1}) run(world_rank() == odd);
}

using Values = std::vector<std::pair<std::string, std::string>>;

/// Values of the settings that all families have, and then those of some.
std::vector<Setting> in_both_places(Values values) {
    for (const auto& common : Values{{"carpool_alpha", "1e-3"},
                                     {"carpool_beta", "1e-3"},
                                     {"carpool_sigma", "1e-3"},
                                     {"carpool_ports", "3"},
                                     {"carpool_choice", "model"},
                                     {"carpool_choice", "measure"},
                                     {"carpool_choice", "host"},
                                     {"carpool_check", "all"},
                                     {"carpool_requests", "persistent"},
                                     {"carpool_requests", "immediate"},
                                     {"carpool_transfer", "pack"},
                                     {"carpool_transfer", "types"},
                                     {"carpool_transport", "mpi"},
                                     {"carpool_transport", "shared"}})
        values.push_back(common);
    std::vector<Setting> settings;
    for (const auto& [key, value] : values)
        for (const bool in_environment : {false, true})
            settings.push_back({key, value, in_environment});
    return settings;
}

// ---- ordinary collectives ----

/// A change of arguments that leaves them valid.
struct Change {
    std::string name;
    bool legal;
    std::vector<Collective> in;
    std::function<void(Call&)> make;
};

void set_types(Side& side, MPI_Datatype type) {
    for (auto& one : side.types) one = type;
}

std::vector<Change> changes(MPI_Datatype three_ints, MPI_Op of_user) {
    const auto all = those([](Collective what) { return what != barrier; });
    // without displacements in elements
    const std::vector<Collective> moves{bcast, gather, scatter, allgather, alltoall, alltoallw};
    const auto sums = those([](Collective what) { return reduces(what); });
    const auto rooted = those([](Collective what) { return has_root(what); });
    std::vector<Change> changes;
    for (const auto& [name, type] :
         {std::pair("unsigned numbers", MPI_UNSIGNED), std::pair("floats", MPI_FLOAT)})
        changes.push_back({name, false, all, [type = type](Call& c) {
                               for (auto* side : {&c.send, &c.recv}) set_types(*side, type);
                           }});
    changes.push_back({"one element of three ints", true, moves, [=](Call& c) {
                           for (auto* side : {&c.send, &c.recv}) {
                               set_types(*side, three_ints);
                               for (auto& count : side->counts) count /= 3;
                           }
                       }});
    for (const auto& [name, number] : {std::pair("no elements", 0), std::pair("one more", 4)})
        changes.push_back({name, false, all, [number = number](Call& c) {
                               for (auto* side : {&c.send, &c.recv})
                                   for (auto& count : side->counts) count = number;
                           }});
    changes.push_back({"another first count", false, all, [](Call& c) {
                           for (auto* side : {&c.send, &c.recv})
                               if (!side->counts.empty()) side->counts.front() = 1;
                       }});
    changes.push_back(
        {"another root", false, rooted, [](Call& c) { c.root = (c.root + 1) % world_size(); }});
    for (const auto& [name, op] :
         {std::pair("the largest", MPI_MAX), std::pair("a product", MPI_PROD),
          std::pair("a bitwise operator", MPI_BXOR),
          std::pair("an operator of the user's", of_user)})
        changes.push_back({name, false, sums, [op = op](Call& c) { c.op = op; }});
    changes.push_back({"a sum in place", false, sums, [](Call& c) {
                           if (c.what != reduce || world_rank() == c.root)
                               c.send.buffer = MPI_IN_PLACE;
                       }});
    return changes;
}

/// Sums of user's operators over ints.
void add_ints(void* from, void* into, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) static_cast<int*>(into)[i] += static_cast<int*>(from)[i];
}

class DifferingCollectives {
public:
    DifferingCollectives() : comm_(duplicate_of_world()), differing_(comm_) {}

    void run_changes(Collective what, const std::vector<Change>& changes) {
        for_each_odd_rank([&](bool here) {
            for (const auto& change : changes) {
                if (std::find(change.in.begin(), change.in.end(), what) == change.in.end())
                    continue;
                for (const auto form : {Init::narrow, Init::narrow_at_once})
                    differing_.run(name(what, form) + ", " + change.name, change.legal,
                                   prepared(what, form, here ? change.make : [](Call&) {}));
            }
            differing_.run(std::string(name_of(what)) + ", int counts among MPI_Count ones", true,
                           prepared(what, here ? Init::narrow : Init::large, [](Call&) {}));
        });
    }

    int accepted() const { return differing_.accepted(); }
    int refused() const { return differing_.refused(); }

    void run_settings(Collective what) {
        Values values{{"carpool_segment", "16"}, {"carpool_digits", "3"}};
        const auto kind = "carpool_" + std::string(name_of(kind_of(what)));
        for (const auto& algorithm : carpool::collectives::algorithms(kind_of(what))) {
            values.emplace_back("carpool_algorithm", algorithm.name);
            values.emplace_back(kind, algorithm.name);
        }
        for_each_odd_rank([&](bool here) {
            differing_.run_settings(name_of(what), here, in_both_places(values),
                                    [&] { return prepared(what, Init::narrow, [](Call&) {}); });
        });
    }

private:
    static std::string name(Collective what, Init form) {
        return std::string(name_of(what)) + ", " + name_of(form);
    }

    PreparedInit prepared(Collective what, Init form, const std::function<void(Call&)>& change) {
        const auto exchange = std::make_shared<CheckedCollective>(plain_.one_case(what, comm_));
        exchange->prepare(1);
        auto call = exchange->call();
        change(call);
        return {[=, this](MPI_Info info, Carpool_Request* request) {
                    return init(call, {form, comm_, info}, request);
                },
                [=] { return exchange->fault(); }};
    }

    Comm comm_;
    PlainCollectives plain_;
    DifferingInits differing_;
};

// ---- neighborhoods ----

const Values& settings_of_neighborhoods() {
    static const Values values{{"carpool_algorithm", "direct"},
                               {"carpool_algorithm", "torus"},
                               {"carpool_algorithm", "cartesian"},
                               {"carpool_algorithm", "friends"},
                               {"carpool_algorithm", "mesh"},
                               {"carpool_algorithm", "digits"},
                               {"carpool_theta", "1"},
                               {"carpool_digits", "3"},
                               {"carpool_rearrange", "off"}};
    return values;
}

/// A change of the arguments of a neighborhood collective.
struct ExchangeChange {
    const char* name;
    bool legal;
    std::function<void(ExchangeArguments&)> make;
};

std::vector<ExchangeChange> exchange_changes() {
    const auto both = [](auto change) {
        return [=](ExchangeArguments& e) {
            for (auto* side : {&e.send, &e.recv}) change(*side);
        };
    };
    return {{"floats", false, both([](Side& side) {
                 for (auto& type : side.types)
                     if (type == MPI_INT) type = MPI_FLOAT;
             })},
            {"no elements", false, both([](Side& side) {
                 for (auto& count : side.counts) count = 0;
             })},
            {"another first count", false, both([](Side& side) {
                 if (!side.counts.empty()) ++side.counts[0];
             })},
            {"another last count", false, both([](Side& side) {
                 if (!side.counts.empty()) ++side.counts.back();
             })}};
}

PreparedInit prepared(CheckedExchange&& given, MPI_Comm comm, Form form,
                      const std::function<void(ExchangeArguments&)>& change) {
    const auto exchange = std::make_shared<CheckedExchange>(std::move(given));
    exchange->prepare(1);
    change(exchange->arguments());
    return {[=](MPI_Info info, Carpool_Request* request) {
                return exchange->make_call({form, comm, info, request});
            },
            [=] { return exchange->fault(); }};
}

/// Runs all changes and settings of all operations on a communicator.
void run_neighborhood(const char* place, MPI_Comm comm,
                      const std::function<CheckedExchange(Operation)>& make) {
    DifferingInits mismatch(comm);
    for (const auto operation : operations)
        for_each_odd_rank([&](bool here) {
            const auto name = std::string(name_of(operation)) + " on a " + place;
            for (const auto& change : exchange_changes())
                for (const auto form : {Form::persistent, Form::background})
                    mismatch.run(name + ", " + name_of(form) + ", " + change.name, change.legal,
                                 prepared(
                                     make(operation), comm, form,
                                     here ? change.make : [](ExchangeArguments&) {}));
            mismatch.run_settings(name, here, in_both_places(settings_of_neighborhoods()), [&] {
                return prepared(make(operation), comm, Form::persistent, [](ExchangeArguments&) {});
            });
        });
}

/// A reduction over neighbors of ints, as one rank calls it.
struct NeighborSum {
    bool scatters = false;
    int count = 4;
    MPI_Datatype type = MPI_INT;
    MPI_Op op = MPI_SUM;

    PreparedInit prepared(const Neighbors& neighbors, MPI_Comm comm) const {
        struct Buffers {
            std::vector<int> from, into;
        };
        const auto blocks = scatters ? neighbors.targets.size() : 1;
        const auto buffers = std::make_shared<Buffers>(
            Buffers{std::vector<int>(8 * blocks + 8, world_rank() + 1), std::vector<int>(16, -1)});
        int expected = 0;
        for (const int source : neighbors.sources) expected += source + 1;
        const auto call = *this;
        return {
            [=](MPI_Info info, Carpool_Request* request) {
                const auto init = call.scatters ? Carpool_Neighbor_reduce_scatter_block_init
                                                : Carpool_Neighbor_reduce_init;
                return init(buffers->from.data(), buffers->into.data(), call.count, call.type,
                            call.op, comm, info, request);
            },
            [=] {
                const bool some = !neighbors.sources.empty();
                return std::string(buffers->into[0] == (some ? expected : -1) ? "" : "a wrong sum");
            }};
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(collectives_with_other_arguments_on_one_rank_end_the_same_on_all) {
    const auto three_ints = committed([] {
        MPI_Datatype type;
        MPI_Type_contiguous(3, MPI_INT, &type);
        return type;
    }());
    const auto of_user = op_of(add_ints, true);
    DifferingCollectives mismatch;
    for (const auto what : all_collectives)
        mismatch.run_changes(what, changes(three_ints, of_user));
    BOOST_TEST(mismatch.accepted() > 0);
    BOOST_TEST(mismatch.refused() > 0);
}

BOOST_AUTO_TEST_CASE(collectives_with_other_settings_on_one_rank_end_the_same_on_all) {
    DifferingCollectives mismatch;
    for (const auto what : all_collectives) mismatch.run_settings(what);
    BOOST_TEST(mismatch.accepted() > 0);
    BOOST_TEST(mismatch.refused() > 0);
}

BOOST_AUTO_TEST_CASE(neighborhoods_on_grids_that_differ_on_one_rank_end_the_same_on_all) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    run_neighborhood("grid", grid.cart, [&](Operation what) { return grid.exchange(what); });
}

BOOST_AUTO_TEST_CASE(neighborhoods_on_graphs_that_differ_on_one_rank_end_the_same_on_all) {
    Neighbors n;
    n.targets = n.sources = {around(-1), around(1)};
    n.target_tags = n.source_tags = occurrences(n.targets);
    const auto graph = distributed_graph(n);
    run_neighborhood("graph", graph, [&](Operation what) {
        return CheckedExchange(along_edges(what, n, world_rank()), n);
    });
}

BOOST_AUTO_TEST_CASE(sums_over_neighbors_that_differ_on_one_rank_end_the_same_on_all) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    DifferingInits mismatch(grid.cart);
    for (const bool scatters : {false, true}) {
        const NeighborSum right{scatters};
        const std::pair<const char*, NeighborSum> others[] = {
            {"floats", {scatters, 4, MPI_FLOAT, MPI_SUM}},
            {"unsigned numbers", {scatters, 4, MPI_UNSIGNED, MPI_SUM}},
            {"another count", {scatters, 5, MPI_INT, MPI_SUM}},
            {"no elements", {scatters, 0, MPI_INT, MPI_SUM}},
            {"the largest", {scatters, 4, MPI_INT, MPI_MAX}}};
        const std::string name = scatters ? "neighbor_reduce_scatter_block" : "neighbor_reduce";
        for_each_odd_rank([&](bool here) {
            for (const auto& [what, other] : others)
                mismatch.run(name + ", " + what, false,
                             (here ? other : right).prepared(grid.neighbors, grid.cart));
            mismatch.run_settings(name, here, in_both_places(settings_of_neighborhoods()),
                                  [&] { return right.prepared(grid.neighbors, grid.cart); });
        });
    }
}

BOOST_AUTO_TEST_CASE(halos_that_differ_on_one_rank_end_the_same_on_all) {
    const auto torus = torus_of(2);
    const auto cart = cartesian(torus);
    DifferingInits mismatch(cart);
    const auto prepared = [&](const std::function<void(HaloCall&)>& change) {
        struct Kept {
            HaloCase halo;
            HaloArrays arrays;
            explicit Kept(HaloCase h)
                : halo(std::move(h)), arrays(halo, world_rank(), 1, HaloArrays::Filled::owned) {}
        };
        const auto kept = std::make_shared<Kept>(small_halo(torus));
        const MPI_Comm comm = cart;
        return PreparedInit{[=](MPI_Info info, Carpool_Request* request) {
                                HaloCall call(kept->halo, kept->arrays.addresses());
                                change(call);
                                return Carpool_Halo_init(&call.arguments, comm, info, request);
                            },
                            [=] {
                                const HaloArrays wanted(kept->halo, world_rank(), 1,
                                                        HaloArrays::Filled::all);
                                return std::string(kept->arrays == wanted ? "" : "a cell is wrong");
                            }};
    };
    const std::pair<const char*, std::function<void(HaloCall&)>> changes[] = {
        {"a smaller width", [](HaloCall& c) { c.lower[0] = 0; }},
        {"a smaller shape", [](HaloCall& c) { --c.shape[1]; }},
        {"the other order", [](HaloCall& c) { c.arguments.order = MPI_ORDER_FORTRAN; }},
        {"another type of the same size", [](HaloCall& c) { c.arguments.element = MPI_INT64_T; }},
        {"a smaller type", [](HaloCall& c) { c.arguments.element = MPI_INT; }},
        {"no fields", [](HaloCall& c) { c.arguments.fields = 0; }},
        {"a smaller stencil", [](HaloCall& c) { --c.arguments.t; }},
        {"another stencil", [](HaloCall& c) { c.offsets[0] = 0; }}};
    const auto none = [](HaloCall&) {};
    for_each_odd_rank([&](bool here) {
        for (const auto& [name, change] : changes)
            mismatch.run(std::string("halo, ") + name, false, prepared(here ? change : none));
        mismatch.run_settings("halo", here, in_both_places(settings_of_neighborhoods()),
                              [&] { return prepared(none); });
    });
}

BOOST_AUTO_TEST_CASE(lists_that_differ_on_one_rank_end_the_same_on_all) {
    auto rng = seeded();
    const auto comm = duplicate_of_world();
    DifferingInits mismatch(comm);
    const auto traffic = traffic_of("complete", world_size(), rng);
    const auto prepared = [&](const std::function<void(ListedTraffic&)>& change) {
        const auto lists = std::make_shared<ListedTraffic>(traffic, rng);
        lists->prepare(1);
        change(*lists);
        return PreparedInit{[=, over = MPI_Comm(comm)](MPI_Info info, Carpool_Request* request) {
                                return lists->init(over, info, request);
                            },
                            [=] { return lists->fault(); }};
    };
    const auto shorten = [](ByteSide& side) {
        for (auto* list : {&side.peers, &side.counts, &side.displs}) list->pop_back();
    };
    const std::pair<const char*, std::function<void(ListedTraffic&)>> changes[] = {
        {"a target less", [=](ListedTraffic& lists) { shorten(lists.send); }},
        {"a source less", [=](ListedTraffic& lists) { shorten(lists.recv); }},
        {"a byte less to send", [](ListedTraffic& lists) { --lists.send.counts[0]; }},
        {"a byte less to receive", [](ListedTraffic& lists) { --lists.recv.counts[0]; }},
        {"another target", [](ListedTraffic& lists) { lists.send.peers[0] = lists.send.peers[1]; }},
        {"another source",
         [](ListedTraffic& lists) { lists.recv.peers[0] = lists.recv.peers[1]; }}};
    const auto none = [](ListedTraffic&) {};
    for_each_odd_rank([&](bool here) {
        for (const auto& [name, change] : changes)
            mismatch.run(std::string("lists, ") + name, false, prepared(here ? change : none));
        mismatch.run_settings("lists", here, in_both_places(settings_of_neighborhoods()),
                              [&] { return prepared(none); });
    });
}

BOOST_AUTO_TEST_SUITE_END()
