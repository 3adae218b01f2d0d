// SPDX-License-Identifier: MIT
#include "exchange.hpp"

#include "comm.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace tune {

void check(int code, const char* what) {
    if (code != MPI_SUCCESS) throw std::runtime_error(what);
}

Info::Info(const std::string& transport, const std::string& algorithm) {
    MPI_Info_create(&info_);
    say("carpool_transport", transport);
    say("carpool_algorithm", algorithm);
}

Exchange::~Exchange() {
    if (request_ != CARPOOL_REQUEST_NULL) Carpool_Request_free(&request_);
}

double Exchange::seconds_of(int starts) {
    MPI_Barrier(level_->comm);
    const double begin = MPI_Wtime();
    for (int i = 0; i < starts; ++i) {
        check(Carpool_Start(&request_), "Carpool_Start");
        check(Carpool_Wait(&request_, MPI_STATUS_IGNORE), "Carpool_Wait");
    }
    return most((MPI_Wtime() - begin) / starts, level_->comm);
}

void Exchange::time() {
    constexpr double seconds = 5e-3;  // of a round: longer than a time slice of a core
    constexpr double most_starts = 2000;
    if (starts_ == 0) {
        seconds_of(3);
        starts_ = static_cast<int>(std::clamp(seconds / seconds_of(10), 5.0, most_starts));
    }
    rounds_.push_back(seconds_of(starts_));
}

double Exchange::seconds() const {
    auto rounds = rounds_;
    const auto middle = rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2);
    std::nth_element(rounds.begin(), middle, rounds.end());
    return *middle;
}

Carpool_Plan Exchange::plan() const {
    Carpool_Plan plan;
    check(Carpool_Request_get_plan(request_, &plan), "Carpool_Request_get_plan");
    return plan;
}

}  // namespace tune
