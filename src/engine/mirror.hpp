// SPDX-License-Identifier: MIT
#pragma once

#include "device/copies.hpp"
#include "device/driver.hpp"
#include "engine/bind.hpp"
#include "engine/filled_bytes.hpp"
#include "mpi/types/shape.hpp"
#include "schedule/slot_use.hpp"

#include <memory>
#include <span>
#include <vector>

namespace carpool::engine {

/// Blocks in pinned memory that take the place of those that lie on a GPU. An exchange is bound to
/// them, so that no message, and no other rank, knows of GPUs:
///
///     blocks on the GPU  ── pack ──▶  mirror  ══ exchange ══▶  mirror  ── unpack ──▶  blocks
///
/// A block of a sum has its datatype in the mirror, for the operator; any other has bytes without
/// holes, in the order of the messages, so that these are one piece of memory. A block that
/// is sent after receives have filled some of its bytes has those where the mirror receives them.
class Mirror {
public:
    /// Whether any of these blocks lies on a GPU.
    static bool is_needed(const Buffers& buffers);

    enum class BlockForm { by_use, typed };

    /// @param use   what the exchange does with the blocks
    /// @param form  whether blocks have their datatypes in any case
    /// Throws std::bad_alloc if no memory can be pinned.
    Mirror(schedule::SlotUse use, const Buffers& buffers, BlockForm form = BlockForm::by_use);
    Mirror(const Mirror&) = delete;
    Mirror& operator=(const Mirror&) = delete;
    ~Mirror();

    /// The same buffers, with the mirror's blocks in place of those on a GPU.
    const Buffers& buffers() const { return buffers_; }

    /// Takes the place of other blocks of the same slots. @pre is_idle()
    void become(const Buffers& buffers);

    /// Whether a GPU neither reads nor writes it: all that was started has been copied.
    bool is_idle() const;

    /// Starts to copy what the exchange reads behind what the stream has to do.
    /// @pre is_idle(), or the stream is that of the unpack() that has not ended
    void pack(device::Stream stream);

    /// The same with what the exchange has written. @pre is_idle()
    void unpack(device::Stream stream);

private:
    /// What is copied between a device and the mirror.
    struct Share {
        explicit Share(device::Device& of)
            : device(of),
              pack(of, device::Copies::Direction::from_device),
              unpack(of, device::Copies::Direction::to_device) {}

        bool ended();

        device::Device& device;
        device::Copies pack;
        device::Copies unpack;
        std::vector<device::Strip> packed = {};  // while the mirror is laid out
        std::vector<device::Strip> unpacked = {};
    };

    /// All that a GPU uses, which outlives the mirror until the GPU is done.
    struct Memory final : device::PendingWork {
        bool ended() override;

        device::PinnedBuffer pinned;
        std::vector<std::unique_ptr<Share>> shares;
    };

    /// What the exchange does with a block.
    struct Use {
        bool is_read;
        bool is_written;
        bool is_summed;
    };

    /// A block and its place in the mirror.
    struct Place {
        mpi::Block on_device;
        mpi::Block* mirrored;
        Use use;
        std::span<const int> awaited = {};  // receive slots, before it is sent
        std::int64_t offset = 0;
    };

    void find_places();
    void lay_out(std::span<const mpi::Block> recv);
    void add(mpi::Block& block, Use use, std::span<const int> awaited = {});
    mpi::Block split(Place& place, std::span<const mpi::Block> recv) const;
    std::vector<FilledBytes::FilledBlock> filled_in(const Place& place,
                                                    std::span<const mpi::Block> recv) const;
    void add_strips(const Place& place, const mpi::Block& mirrored);
    Share& share_of(device::Device& device);

    schedule::SlotUse use_;
    BlockForm form_;
    Buffers buffers_;
    std::vector<Place> places_;
    std::unique_ptr<Memory> memory_;
};

}  // namespace carpool::engine
