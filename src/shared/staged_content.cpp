// SPDX-License-Identifier: MIT
#include "shared/staged_content.hpp"

#include "base/expects.hpp"

#include <utility>

namespace carpool::shared {

std::size_t StagedContent::add_reader(Endpoint& endpoint) {
    readers_.push_back(&endpoint);
    return readers_.size() - 1;
}

void StagedContent::restart() {
    release();
    no_memory_ = false;
    if (!std::exchange(loaded_, false)) return;
    if (++current_ == uses_.size()) current_ = 0;
}

/// Readers that have not been notified by now never will be.
void StagedContent::release() {
    if (!buffer_) return;
    uses_[current_] = home_.staging().give_back(*buffer_);
    buffer_.reset();
}

/// Returns the buffer to the pool when all readers have been notified.
void StagedContent::add_pending_read(const PendingRead& read) {
    (*buffer_)->pending_reads.push_back(read);
    if (++notified_ == readers_.size()) release();
}

bool StagedContent::notify(std::size_t reader, const Address& to) {
    CARPOOL_EXPECTS(buffer_.has_value(), reader, notified_);
    auto& endpoint = *readers_[reader];
    const auto number = endpoint.send_staged(to, bytes_, (*buffer_)->offset);
    if (number == 0) return false;
    add_pending_read({&endpoint, number});
    return true;
}

bool StagedContent::notify_all(MulticastRing& multicast_ring,
                               const MulticastRing::ReaderSet& reader_set,
                               std::span<const std::size_t> readers, const Address& to) {
    CARPOOL_EXPECTS(buffer_.has_value(), readers.size(), notified_);
    const auto number = multicast_ring.write_staged(reader_set, to, bytes_, (*buffer_)->offset);
    if (number == 0) return false;
    for (const auto reader : readers) add_pending_read({readers_[reader], number, true});
    return true;
}

}  // namespace carpool::shared
