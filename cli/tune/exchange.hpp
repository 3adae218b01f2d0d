// SPDX-License-Identifier: MIT
#pragma once

#include "levels.hpp"

#include <carpool/carpool.h>

#include <string>
#include <vector>

namespace tune {

/// Throws if the code is not MPI_SUCCESS.
void check(int code, const char* what);

/// The info argument of an init.
class Info {
public:
    Info(const std::string& transport, const std::string& algorithm);
    Info(const Info&) = delete;
    Info& operator=(const Info&) = delete;
    ~Info() { MPI_Info_free(&info_); }

    void say(const char* key, const std::string& value) { MPI_Info_set(info_, key, value.c_str()); }
    MPI_Info get() const { return info_; }

private:
    MPI_Info info_ = MPI_INFO_NULL;
};

/// One exchange that is timed repeatedly, in turn with others.
class Exchange {
public:
    explicit Exchange(const Level& level) : level_(&level) {}
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    virtual ~Exchange();

    const Level& level() const { return *level_; }

    /// Times one round of starts, by the slowest rank. @note Collective over the level's ranks.
    void time();

    /// The median of all rounds. @pre time() was called
    double seconds() const;

    /// The counts of this rank's request.
    Carpool_Plan plan() const;

protected:
    Carpool_Request request_ = CARPOOL_REQUEST_NULL;

private:
    double seconds_of(int starts);

    const Level* level_;
    int starts_ = 0;  ///< per round
    std::vector<double> rounds_;
};

}  // namespace tune
