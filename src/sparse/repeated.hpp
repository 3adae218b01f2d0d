// SPDX-License-Identifier: MIT
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
/// @param delivery  of an exchange on comm; null if it is wrong, which all ranks are to
///                  report
/// @param sendbuf   where blocks lie at the same offsets as in that exchange
/// @param recvbuf   where they are received, one behind the other
/// @note Collective over comm. Throws the same error on all ranks.
std::unique_ptr<engine::Request> repeated(const Delivery* delivery,
                                          const std::optional<mpi::Error>& mistake,
                                          std::byte* sendbuf, std::byte* recvbuf, MPI_Comm comm,
                                          MPI_Info info);

}  // namespace carpool::sparse
