#include "many/hold.hpp"

#include "engine/copy_list.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace carpool::many {
namespace {

void pack(const mpi::Block& block, std::byte* to) {
    if (block.shape->bytes() == 0) return;
    engine::CopyList copies;
    copies.gather(block, to);
    copies.run();
}

Memory packed(const mpi::Block& block) {
    auto memory = room_for(block.shape->bytes());
    pack(block, memory.get());
    return memory;
}

void pass_on(const Incoming::Parcel& parcel, Outgoing& message) {
    if (parcel.label.straight != 0)
        message.announce(parcel.label);
    else
        std::copy_n(parcel.bytes, parcel.label.bytes, message.add(parcel.label));
}

}  // namespace

void Hold::load(const Cargo& cargo, const std::function<Outgoing&(int)>& message_for) {
    for (std::size_t i = 0; i < cargo.targets.size(); ++i) {
        const auto& block = cargo.blocks[i];
        const int target = cargo.targets[i];
        if (!block.shape) continue;  // for nobody
        Label label{rank_, target, block.shape->bytes(), static_cast<std::int32_t>(i), 0};
        if (target == rank_) {
            keep(label, block);
        } else if (label.bytes <= longest_) {
            pack(block, message_for(target).add(label));
        } else {
            label.straight = 1;
            message_for(target).announce(label);
            send_straight(label, block);
        }
    }
}

void Hold::keep(const Label& label, const mpi::Block& block) {
    delivery_.memory.push_back(packed(block));
    arrive(label, delivery_.memory.back().get());
}

/// From where it lies, if it is one piece.
void Hold::send_straight(const Label& label, const mpi::Block& block) {
    const auto piece = block.shape->piece();
    if (!piece) packed_.push_back(packed(block));
    const auto* const data = piece ? block.address + *piece : packed_.back().get();
    wire_.send(label.target, tags_.straight, {data, static_cast<std::size_t>(label.bytes)});
}

void Hold::unload(Message message, News& news, const std::function<Outgoing&(int)>& message_for) {
    Incoming incoming(message.bytes);
    news.add(incoming.news());
    bool keeps = false;
    while (const auto parcel = incoming.next()) {
        const auto& label = parcel->label;
        if (label.target != rank_) {
            pass_on(*parcel, message_for(label.target));
        } else if (label.straight == 0) {
            keeps = message.memory != nullptr;
            arrive(label, keeps ? parcel->bytes : copied(*parcel));
        } else {  // labels come in the order in which the parcels have left
            delivery_.memory.push_back(wire_.receive(label.origin, tags_.straight, label.bytes));
            arrive(label, delivery_.memory.back().get());
        }
    }
    if (keeps) delivery_.memory.push_back(std::move(message.memory));
}

const std::byte* Hold::copied(const Incoming::Parcel& parcel) {
    auto memory = room_for(parcel.label.bytes);
    std::copy_n(parcel.bytes, parcel.label.bytes, memory.get());
    return delivery_.memory.emplace_back(std::move(memory)).get();
}

void Hold::arrive(const Label& label, const std::byte* data) {
    delivery_.arrivals.push_back({label.origin, label.order, label.bytes, data});
}

Delivery Hold::take() {
    std::sort(delivery_.arrivals.begin(), delivery_.arrivals.end(),
              [](const Arrival& a, const Arrival& b) {
                  return std::tie(a.source, a.order) < std::tie(b.source, b.order);
              });
    return std::move(delivery_);
}

Account account_of(const Cargo& cargo, int rank) {
    constexpr std::int64_t most = std::int64_t{1} << 62;
    Account account;
    for (std::size_t i = 0; i < cargo.targets.size(); ++i) {
        if (!cargo.blocks[i].shape || cargo.targets[i] == rank) continue;
        ++account.degree;
        account.flow = std::min(most, account.flow + cargo.blocks[i].shape->bytes());
    }
    return account;
}

}  // namespace carpool::many
