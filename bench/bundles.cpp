// SPDX-License-Identifier: MIT
// Times the exchange of several fields at once: one call or request for each of them, or one bundle
// of all. Arguments: seconds of timing per case, seed, numbers of fields, cases.
//
//     tools/launch -n 8 bundles 1 1 2,8 grid-d2-n3/alltoall/4,grid-d2-n3/alltoall/400

#include "program.hpp"
#include "race.hpp"
#include "scene.hpp"
#include "timing.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using bench::check;
using bench::Racer;
using bench::Scene;
using Fields = std::list<Scene>;

/// MPI's persistent requests, started and completed together.
class Requests {
public:
    Requests() = default;
    Requests(const Requests&) = delete;
    Requests& operator=(const Requests&) = delete;
    ~Requests() {
        for (auto& request : requests_) MPI_Request_free(&request);
    }

    MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

    void run() {
        check(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()));
        check(
            MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
    }

private:
    std::vector<MPI_Request> requests_;
};

Racer host_blocking(Fields& fields) {
    return {"host blocking", [&fields] {
                for (auto& field : fields)
                    check(field.what.operation->host(field.blocks, field.host.get()));
            }};
}

Racer host_nonblocking(Fields& fields) {
    return {"host nonblocking", [&fields] {
                std::vector<MPI_Request> requests;
                for (auto& field : fields)
                    check(field.what.operation->host_nonblocking(
                        field.blocks, field.host.get(), &requests.emplace_back(MPI_REQUEST_NULL)));
                check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
                                  MPI_STATUSES_IGNORE));
            }};
}

Racer host_persistent(Fields& fields) {
    const auto requests = std::make_shared<Requests>();
    for (auto& field : fields)
        check(field.what.operation->host_persistent(field.blocks, field.host.get(), MPI_INFO_NULL,
                                                    requests->add()));
    return {"host persistent", [requests] { requests->run(); }};
}

/// One request of Carpool for each field.
std::vector<Carpool_Request> requests_of(Fields& fields) {
    std::vector<Carpool_Request> requests;
    for (auto& field : fields)
        check(
            field.what.operation->carpool_persistent(field.blocks, field.plain.get(), MPI_INFO_NULL,
                                                     &requests.emplace_back(CARPOOL_REQUEST_NULL)));
    return requests;
}

struct Owned {
    std::vector<Carpool_Request> requests;

    explicit Owned(std::vector<Carpool_Request> r) : requests(std::move(r)) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() {
        for (auto& request : requests) Carpool_Request_free(&request);
    }
};

Racer each(Fields& fields) {
    const auto owned = std::make_shared<Owned>(requests_of(fields));
    return {"Carpool requests", [owned] {
                auto& requests = owned->requests;
                const auto count = static_cast<int>(requests.size());
                check(Carpool_Startall(count, requests.data()));
                check(Carpool_Waitall(count, requests.data(), MPI_STATUSES_IGNORE));
            }};
}

Racer bundled(Fields& fields) {
    Owned members(requests_of(fields));
    Carpool_Request bundle = CARPOOL_REQUEST_NULL;
    check(Carpool_Bundle_init(static_cast<int>(members.requests.size()), members.requests.data(),
                              MPI_COMM_WORLD, MPI_INFO_NULL, &bundle));
    return bench::racer_of("Carpool bundle", bundle);
}

void verify(const Racer& racer, Fields& fields) {
    for (auto& field : fields) bench::poison_receive(field.blocks);
    racer.run();
    for (auto& field : fields)
        if (!bench::received_right(field.blocks, field.what.pattern, field.torus, field.rank))
            throw std::runtime_error(racer.name + " delivers wrong blocks");
}

void race(int count, const std::string& name, bench::Timing& timing) {
    Fields fields;
    for (int i = 0; i < count; ++i) fields.emplace_back(MPI_COMM_WORLD, bench::case_named(name));
    const std::vector<Racer> racers{host_blocking(fields), host_nonblocking(fields),
                                    host_persistent(fields), each(fields), bundled(fields)};
    for (const auto& racer : racers) verify(racer, fields);
    bench::emit_race({{"case", std::to_string(count) + " x " + name}, {"fields", count}}, racers,
                     timing, MPI_COMM_WORLD, fields.front().rank);
}

void run(int argc, char** argv) {
    if (argc != 5) throw std::runtime_error("usage: bundles SECONDS SEED FIELDS CASES");
    auto timing = bench::timing_of(argv);
    for (const int count : bench::numbers(argv[3]))
        for (const auto& name : bench::split(argv[4], ',')) race(count, name, timing);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("bundles", argc, argv, run); }
