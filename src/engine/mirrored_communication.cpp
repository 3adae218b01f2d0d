// SPDX-License-Identifier: MIT
#include "engine/mirrored_communication.hpp"

#include "base/expects.hpp"
#include "engine/spin_then_yield.hpp"

namespace carpool::engine {

void MirroredCommunication::start(int tag) {
    CARPOOL_EXPECTS(stage_ == Stage::none, tag);
    tag_ = tag;
    if (stream_ != last_stream_) wait_for_gpu();
    last_stream_ = stream_;
    mirror_->pack(stream_);
    stage_ = Stage::pack;
    if (begins_ == Begins::at_start) wait_for_gpu();
    begun();
}

void MirroredCommunication::wait_for_gpu() const {
    for (SpinThenYield spin; !mirror_->is_idle(); spin.wait()) continue;
}

/// Begins the communication if the GPU has packed, and before that unpacked what the last start has
/// received; returns whether it has begun.
bool MirroredCommunication::begun() {
    if (stage_ != Stage::pack) return true;
    if (!mirror_->is_idle()) return false;
    stage_ = Stage::exchange;
    what_->start(tag_);
    return true;
}

bool MirroredCommunication::advance() {
    if (!begun()) return false;
    if (stage_ == Stage::exchange) {
        if (!what_->advance()) return false;
        stage_ = Stage::none;  // also if the driver refuses
        mirror_->unpack(stream_);
        if (stream_ != nullptr) return true;
        stage_ = Stage::unpack;
    }
    if (stage_ == Stage::unpack) {
        if (!mirror_->is_idle()) return false;
        stage_ = Stage::none;
    }
    return true;
}

/// The GPU finishes what it is packing or unpacking; the mirror's memory stays until then.
void MirroredCommunication::withdraw() {
    if (stage_ == Stage::exchange) what_->withdraw();
    stage_ = Stage::none;
}

}  // namespace carpool::engine
