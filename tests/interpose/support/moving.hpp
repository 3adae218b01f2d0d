// SPDX-License-Identifier: MIT
#pragma once

#include "checked_call.hpp"
#include "comm_view.hpp"
#include "host.hpp"

#include <memory>
#include <vector>

namespace interposed {

/// A block on its way. All blocks of a rank are one if it sends the same to everyone.
struct Block {
    static constexpr int everyone = -7;

    int from, to, label;
    int units;       ///< each of Layouts::common_numbers numbers
    int offset = 0;  ///< bytes from the beginning of the buffer

    /// A number of the block.
    int number(const Draws& draws, int i) const {
        return draws.of(draw::value, from * 64 + to, label * 4096 + i, 1000);
    }
};

/// The blocks of one side, all of one layout.
class BlocksOfSide {
public:
    explicit BlocksOfSide(const Layout& layout) : layout_(layout) {}

    void add(Block block, int gap) {
        end_ += gap * static_cast<int>(layout_.extent);
        block.offset = end_;
        end_ += elements(block) * static_cast<int>(layout_.extent);
        blocks_.push_back(block);
    }

    const std::vector<Block>& blocks() const { return blocks_; }
    int elements(const Block& block) const {
        return block.units * Layouts::common_numbers / layout_.numbers();
    }
    std::size_t bytes() const { return static_cast<std::size_t>(end_) + behind_; }

    /// Writes the block where `at` lies.
    void write(const Block& block, const Block& at, const Draws& draws, Bytes& bytes) const {
        if (bytes.empty()) return;
        for (int i = 0; i < block.units * Layouts::common_numbers; ++i) {
            const auto element = i / layout_.numbers() * layout_.extent;
            const auto offset = layout_.offsets[static_cast<std::size_t>(i % layout_.numbers())];
            interposed::write(layout_.basic,
                              &bytes[static_cast<std::size_t>(at.offset + element + offset)],
                              block.number(draws, i));
        }
    }

    /// The side as arguments of a call. Arrays have an element more than blocks.
    /// @param usual  units of a block, if there is none: Open MPI's neighborhood collectives look
    /// at it
    Side arguments(Shape shape, int usual) const {
        Side side;
        side.types.assign(blocks_.size() + 1, layout_.type);
        for (const auto& block : blocks_) {
            side.counts.push_back(elements(block));
            side.byte_displs.push_back(block.offset);
            side.displs.push_back(shape == Shape::typed
                                      ? block.offset
                                      : block.offset / static_cast<int>(layout_.extent));
        }
        side.counts.push_back(shape == Shape::row ? elements({0, 0, 0, usual}) : 0);
        side.displs.push_back(0);
        side.byte_displs.push_back(0);
        return side;
    }

private:
    static constexpr std::size_t behind_ = 24;

    const Layout& layout_;
    std::vector<Block> blocks_;
    int end_ = 0;
};

/// A collective that moves blocks, as one rank calls it.
class Movement {
public:
    Movement(Collective what, const CommView& view, const Draws& draws, const Layouts& layouts)
        : what_(what),
          view_(view),
          draws_(draws),
          root_(draws.of(draw::root, view.ranks)),
          in_place_(may_be_in_place(what) && draws.of(draw::in_place, 4) == 0),
          sent_(layout(layouts, 0)),
          received_(layout(layouts, 1)) {
        if (sends()) add(sent_, described(what).send, sent_blocks());
        if (receives()) add(received_, described(what).recv, received_blocks());
    }

    std::unique_ptr<CheckedCall> checked(Form form) const {
        const auto shapes = described(what_);
        CollectiveCall call{what_,
                            form,
                            view_.comm,
                            sent_.arguments(shapes.send, units(0, 0)),
                            received_.arguments(shapes.recv, units(0, 0)),
                            root_};
        if (send_in_place()) call.send.buffer = MPI_IN_PLACE;
        if (recv_in_place()) call.recv.buffer = MPI_IN_PLACE;
        const Contents room{Bytes(sent_.bytes()), Bytes(received_.bytes())};
        return std::make_unique<CheckedCall>(
            call, room, room.recv.size(), draws_,
            [self = *this](const Draws& draws, Contents& before, Contents& after) {
                self.fill(draws, before, after);
            });
    }

private:
    /// Open MPI's own alltoallv and alltoallw in place hang where blocks are empty.
    static bool may_be_in_place(Collective what) {
        const bool hangs =
            is_open_mpi && (what == Collective::alltoallv || what == Collective::alltoallw);
        return described(what).in_place != InPlace::nowhere && !hangs;
    }

    bool is_root() const { return view_.rank == root_; }
    bool send_in_place() const {
        const auto where = described(what_).in_place;
        return in_place_ &&
               (where == InPlace::sendbuf || (where == InPlace::sendbuf_at_root && is_root()));
    }
    bool recv_in_place() const {
        return in_place_ && described(what_).in_place == InPlace::recvbuf_at_root && is_root();
    }
    bool scatters() const { return what_ == Collective::scatter || what_ == Collective::scatterv; }
    bool gathers() const { return what_ == Collective::gather || what_ == Collective::gatherv; }
    bool sends_all_alike() const { return described(what_).send == Shape::one && !gathers(); }
    bool sends() const {
        return described(what_).send != Shape::none && !send_in_place() &&
               (!scatters() || is_root());
    }
    bool receives() const {
        return described(what_).recv != Shape::none && !recv_in_place() &&
               (!gathers() || is_root());
    }

    /// Open MPI's allgatherv chooses its algorithm by the size of the type, which must be one.
    const Layout& layout(const Layouts& layouts, int side) const {
        const auto basic = draws_.of(draw::basic, 2) == 0 ? Basic::ints : Basic::doubles;
        const int of_rank = is_open_mpi ? 0 : view_.rank;
        return layouts.of(basic, draws_.of(draw::layout, of_rank, side, Layouts::of_each_basic));
    }

    /// Symmetrical, as an alltoall in place needs it.
    int units(int from, int to) const {
        const bool regular = described(what_).send == Shape::row ||
                             described(what_).recv == Shape::row || what_ == Collective::bcast;
        if (regular) return draws_.of(draw::count, 5);
        if (sends_all_alike()) return draws_.of(draw::count, from, 0, 5);
        return draws_.of(draw::count, std::min(from, to), std::max(from, to), 5);
    }
    Block block(int from, int to, int label = 0) const {
        const int receiver = sends_all_alike() || what_ == Collective::bcast ? Block::everyone : to;
        return {from, receiver, sends_all_alike() ? 0 : label, units(from, to)};
    }

    std::vector<Block> sent_blocks() const {
        if (sends_all_alike()) return {block(view_.rank, Block::everyone)};
        if (gathers()) return {block(view_.rank, root_)};
        std::vector<Block> blocks;
        if (of_neighbors(what_))
            for (int i = 0; i < view_.out(); ++i)
                blocks.push_back(
                    block(view_.rank, view_.targets[std::size_t(i)], view_.label_of_target(i)));
        else
            for (int to = 0; to < view_.ranks; ++to) blocks.push_back(block(view_.rank, to));
        return blocks;
    }

    std::vector<Block> received_blocks() const {
        if (what_ == Collective::bcast || scatters()) return {block(root_, view_.rank)};
        std::vector<Block> blocks;
        if (of_neighbors(what_))
            for (int i = 0; i < view_.in(); ++i)
                blocks.push_back(
                    block(view_.sources[std::size_t(i)], view_.rank, view_.label_of_source(i)));
        else
            for (int from = 0; from < view_.ranks; ++from)
                blocks.push_back(block(from, view_.rank));
        return blocks;
    }

    void add(BlocksOfSide& side, Shape shape, const std::vector<Block>& blocks) const {
        const bool gaps = shape == Shape::varying || shape == Shape::typed;
        for (const auto& block : blocks)
            side.add(block, gaps ? draws_.of(draw::gap, block.from, block.to, 3) : 0);
    }

    void fill(const Draws& draws, Contents& before, Contents& after) const {
        for (const auto& block : sent_.blocks()) sent_.write(block, block, draws, before.send);
        after.send = before.send;
        for (const auto& block : received_.blocks()) {
            if (const auto own = own_block_before(block); own.from == view_.rank)
                received_.write(own, block, draws, before.recv);
        }
        after.recv = before.recv;
        for (const auto& block : received_.blocks())
            if (block.from != MPI_PROC_NULL) received_.write(block, block, draws, after.recv);
    }

    /// The block that lies where another is received; one from no rank if there is none.
    Block own_block_before(Block block) const {
        const bool in_recv = send_in_place() || (what_ == Collective::bcast && is_root());
        if (!in_recv) block.from = -1;
        const bool exchanges =
            in_recv && described(what_).send != Shape::one && described(what_).send != Shape::none;
        if (exchanges) std::swap(block.from, block.to);
        return block;
    }

    Collective what_;
    const CommView& view_;
    Draws draws_;
    int root_;
    bool in_place_;
    BlocksOfSide sent_, received_;
};

}  // namespace interposed
