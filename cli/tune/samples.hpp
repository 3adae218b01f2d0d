#pragma once

#include "exchange.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tune {

/// What the cost model counts of an exchange, and how long it takes: an equation for alpha, beta
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

    const std::string& work() const { return work_; }  ///< as a tuning file has it

    /// @note Collective over the level's ranks. @pre time
    Equation equation() const;

protected:
    /// What a start asks of the busiest rank.
    virtual Equation counted(const Carpool_Plan& plan) const = 0;

    std::vector<char> send_, recv_;

private:
    std::string work_;
};

/// All that is worth timing at these levels, alike on all ranks; null where this rank is none of
/// its level's. @note Collective.
std::vector<std::unique_ptr<Sample>> samples_of(const std::vector<Level>& levels);

}  // namespace tune
