// SPDX-License-Identifier: MIT
#pragma once

#include "exchange.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tune {

/// What the cost model counts in an exchange, and how long it takes: an equation for alpha, beta
/// and sigma.
struct Equation {
    double messages;
    double bytes;
    double phases;
    double seconds;
};

/// An exchange to which costs are fitted.
class Sample : public Exchange {
public:
    Sample(const Level& level, std::string work) : Exchange(level), work_(std::move(work)) {}

    const std::string& work() const { return work_; }  ///< as in a tuning file

    /// @note Collective over the level's ranks. @pre time() was called
    Equation equation() const;

protected:
    /// What the busiest rank does in a start.
    virtual Equation counted(const Carpool_Plan& plan) const = 0;

    std::vector<char> send_, recv_;

private:
    std::string work_;
};

/// All exchanges worth timing at these levels, the same on all ranks; null if this rank is not in
/// the communicator of the level. @note Collective.
std::vector<std::unique_ptr<Sample>> samples_of(const std::vector<Level>& levels);

}  // namespace tune
