// SPDX-License-Identifier: MIT
#include "sparse/pending_messages.hpp"

#include "sparse/received_message.hpp"

namespace carpool::sparse {

ParcelMemory PendingMessages::receive(int source, int tag, std::int64_t count) {
    auto memory = messages_.staging(source, count);
    messages_.receive(source, tag, {memory.get(), static_cast<std::size_t>(count)});
    return memory;
}

}  // namespace carpool::sparse
