// SPDX-License-Identifier: MIT
/// Carpool in C++20: all of carpool.h with owning types, ranges and exceptions. Header-only; a
/// program links the same library.
///
///     carpool::Neighborhood torus(MPI_COMM_WORLD, dims, periods, carpool::Stencil::moore(2, 1));
///     auto received = torus.allgather(value);               // a vector, one value per neighbor
///
///     carpool::Request sum = torus.ranks().allreduce_init(mine, total, MPI_SUM);
///     while (step(mine)) sum.run();                          // start and wait, as quick as in C
///
/// Names are those of C in lower case. Each collective has four forms: blocking, nonblocking (the
/// prefix i; returns a Pending), persistent (the suffix _init; returns a Request) and persistent
/// with planning in the background (i..._init). carpool.h describes the arguments of the calls, and
/// which of them are collective; counts may exceed an int. Errors are exceptions (error.hpp).
///
///     header            declares
///     ranks.hpp         Ranks: ordinary collectives and sparse exchanges on any communicator
///     neighbors.hpp     Neighbors: neighborhood collectives on a communicator with a topology
///     communicator.hpp  Communicator: Ranks that own their communicator
///     neighborhood.hpp  Neighborhood: Neighbors on a torus or mesh, with stencil.hpp
///     graph.hpp         Graph: Neighbors on a distributed graph
///     halo.hpp          halo_init: halos of a View (view.hpp)
///     ghosts.hpp        Ghosts: exchanges by index
///     request.hpp       Request, Pending; requests.hpp: several together
///     delivery.hpp      Delivery: the blocks that a sparse exchange has brought
///     buffer.hpp        Buffer: the memory of a call; blocks.hpp: the same for calls in v and w
///     datatype.hpp      datatype<T>: the MPI datatype of a type, which a program may add
///     settings.hpp      Settings: info keys
///     error.hpp         Error; errors_return.hpp: makes errors on MPI_COMM_WORLD exceptions too
#pragma once

#if __cplusplus < 202002L
#error "carpool.hpp needs C++20: -std=c++20, or target_compile_features(app PRIVATE cxx_std_20)"
#endif

#include <carpool/carpool.h>

#include <carpool/cxx/blocks.hpp>
#include <carpool/cxx/buffer.hpp>
#include <carpool/cxx/communicator.hpp>
#include <carpool/cxx/datatype.hpp>
#include <carpool/cxx/delivery.hpp>
#include <carpool/cxx/error.hpp>
#include <carpool/cxx/errors_return.hpp>
#include <carpool/cxx/ghost_fields.hpp>
#include <carpool/cxx/ghosts.hpp>
#include <carpool/cxx/graph.hpp>
#include <carpool/cxx/halo.hpp>
#include <carpool/cxx/neighborhood.hpp>
#include <carpool/cxx/neighbors.hpp>
#include <carpool/cxx/ranks.hpp>
#include <carpool/cxx/request.hpp>
#include <carpool/cxx/requests.hpp>
#include <carpool/cxx/settings.hpp>
#include <carpool/cxx/stencil.hpp>
#include <carpool/cxx/view.hpp>
