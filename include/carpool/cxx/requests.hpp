// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/request.hpp>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace carpool {

/// Several persistent requests that are started together. The program waits for all of them
/// together, or for one after another as they end. Results are indices in the order of add().
class Requests {
public:
    Requests() = default;
    Requests(Requests&&) = default;
    Requests& operator=(Requests&&) = default;

    /// The number of requests.
    std::size_t size() const { return handles_.size(); }

    /// Takes over the ownership of a request.
    void add(Request request) {
        handles_.push_back(request.get());
        owned_.push_back(std::move(request));
    }

    /// Starts all requests.
    void start() { check(Carpool_Startall(count(), handles_.data()), "Carpool_Startall"); }

    /// Waits until all requests have ended.
    void wait() {
        check(Carpool_Waitall(count(), handles_.data(), MPI_STATUSES_IGNORE), "Carpool_Waitall");
    }

    /// True once all requests have ended.
    bool test() {
        int ended = 0;
        check(Carpool_Testall(count(), handles_.data(), &ended, MPI_STATUSES_IGNORE),
              "Carpool_Testall");
        return ended != 0;
    }

    /// Waits until a request has ended, and returns its index; nothing if none was under way.
    std::optional<std::size_t> wait_any() {
        int index = MPI_UNDEFINED;
        check(Carpool_Waitany(count(), handles_.data(), &index, MPI_STATUS_IGNORE),
              "Carpool_Waitany");
        return at(index);
    }

    /// The index of a request that has ended; nothing if none has.
    std::optional<std::size_t> test_any() {
        int index = MPI_UNDEFINED;
        int ended = 0;
        check(Carpool_Testany(count(), handles_.data(), &index, &ended, MPI_STATUS_IGNORE),
              "Carpool_Testany");
        return ended != 0 ? at(index) : std::nullopt;
    }

    /// Waits until at least one request has ended, and returns the indices of all that have; none
    /// if none was under way.
    std::vector<std::size_t> wait_some() { return some(Carpool_Waitsome, "Carpool_Waitsome"); }

    /// The indices of the requests that have ended since the last call.
    std::vector<std::size_t> test_some() { return some(Carpool_Testsome, "Carpool_Testsome"); }

private:
    int count() const { return static_cast<int>(handles_.size()); }

    static std::optional<std::size_t> at(int index) {
        if (index == MPI_UNDEFINED) return std::nullopt;
        return static_cast<std::size_t>(index);
    }

    std::vector<std::size_t> some(decltype(Carpool_Waitsome) complete, const char* call) {
        std::vector<int> indices(handles_.size());
        int number = 0;
        check(complete(count(), handles_.data(), &number, indices.data(), MPI_STATUSES_IGNORE),
              call);
        if (number == MPI_UNDEFINED) number = 0;
        return {indices.begin(), indices.begin() + number};
    }

    std::vector<Carpool_Request> handles_;
    std::vector<Request> owned_;
};

}  // namespace carpool
