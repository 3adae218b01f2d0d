#pragma once

#include "engine/request.hpp"
#include "sparse/delivery.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace carpool::sparse {

/// The same exchange as a persistent request, now that both sides are known.
/// @param delivery  of an exchange on comm; null is a mistake, found on all ranks alike
/// @param sendbuf   where blocks lie as they lay in that exchange
/// @param recvbuf   where they come to lie one behind the other
/// @note Collective over comm. Throws alike on all ranks.
std::unique_ptr<engine::Request> repeated(const Delivery* delivery, std::byte* sendbuf,
                                          std::byte* recvbuf, MPI_Comm comm, MPI_Info info);

}  // namespace carpool::sparse
