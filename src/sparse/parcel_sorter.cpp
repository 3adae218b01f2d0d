// SPDX-License-Identifier: MIT
#include "sparse/parcel_sorter.hpp"

#include "engine/copy_list.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace carpool::sparse {
namespace {

void pack(const mpi::Block& block, std::byte* to) {
    if (block.shape.bytes() == 0) return;
    engine::CopyList copies;
    copies.gather(block, to);
    copies.run();
}

ParcelMemory packed(const mpi::Block& block) {
    auto memory = engine::memory_for(block.shape.bytes());
    pack(block, memory.get());
    return memory;
}

void pass_on(const IncomingParcels::Parcel& parcel, OutgoingParcels& message) {
    if (parcel.header.straight != 0)
        message.announce(parcel.header);
    else
        std::copy_n(parcel.bytes, parcel.header.bytes, message.add(parcel.header));
}

}  // namespace

void ParcelSorter::load(const SendList& send_list,
                        const std::function<OutgoingParcels&(int)>& message_for) {
    for (std::size_t i = 0; i < send_list.targets.size(); ++i) {
        const auto& block = send_list.blocks[i];
        const int target = send_list.targets[i];
        if (!block.shape) continue;  // MPI_PROC_NULL
        ParcelHeader header{rank_, target, block.shape.bytes(), static_cast<std::int32_t>(i), 0};
        if (target == rank_) {
            keep(header, block);
        } else if (header.bytes <= longest_) {
            pack(block, message_for(target).add(header));
        } else {
            header.straight = 1;
            message_for(target).announce(header);
            send_straight(header, block);
        }
    }
}

void ParcelSorter::keep(const ParcelHeader& header, const mpi::Block& block) {
    delivery_.memory.push_back(packed(block));
    arrive(header, delivery_.memory.back().get());
}

/// Sends a block from where it lies, if it is contiguous.
void ParcelSorter::send_straight(const ParcelHeader& header, const mpi::Block& block) {
    const auto piece = block.shape.piece();
    if (!piece) packed_.push_back(packed(block));
    const auto* const data = piece ? block.address + *piece : packed_.back().get();
    pending_.send(header.target, tags_.straight, {data, static_cast<std::size_t>(header.bytes)});
}

void ParcelSorter::unload(ReceivedMessage message, Piggyback& piggyback,
                          const std::function<OutgoingParcels&(int)>& message_for) {
    IncomingParcels incoming(message.bytes);
    piggyback.add(incoming.piggyback());
    bool keeps = false;
    while (const auto parcel = incoming.next()) {
        const auto& header = parcel->header;
        const bool is_here = header.target == rank_;
        if (!is_rank(header.origin)) refuse("the origin of a parcel", header.origin);
        if (!is_rank(header.target) || (!is_here && !message_for))
            refuse("the target of a parcel", header.target);
        if (!is_here) {
            pass_on(*parcel, message_for(header.target));
        } else if (header.straight == 0) {
            keeps = message.memory != nullptr;
            arrive(header, keeps ? parcel->bytes : copied(*parcel));
        } else {  // headers arrive in the order in which their parcels were sent
            delivery_.memory.push_back(
                pending_.receive(header.origin, tags_.straight, header.bytes));
            arrive(header, delivery_.memory.back().get());
        }
    }
    if (keeps) delivery_.memory.push_back(std::move(message.memory));
}

const std::byte* ParcelSorter::copied(const IncomingParcels::Parcel& parcel) {
    auto memory = engine::memory_for(parcel.header.bytes);
    std::copy_n(parcel.bytes, parcel.header.bytes, memory.get());
    return delivery_.memory.emplace_back(std::move(memory)).get();
}

void ParcelSorter::arrive(const ParcelHeader& header, const std::byte* data) {
    delivery_.parcels.push_back({header.origin, header.order, header.bytes, data});
}

Delivery ParcelSorter::take() {
    std::sort(delivery_.parcels.begin(), delivery_.parcels.end(),
              [](const ArrivedParcel& a, const ArrivedParcel& b) {
                  return std::tie(a.source, a.order) < std::tie(b.source, b.order);
              });
    return std::move(delivery_);
}

Demand demand_of(const SendList& send_list, int rank) {
    constexpr std::int64_t most = std::int64_t{1} << 62;
    Demand demand;
    for (std::size_t i = 0; i < send_list.targets.size(); ++i) {
        if (!send_list.blocks[i].shape || send_list.targets[i] == rank) continue;
        ++demand.degree;
        demand.flow = std::min(most, demand.flow + send_list.blocks[i].shape.bytes());
    }
    return demand;
}

}  // namespace carpool::sparse
