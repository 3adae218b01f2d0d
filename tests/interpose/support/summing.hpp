// SPDX-License-Identifier: MIT
#pragma once

#include "../checks.hpp"
#include "checked_call.hpp"
#include "comm_view.hpp"
#include "moving.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace interposed {

/// An operator, and the type of its elements.
struct Operator {
    MPI_Op op;
    MPI_Datatype type;
    Basic basic;
    int width;  ///< numbers in an element

    void fold(const std::vector<int>& left, std::vector<int>& right) const {
        if (op == affine_op()) {
            int elements = static_cast<int>(right.size()) / 2;
            auto from = left;
            return compose(from.data(), right.data(), &elements, nullptr);
        }
        for (std::size_t i = 0; i < right.size(); ++i)
            right[i] = op == MPI_SUM   ? left[i] + right[i]
                       : op == MPI_MAX ? std::max(left[i], right[i])
                                       : left[i] & right[i];
    }

    static Operator drawn(const Draws& draws) {
        switch (draws.of(draw::op, 6)) {
            case 0:
                return {MPI_SUM, MPI_DOUBLE, Basic::doubles, 1};
            case 1:
                return {MPI_MAX, MPI_DOUBLE, Basic::doubles, 1};
            case 2:
                return {MPI_MAX, MPI_INT, Basic::ints, 1};
            case 3:
                return {MPI_BAND, MPI_INT, Basic::ints, 1};
            case 4:
                return {affine_op(), affine_type(), Basic::ints, 2};
            default:
                return {MPI_SUM, MPI_INT, Basic::ints, 1};
        }
    }
};

/// A reduction, as one rank calls it.
class Summation {
public:
    Summation(Collective what, const CommView& view, const Draws& draws)
        : what_(what),
          view_(view),
          draws_(draws),
          operator_(Operator::drawn(draws)),
          root_(draws.of(draw::root, view.ranks)),
          in_place_(draws.of(draw::in_place, 4) == 0 &&
                    (what != Collective::reduce || view.rank == root_)) {}

    std::unique_ptr<CheckedCall> checked(Form form) const {
        CollectiveCall call{what_, form, view_.comm, {}, {}, root_, operator_.op};
        if (in_place_) call.send.buffer = MPI_IN_PLACE;
        call.recv.types = {operator_.type};
        call.recv.counts = counts();
        const Contents room{Bytes(in_place_ ? behind_ : bytes(given()) + behind_),
                            Bytes((in_place_ ? bytes(given()) : bytes(got())) + behind_)};
        return std::make_unique<CheckedCall>(
            call, room, specified(room), draws_,
            [self = *this](const Draws& draws, Contents& before, Contents& after) {
                self.fill(draws, before, after);
            });
    }

private:
    static constexpr std::size_t behind_ = 24;

    bool scatters() const {
        return what_ == Collective::reduce_scatter || what_ == Collective::reduce_scatter_block;
    }
    int count_of(int rank) const {
        return draws_.of(draw::count, what_ == Collective::reduce_scatter ? rank : 0, 0, 20);
    }
    /// With an element more than blocks.
    std::vector<int> counts() const {
        if (what_ != Collective::reduce_scatter) return {count_of(0)};
        std::vector<int> all;
        for (int rank = 0; rank < view_.ranks; ++rank) all.push_back(count_of(rank));
        all.push_back(0);
        return all;
    }
    /// Elements before those of a rank's result.
    int first_of(int rank) const {
        int first = 0;
        for (int before = 0; before < rank && scatters(); ++before) first += count_of(before);
        return first;
    }
    int given() const { return scatters() ? first_of(view_.ranks) : count_of(0); }
    int got() const { return count_of(view_.rank); }
    std::size_t bytes(int elements) const {
        return static_cast<std::size_t>(elements * operator_.width * size_of(operator_.basic));
    }

    bool has_result() const {
        return what_ == Collective::reduce   ? view_.rank == root_
               : what_ == Collective::exscan ? view_.rank > 0
                                             : true;
    }
    /// Behind the result in place, and on the first rank of an exscan, hosts may write anything.
    std::size_t specified(const Contents& room) const {
        if (what_ == Collective::exscan && view_.rank == 0) return 0;
        return in_place_ && scatters() ? bytes(got()) : room.recv.size();
    }

    std::vector<int> numbers_of(int rank, const Draws& draws) const {
        std::vector<int> numbers;
        for (int i = 0; i < given() * operator_.width; ++i)
            numbers.push_back(draws.of(draw::value, rank, i, 1000));
        return numbers;
    }
    /// The fold of all ranks' numbers up to the last one that this rank's result contains.
    std::vector<int> result(const Draws& draws) const {
        const int last = what_ == Collective::scan     ? view_.rank
                         : what_ == Collective::exscan ? view_.rank - 1
                                                       : view_.ranks - 1;
        auto folded = numbers_of(last, draws);
        for (int rank = last; rank-- > 0;) operator_.fold(numbers_of(rank, draws), folded);
        return folded;
    }

    void write_all(const std::vector<int>& numbers, int first, int count, Bytes& into) const {
        const auto size = static_cast<std::size_t>(size_of(operator_.basic));
        for (int i = 0; i < count * operator_.width; ++i)
            write(operator_.basic, &into[static_cast<std::size_t>(i) * size],
                  numbers[static_cast<std::size_t>(first * operator_.width + i)]);
    }

    void fill(const Draws& draws, Contents& before, Contents& after) const {
        const auto own = numbers_of(view_.rank, draws);
        write_all(own, 0, given(), in_place_ ? before.recv : before.send);
        after = before;
        if (has_result()) write_all(result(draws), first_of(view_.rank), got(), after.recv);
    }

    Collective what_;
    const CommView& view_;
    Draws draws_;
    Operator operator_;
    int root_;
    bool in_place_;
};

}  // namespace interposed
