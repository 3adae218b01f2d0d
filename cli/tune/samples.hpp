#pragma once

#include "levels.hpp"

#include <carpool/carpool.h>

#include <memory>
#include <string>
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

/// One exchange that is timed again and again.
class Sample {
public:
    Sample(const Level& level, std::string work) : level_(&level), work_(std::move(work)) {}
    Sample(const Sample&) = delete;
    Sample& operator=(const Sample&) = delete;
    virtual ~Sample();

    const Level& level() const { return *level_; }
    const std::string& work() const { return work_; }  ///< as a tuning file has it

    /// Of one round of starts, by the slowest rank. @note Collective over the level's ranks.
    void time();

    /// The median of all rounds. @note Collective over the level's ranks. @pre time
    Equation equation() const;

protected:
    /// What a start asks of the busiest rank.
    virtual Equation counted(const Carpool_Plan& plan) const = 0;

    Carpool_Request request_ = CARPOOL_REQUEST_NULL;
    std::vector<char> send_, recv_;

private:
    double seconds_of(int starts);

    const Level* level_;
    std::string work_;
    int starts_ = 0;  ///< of a round
    std::vector<double> rounds_;
};

/// All that is worth timing at these levels, alike on all ranks; null where this rank is none of
/// its level's. @note Collective.
std::vector<std::unique_ptr<Sample>> samples_of(const std::vector<Level>& levels);

}  // namespace tune
