// SPDX-License-Identifier: MIT
#pragma once

#include "engine/communication.hpp"
#include "engine/mirror.hpp"

#include <memory>
#include <optional>

namespace carpool::engine {

/// A communication whose buffers lie on a GPU: it is bound to their mirror. A start begins to pack
/// and returns; the communication itself begins once the GPU has packed. On the legacy default
/// stream all has ended once the GPU has unpacked; on a stream that the user has given, once it has
/// been told to. Nothing here waits for the GPU, unless the stream changes while it works.
class MirroredCommunication final : public Communication {
public:
    enum class Begins {
        when_packed,
        at_start,  ///< a start waits until the GPU has packed: other calls must not come first
    };

    /// @param what  bound to the blocks of the mirror
    MirroredCommunication(std::unique_ptr<Mirror> mirror, std::unique_ptr<Communication> what,
                          device::Stream stream, Begins begins = Begins::when_packed)
        : mirror_(std::move(mirror)), what_(std::move(what)), begins_(begins), stream_(stream) {}

    /// Sets the stream of later starts. @pre no start is under way
    void set_stream(device::Stream stream) { stream_ = stream; }

    Mirror& mirror() const { return *mirror_; }

    void start(int tag) override;
    bool advance() override;
    bool under_way() const override { return stage_ == Stage::exchange && what_->under_way(); }
    void withdraw() override;
    void visit_awaited(const base::RankVisitor& visit) const override {
        if (stage_ == Stage::exchange) what_->visit_awaited(visit);
    }

private:
    bool begun();
    void wait_for_gpu() const;

    enum class Stage { none, pack, exchange, unpack };

    std::unique_ptr<Mirror> mirror_;
    std::unique_ptr<Communication> what_;
    Begins begins_;
    device::Stream stream_;
    device::Stream last_stream_ = nullptr;  // of the last start
    Stage stage_ = Stage::none;
    int tag_ = 0;  // of this start
};

}  // namespace carpool::engine
