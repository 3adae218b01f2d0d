#pragma once

#include "engine/transport.hpp"
#include "mpi/shape.hpp"

#include <cstdint>
#include <vector>

namespace carpool::engine {

/// How several blocks become one message.
enum class Packing {
    by_piece,    ///< the cheaper, where datatypes cost MPI much for every contiguous piece
    by_message,  ///< the cheaper, where they cost it little once a message is large
    pack,        ///< copied into one piece of memory
    types,       ///< described to MPI by a derived datatype: the papers' zero-copy
};

/// Where a block is, or will be: in the user's buffer, or contiguous in staging memory.
struct Location {
    mpi::Block block;             ///< the user's block, if it has a shape
    std::byte* staged = nullptr;  ///< otherwise
    std::int64_t bytes = 0;
};

/// A message whose parts lie at these locations.
BoundMessage bind_send(const std::vector<Location>& parts, int peer, const Transport& transport,
                       Packing packing);

/// A message whose parts go to these locations, where a part without memory of its own comes to
/// rest in the message's staging memory; `parts` is updated to say where every part can be read.
BoundMessage bind_receive(std::vector<Location>& parts, int peer, const Transport& transport,
                          Packing packing);

}  // namespace carpool::engine
