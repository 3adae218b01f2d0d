// SPDX-License-Identifier: MIT
// Random collectives in all forms, in an MPI program that knows nothing of Carpool. Each call is
// made twice: by the function of MPI's name, which may be Carpool's, and by the host's own
// function, whose name begins with PMPI_. Both must write the same bytes. Arguments: number of
// calls, seed.

#include "checks.hpp"
#include "comms.hpp"

#include <mpi.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

namespace {

using namespace interposed;

enum class Form { blocking, nonblocking, persistent };
int forms = 3;

/// A request that is not complete yet, and what must be compared then.
struct Pending {
    MPI_Request request;
    bool persistent;
    std::shared_ptr<Buffers> buffers;
};

std::vector<Pending> pending;

/// Completes all that is under way, by one of MPI's functions.
void complete(Random& random) {
    std::vector<MPI_Request> requests;
    for (const auto& one : pending) requests.push_back(one.request);
    int way = random.below(8);
    for (const auto& one : pending)  // MPICH 5's MPI_Testall fails for its persistent collectives
        if (one.persistent && way == 2) way = 3;
    complete_all(requests, way);
    for (std::size_t i = 0; i < pending.size(); ++i) {
        if (!pending[i].persistent) CHECK(requests[i] == MPI_REQUEST_NULL);
        pending[i].buffers->compare();
        if (!pending[i].persistent) continue;
        CHECK(requests[i] == pending[i].request);
        for (int again = random.below(3); again > 0; --again) {  // once more, with other contents
            pending[i].buffers->refill(random);
            MPI_Start(&requests[i]);
            pending[i].buffers->by_host();
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            pending[i].buffers->compare();
        }
        MPI_Request_free(&requests[i]);
        CHECK(requests[i] == MPI_REQUEST_NULL);
    }
    pending.clear();
}

/// Makes one call in a form of it; `with` calls a function with the arguments for some buffers and
/// further arguments.
template <typename Blocking, typename Nonblocking, typename Init, typename With>
void make(Random& random, std::shared_ptr<Buffers> buffers, Blocking blocking,
          Nonblocking nonblocking, Init init, Blocking host, With with) {
    const auto form = static_cast<Form>(random.below(forms));
    auto& b = *buffers;
    b.by_host = [host, with, &b] { with(host, b.send.data(), b.expected.data()); };
    MPI_Request request = MPI_REQUEST_NULL;
    if (form == Form::blocking) {
        with(blocking, b.send.data(), b.recv.data());
        b.by_host();
        return b.compare();
    }
    if (form == Form::nonblocking) {
        with(nonblocking, b.send.data(), b.recv.data(), &request);
    } else {
        with(init, b.send.data(), b.recv.data(), MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    b.by_host();
    pending.push_back({request, form == Form::persistent, std::move(buffers)});
    if (pending.size() > 6 || random.below(3) == 0) complete(random);
}

// MPI's functions of an operation in three forms, and the host's.
#define ALL_FORMS(Name, name) MPI_##Name, MPI_I##name, MPI_##Name##_init, PMPI_##Name

/// A side with a count and a displacement per block, in elements.
struct Varying {
    Varying(int blocks, const std::function<int(int)>& count) {
        for (int i = 0; i < blocks; ++i) {
            counts.push_back(count(i));
            displs.push_back(end + i % 2);
            end = displs.back() + counts.back();
        }
        counts.push_back(0);  // so that there is an array
        displs.push_back(0);
    }
    std::vector<MPI_Aint> bytes(MPI_Aint extent) const {
        std::vector<MPI_Aint> all;
        for (const int displ : displs) all.push_back(displ * extent);
        return all;
    }
    std::vector<int> in_bytes(MPI_Aint extent) const {
        std::vector<int> all;
        for (const int displ : displs) all.push_back(static_cast<int>(displ * extent));
        return all;
    }
    std::vector<int> counts, displs;
    int end = 0;
};

/// The count of the block from one rank to another: both compute it.
int pair_count(int seed, int from, int to) {
    return static_cast<int>((static_cast<unsigned>(seed) * 31u + static_cast<unsigned>(from) * 7u +
                             static_cast<unsigned>(to) * 13u) %
                            9u);
}

void make_neighborhood_call(Random& random, const Neighbors& on, const Type& type) {
    const int count = random.below(20);
    const int seed = random.below(1000);
    const MPI_Comm comm = on.comm;
    const int out = on.out(), in = on.in();
    const auto s = [&](int i) { return pair_count(seed, on.rank, on.targets[std::size_t(i)]); };
    const auto r = [&](int i) { return pair_count(seed, on.sources[std::size_t(i)], on.rank); };
    const auto from = [&](int i) { return 1 + pair_count(seed, on.sources[std::size_t(i)], 5); };
    const MPI_Datatype t = type.handle;
    switch (random.below(5)) {
        case 0: {
            auto b = buffers(random, type, out * count, in * count);
            return make(random, b, ALL_FORMS(Neighbor_alltoall, neighbor_alltoall),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, count, t, y, count, t, comm, more...);
                        });
        }
        case 1: {
            auto b = buffers(random, type, count, in * count);
            return make(random, b, ALL_FORMS(Neighbor_allgather, neighbor_allgather),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, count, t, y, count, t, comm, more...);
                        });
        }
        case 2: {
            const auto to = std::make_shared<Varying>(out, s),
                       back = std::make_shared<Varying>(in, r);
            auto b = buffers(random, type, to->end, back->end);
            return make(random, b, ALL_FORMS(Neighbor_alltoallv, neighbor_alltoallv),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, to->counts.data(), to->displs.data(), t, y, back->counts.data(),
                              back->displs.data(), t, comm, more...);
                        });
        }
        case 3: {
            const auto back = std::make_shared<Varying>(in, from);
            const int own = 1 + pair_count(seed, on.rank, 5);
            auto b = buffers(random, type, own, back->end);
            return make(random, b, ALL_FORMS(Neighbor_allgatherv, neighbor_allgatherv),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, own, t, y, back->counts.data(), back->displs.data(), t, comm,
                              more...);
                        });
        }
        default: {
            struct Sides {
                Varying to, back;
                std::vector<MPI_Aint> places, back_places;
                std::vector<MPI_Datatype> types;
            };
            auto sides =
                std::make_shared<Sides>(Sides{Varying(out, s), Varying(in, r), {}, {}, {}});
            sides->places = sides->to.bytes(type.extent);
            sides->back_places = sides->back.bytes(type.extent);
            sides->types.assign(std::size_t(std::max(out, in)) + 1, t);
            auto b = buffers(random, type, sides->to.end, sides->back.end);
            return make(random, b, ALL_FORMS(Neighbor_alltoallw, neighbor_alltoallw),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, sides->to.counts.data(), sides->places.data(), sides->types.data(),
                              y, sides->back.counts.data(), sides->back_places.data(),
                              sides->types.data(), comm, more...);
                        });
        }
    }
}

void make_sum(Random& random, MPI_Comm comm, int ranks, int root, int count) {
    const bool users = random.below(3) == 0;
    const Type& type = users ? Type::ints() : Type::doubles_or_ints(random);
    const MPI_Op op = users ? affine_op() : random.below(2) == 0 ? MPI_SUM : MPI_MAX;
    const MPI_Datatype t = users ? affine_type() : type.handle;
    const int width = users ? 2 : 1;
    const auto side = [&](int elements) { return elements * width; };
    const bool in_place = random.below(4) == 0;
    const auto plain = [&](int sent, int received, auto... functions) {
        auto b = buffers(random, type, side(sent), side(received), in_place);
        make(random, b, functions..., [=](auto f, void* x, void* y, auto... more) {
            f(in_place ? MPI_IN_PLACE : x, y, count, t, op, comm, more...);
        });
    };
    switch (random.below(6)) {
        case 0: {
            auto b = buffers(random, type, side(count), side(count));
            return make(random, b, ALL_FORMS(Reduce, reduce),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, y, count, t, op, root, comm, more...);
                        });
        }
        case 1:
            return plain(count, count, ALL_FORMS(Allreduce, allreduce));
        case 2:
            return plain(count, count, ALL_FORMS(Scan, scan));
        case 3:
            return plain(count, count, ALL_FORMS(Exscan, exscan));
        case 4:
            return plain(ranks * count, in_place ? ranks * count : count,
                         ALL_FORMS(Reduce_scatter_block, reduce_scatter_block));
        default: {
            auto counts = std::make_shared<std::vector<int>>();
            for (int i = 0; i < ranks; ++i) counts->push_back((count + i) % 5);
            int sum = 0;
            for (const int one : *counts) sum += one;
            auto b = buffers(random, type, side(sum), side(sum));
            return make(random, b, ALL_FORMS(Reduce_scatter, reduce_scatter),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, y, counts->data(), t, op, comm, more...);
                        });
        }
    }
}

void make_move(Random& random, MPI_Comm comm, int rank, int ranks, int root, const Type& type) {
    const int count = random.below(20);
    const int seed = random.below(1000);
    const MPI_Datatype t = type.handle;
    const auto own = [=](int i) { return pair_count(seed, i, 3); };
    const auto to = [=](int i) { return pair_count(seed, rank, i); };
    const auto from = [=](int i) { return pair_count(seed, i, rank); };
    const int mine = own(rank);
    const auto all = std::make_shared<Varying>(ranks, own);
    switch (random.below(10)) {
        case 0: {
            auto b = buffers(random, type, 0, count, true);
            return make(
                random, b, ALL_FORMS(Bcast, bcast),
                [=](auto f, void*, void* y, auto... more) { f(y, count, t, root, comm, more...); });
        }
        case 1: {
            auto b = buffers(random, type, count, ranks * count);
            return make(random, b, ALL_FORMS(Gather, gather),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, count, t, y, count, t, root, comm, more...);
                        });
        }
        case 2: {
            auto b = buffers(random, type, ranks * count, count);
            return make(random, b, ALL_FORMS(Scatter, scatter),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, count, t, y, count, t, root, comm, more...);
                        });
        }
        case 3: {
            auto b = buffers(random, type, mine, all->end);
            return make(random, b, ALL_FORMS(Gatherv, gatherv),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, mine, t, y, all->counts.data(), all->displs.data(), t, root, comm,
                              more...);
                        });
        }
        case 4: {
            auto b = buffers(random, type, all->end, mine);
            return make(random, b, ALL_FORMS(Scatterv, scatterv),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, all->counts.data(), all->displs.data(), t, y, mine, t, root, comm,
                              more...);
                        });
        }
        case 5: {
            auto b = buffers(random, type, count, ranks * count);
            return make(random, b, ALL_FORMS(Allgather, allgather),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, count, t, y, count, t, comm, more...);
                        });
        }
        case 6: {
            auto b = buffers(random, type, mine, all->end);
            return make(random, b, ALL_FORMS(Allgatherv, allgatherv),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, mine, t, y, all->counts.data(), all->displs.data(), t, comm,
                              more...);
                        });
        }
        case 7: {
            const bool in_place = random.below(4) == 0;
            auto b = buffers(random, type, ranks * count, ranks * count, in_place);
            return make(random, b, ALL_FORMS(Alltoall, alltoall),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(in_place ? MPI_IN_PLACE : x, count, t, y, count, t, comm, more...);
                        });
        }
        case 8: {
            const auto out = std::make_shared<Varying>(ranks, to),
                       in = std::make_shared<Varying>(ranks, from);
            auto b = buffers(random, type, out->end, in->end);
            return make(random, b, ALL_FORMS(Alltoallv, alltoallv),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, out->counts.data(), out->displs.data(), t, y, in->counts.data(),
                              in->displs.data(), t, comm, more...);
                        });
        }
        default: {
            struct Sides {
                Varying out, in;
                std::vector<int> places, back_places;
                std::vector<MPI_Datatype> types;
            };
            auto sides = std::make_shared<Sides>(
                Sides{Varying(ranks, to), Varying(ranks, from), {}, {}, {}});
            sides->places = sides->out.in_bytes(type.extent);
            sides->back_places = sides->in.in_bytes(type.extent);
            sides->types.assign(std::size_t(ranks), t);
            auto b = buffers(random, type, sides->out.end, sides->in.end);
            return make(random, b, ALL_FORMS(Alltoallw, alltoallw),
                        [=](auto f, void* x, void* y, auto... more) {
                            f(x, sides->out.counts.data(), sides->places.data(),
                              sides->types.data(), y, sides->in.counts.data(),
                              sides->back_places.data(), sides->types.data(), comm, more...);
                        });
        }
    }
}

void make_call(Random& random, const Comms& comms) {
    const auto& type = Type::any(random);
    if (random.below(2) == 0)
        return make_neighborhood_call(random, comms.with_neighbors(random), type);
    const MPI_Comm comm = comms.any(random);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int root = random.below(ranks);
    if (random.below(3) == 0) return make_sum(random, comm, ranks, root, random.below(20));
    make_move(random, comm, rank, ranks, root, type);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int calls = argc > 1 ? std::atoi(argv[1]) : 300;
    const int seed = argc > 2 ? std::atoi(argv[2]) : 1;
    if (argc > 3) forms = 2;
    Random random(seed);
    {
        Comms comms(random);
        for (int call = 0; call < calls; ++call) {
            make_call(random, comms);
            if (random.below(100) == 0) {
                complete(random);
                comms.renew(random);
            }
        }
        complete(random);
    }
    Type::free_all();
    return finish("random_calls", seed);
}
