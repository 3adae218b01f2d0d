// SPDX-License-Identifier: MIT
#pragma once

#include "form.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <mpi.h>

#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// A wrong version of a call, which this rank can make.
struct WrongCall {
    std::string name;
    ExpectedError expected_error;
    std::function<int()> make;
};

/// A call, or an init with its start, and what this rank can do wrong in it.
struct Refusable {
    std::string name;
    Form form;
    std::function<int()> make;
    std::vector<WrongCall> wrong;
    std::function<std::string()> fault;   ///< what is wrong after the right call
    std::function<std::string()> effect;  ///< what a refused call has left
};

/// Whether a mistake of one rank is an error on that rank alone, or may be the same on all.
enum class Errors { on_that_rank, on_all };

/// Repeats a call until it returns MPI_SUCCESS; at first, single ranks make it wrongly.
class RetriedCall {
public:
    /// @param mistakes  how many each rank makes
    RetriedCall(const Refusable& call, std::vector<int> mistakes, Errors errors)
        : call_(call), mistakes_(std::move(mistakes)), errors_(errors) {}

    /// Returns what is wrong.
    std::string run(std::mt19937& own) const {
        int left = call_.wrong.empty() ? 0 : mistakes_[static_cast<std::size_t>(world_rank())];
        while (true) {
            const auto* const wrong = left > 0 ? &call_.wrong[own() % call_.wrong.size()] : nullptr;
            const int code = wrong != nullptr ? wrong->make() : call_.make();
            if (code == MPI_SUCCESS)
                return wrong != nullptr ? wrong->name + " is accepted" : call_.fault();
            auto fault = wrong != nullptr ? fault_of_mistake(*wrong, code) : fault_of_right(code);
            if (fault.empty()) fault = call_.effect();
            if (!fault.empty()) return fault;
            --left;
        }
    }

private:
    std::string fault_of_mistake(const WrongCall& wrong, int code) const {
        const auto fault = mismatch(wrong.expected_error, code);
        if (fault.empty() || is_of_another_rank(code)) return "";
        return wrong.name + ": the error " + fault;
    }
    std::string fault_of_right(int code) const {
        return is_of_another_rank(code) ? "" : "the right call fails: " + text_of(code);
    }

    /// Whether all ranks have the error of another rank, which its text names.
    bool is_of_another_rank(int code) const {
        if (errors_ == Errors::on_that_rank) return false;
        const auto text = text_of(code);
        for (int rank = 0; rank < world_size(); ++rank)
            if (rank != world_rank() && mistakes_[static_cast<std::size_t>(rank)] > 0 &&
                text.find("rank " + std::to_string(rank) + ": ") != std::string::npos)
                return true;
        return false;
    }

    const Refusable& call_;
    std::vector<int> mistakes_;
    Errors errors_;
};

}  // namespace carpool::tests
