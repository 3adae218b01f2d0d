// SPDX-License-Identifier: MIT
#pragma once

#include "collective_checks.hpp"
#include "current_step.hpp"
#include "plain_collectives.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>
#include <vector>

namespace carpool::tests {

/// One mistake in the arguments of a collective, and the error that it must give.
struct CollectiveFault {
    std::string name;
    std::vector<Collective> in;
    std::function<void(CollectiveCall&)> spoil;
    ExpectedError expected_error;
};

/// Calls collectives on ints with mistaken arguments, and checks that they are refused: with the
/// same error class on all ranks and before anything is written. The communicator must work
/// afterwards.
class CollectiveRefusals {
public:
    explicit CollectiveRefusals(MPI_Comm comm = MPI_COMM_WORLD) : comm_(comm) {}

    /// The last rank, so that a single rank can spoil arguments that only the root reads.
    int root() const { return size_of(comm_) - 1; }

    /// @param here  whether the arguments of this rank are spoilt
    void run(const CollectiveFault& fault, bool here) {
        for (const auto what : fault.in)
            for (const auto form : inits) {
                CheckedCollective collective(one_case(what));
                auto call = collective.call();
                if (here) fault.spoil(call);
                const auto text =
                    std::string(name_of(what)) + ", " + name_of(form) + ", " + fault.name;
                refuse(text, fault.expected_error, [&](Carpool_Request* request) {
                    return init(call, {form, comm_}, request);
                });
                BOOST_TEST(collective.effect() == "", text << ": something was written");
            }
    }

    /// Checks that `make` is refused, either by the init or by the first start of its request.
    void refuse(const std::string& text, const ExpectedError& expected_error,
                const std::function<int(Carpool_Request*)>& make) {
        note_step(text);
        expect_refusal(text, comm_, expected_error, [&] {
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            int code = make(&request);
            if (code != MPI_SUCCESS) {
                BOOST_TEST((request == CARPOOL_REQUEST_NULL), text << ": there is a request");
                return code;
            }
            code = started_and_completed(request, turn_++);
            BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS, text << ": cannot be freed");
            return code;
        });
        BOOST_TEST(works(), text << ": the communicator does not work any more");
    }

    /// Does a sum on the communicator give the right result?
    bool works() const {
        int one = 1, sum = 0;
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        Carpool_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, comm_, MPI_INFO_NULL, &request);
        started_and_completed(request);
        Carpool_Request_free(&request);
        return sum == size_of(comm_);
    }

    CollectiveCase one_case(Collective what) const { return plain_.one_case(what, comm_, root()); }

private:
    MPI_Comm comm_;
    PlainCollectives plain_;
    int turn_ = 0;
};

template <class Condition>
std::vector<Collective> those(Condition condition) {
    std::vector<Collective> found;
    for (const auto what : all_collectives)
        if (condition(what)) found.push_back(what);
    return found;
}

inline bool has_send(Collective what) { return described(what).send.has_value(); }
inline bool has_recv(Collective what) { return described(what).recv.has_value(); }

}  // namespace carpool::tests
