// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "device/copies.hpp"
#include "device/device.hpp"
#include "gpu.hpp"
#include "halo_blocks.hpp"
#include "halo_box.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <tuple>
#include <vector>

namespace bench {

/// A box of cells in memory of a GPU.
class GpuBox {
public:
    GpuBox(const Gpu& gpu, HaloBox& box)
        : gpu_(gpu), box_(box), cells_(gpu, box.cells.size() * sizeof(double)) {}

    /// Writes the owned cells, and poison into the halo.
    void fill() {
        box_.fill_owned();
        gpu_.upload(cells_.address(), box_.cells.data(), cells_.bytes());
        gpu_.synchronize();
    }

    void check(const std::string& who) {
        gpu_.synchronize();
        gpu_.download(box_.cells.data(), cells_.address(), cells_.bytes());
        gpu_.synchronize();
        box_.check_halo(who);
    }

    const Gpu& gpu() const { return gpu_; }
    HaloBox& on_host() const { return box_; }
    Gpu::Address address() const { return cells_.address(); }
    void* pointer() const { return cells_.pointer(); }

private:
    const Gpu& gpu_;
    HaloBox& box_;
    GpuMemory cells_;
};

/// A block of a box, and its place in a staged buffer.
struct StagedBlock {
    Triple first, size;
    int rank, tag;
    std::size_t place = 0;  ///< in bytes

    std::size_t bytes() const {
        return std::size_t(size[0]) * std::size_t(size[1]) * std::size_t(size[2]) * sizeof(double);
    }
};

/// The halo as a program writes it by hand that stages its data through memory of the host: all
/// blocks are copied there, sent by Isend and Irecv, and copied back.
class StagedByHand {
public:
    enum class Form {
        one_launch,      ///< a kernel packs all blocks, and another one unpacks them
        copy_per_block,  ///< a copy of the driver for each block
    };

    StagedByHand(GpuBox& box, Form form)
        : box_(box),
          form_(form),
          device_(*carpool::device::Device::of(box.pointer())),
          pack_(device_, carpool::device::Copies::Direction::from_device),
          unpack_(device_, carpool::device::Copies::Direction::to_device) {
        const auto offsets = offsets_of_27_points();
        for (std::size_t i = 0; i < offsets.size(); ++i) add(offsets[i], static_cast<int>(i));
        staged_ = std::make_unique<PinnedMemory>(box.gpu(), bytes_);
        if (form == Form::copy_per_block) return;
        pack_.become(strips(sent_, true));
        unpack_.become(strips(received_, false));
    }

    void run() {
        copy(sent_, true);
        auto* next = requests_.data();
        const auto comm = box_.on_host().cart;
        for (const auto& block : received_)
            bench::check(MPI_Irecv(staged_->get() + block.place, static_cast<int>(block.bytes()),
                                   MPI_BYTE, block.rank, block.tag, comm, next++));
        for (const auto& block : sent_)
            bench::check(MPI_Isend(staged_->get() + block.place, static_cast<int>(block.bytes()),
                                   MPI_BYTE, block.rank, block.tag, comm, next++));
        bench::check(
            MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
        copy(received_, false);
    }

private:
    void add(const Triple& offset, int tag) {
        const auto& box = box_.on_host();
        StagedBlock sent{{}, {}, box.rank_at(offset, 1), tag};
        StagedBlock received{{}, {}, box.rank_at(offset, -1), tag};
        for (std::size_t k = 0; k < 3; ++k) {
            std::tie(sent.first[k], sent.size[k]) = box.leaving(offset[k]);
            std::tie(received.first[k], received.size[k]) = box.coming(offset[k]);
        }
        for (auto* const block : {&sent, &received}) {
            block->place = bytes_;
            bytes_ += block->bytes();
        }
        sent_.push_back(sent);
        received_.push_back(received);
        requests_.resize(2 * sent_.size());
    }

    std::size_t offset_of(int x, int y, int z) const {
        const auto whole = std::size_t(box_.on_host().whole());
        return ((std::size_t(x) * whole + std::size_t(y)) * whole + std::size_t(z)) *
               sizeof(double);
    }

    /// The rows of all blocks, as strips for the kernel.
    std::vector<carpool::device::Strip> strips(const std::vector<StagedBlock>& blocks,
                                               bool packs) const {
        std::vector<carpool::device::Strip> all;
        const auto stride = std::int64_t(box_.on_host().whole()) * std::int64_t(sizeof(double));
        for (const auto& block : blocks) {
            const auto row = std::int64_t(block.size[2]) * std::int64_t(sizeof(double));
            auto* staged = staged_->get() + block.place;
            for (int x = 0; x < block.size[0]; ++x, staged += row * block.size[1]) {
                auto* const cells = static_cast<std::byte*>(box_.pointer()) +
                                    offset_of(block.first[0] + x, block.first[1], block.first[2]);
                if (packs)
                    all.push_back({cells, staged, row, stride, row, block.size[1]});
                else
                    all.push_back({staged, cells, row, row, stride, block.size[1]});
            }
        }
        return all;
    }

    void copy(const std::vector<StagedBlock>& blocks, bool packs) {
        if (form_ == Form::one_launch) {
            auto& copies = packs ? pack_ : unpack_;
            copies.start(nullptr);
            while (!copies.ended()) continue;
            return;
        }
        for (const auto& block : blocks) copy(block, packs);
        box_.gpu().synchronize();
    }

    void copy(const StagedBlock& block, bool packs) const {
        const auto whole = std::size_t(box_.on_host().whole());
        Gpu::Side cells;
        cells.memory_type = Gpu::on_device;
        cells.device = box_.address();
        cells.x_in_bytes = std::size_t(block.first[2]) * sizeof(double);
        cells.y = std::size_t(block.first[1]);
        cells.z = std::size_t(block.first[0]);
        cells.pitch = whole * sizeof(double);
        cells.height = whole;
        Gpu::Side staged;
        staged.memory_type = Gpu::on_host;
        staged.host = staged_->get() + block.place;
        staged.pitch = std::size_t(block.size[2]) * sizeof(double);
        staged.height = std::size_t(block.size[1]);
        box_.gpu().copy({packs ? cells : staged, packs ? staged : cells, staged.pitch,
                         staged.height, std::size_t(block.size[0])});
    }

    GpuBox& box_;
    Form form_;
    carpool::device::Device& device_;
    carpool::device::Copies pack_, unpack_;
    std::vector<StagedBlock> sent_, received_;
    std::size_t bytes_ = 0;
    std::unique_ptr<PinnedMemory> staged_;
    std::vector<MPI_Request> requests_;
};

}  // namespace bench
