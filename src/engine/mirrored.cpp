#include "engine/mirrored.hpp"

#include "base/expects.hpp"
#include "engine/spin_then_yield.hpp"

namespace carpool::engine {

void Mirrored::start(int tag) {
    CARPOOL_EXPECTS(stage_ == Stage::none, tag);
    tag_ = tag;
    mirror_->pack(stream_);
    stage_ = Stage::pack;
    if (begins_ == Begins::when_packed && mirror_->packs()) return;
    for (SpinThenYield spin; !begun(); spin.wait()) continue;
}

/// Begins the communication if the GPU has packed; returns whether it has begun.
bool Mirrored::begun() {
    if (stage_ != Stage::pack) return true;
    if (!mirror_->is_packed()) return false;
    stage_ = Stage::exchange;
    what_->start(tag_);
    return true;
}

bool Mirrored::advance() {
    if (!begun()) return false;
    if (stage_ == Stage::exchange) {
        if (!what_->advance()) return false;
        mirror_->unpack(stream_);
        stage_ = Stage::unpack;
    }
    if (stage_ == Stage::unpack) {
        if (!mirror_->is_unpacked()) return false;
        stage_ = Stage::none;
    }
    return true;
}

/// What the GPU still packs or unpacks, it goes on with: the mirror's memory stays until then.
void Mirrored::withdraw() {
    if (stage_ == Stage::exchange) what_->withdraw();
    stage_ = Stage::none;
}

}  // namespace carpool::engine
