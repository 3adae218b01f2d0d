#pragma once

#include "engine/request.hpp"
#include "mpi/error.hpp"
#include "sparse/delivery.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>

namespace carpool::sparse {

/// The same exchange as a persistent request, now that both sides are known.
/// @param delivery  of an exchange on comm; null if that which the user gives is a mistake, which
///                  all ranks are to hear of
/// @param sendbuf   where blocks lie as they lay in that exchange
/// @param recvbuf   where they come to lie one behind the other
/// @note Collective over comm. Throws alike on all ranks.
std::unique_ptr<engine::Request> repeated(const Delivery* delivery,
                                          const std::optional<mpi::Error>& mistake,
                                          std::byte* sendbuf, std::byte* recvbuf, MPI_Comm comm,
                                          MPI_Info info);

}  // namespace carpool::sparse
