// SPDX-License-Identifier: MIT
// Times the exchanges of FFTs in three dimensions ([5] tables 2 to 4), in which some ranks send and
// others receive: each of S senders has a block for each of R receivers. Carpool's algorithms
// against the host MPI's forms, interleaved. Arguments: seconds of timing per case, seed, cases.
//
//     tools/launch -n 64 pencils 1 1 fft/64/8/640 pme/27/27/900
//
// fft/S/R/BYTES: the exchange alone, S planes to R pencils. pme/S/R/BYTES: a step as in Namd, an
// exchange and its way back, each beside a computation of all ranks that takes twice as long as the
// host MPI's blocking call. A form that makes no progress after its start computes afterwards.

#include "alike.hpp"
#include "computation.hpp"
#include "form.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <carpool/sparse.h>
#include <mpi.h>

#include <cstring>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::Form;
using bench::Racer;

struct Case {
    std::string name;
    bool step = false;
    int senders = 0, receivers = 0, bytes = 0;
};

Case case_named(const std::string& name) {
    const auto words = bench::split(name, '/');
    if (words.size() != 4 || (words[0] != "fft" && words[0] != "pme"))
        throw std::runtime_error("a case reads fft|pme/SENDERS/RECEIVERS/BYTES, not " + name);
    return {name, words[0] == "pme", std::stoi(words[1]), std::stoi(words[2]), std::stoi(words[3])};
}

/// The blocks of one side: as lists, and by rank as MPI_Alltoallv takes them.
struct Side {
    Side(bool here, int others, int bytes, int ranks)
        : by_rank(std::size_t(ranks)), displs_by_rank(std::size_t(ranks)) {
        for (int i = 0; here && i < others; ++i) {
            const auto peer = static_cast<int>(std::int64_t{i} * ranks / others);
            peers.push_back(peer);
            counts.push_back(bytes);
            displs.push_back(i * bytes);
            by_rank[std::size_t(peer)] = bytes;
            displs_by_rank[std::size_t(peer)] = i * bytes;
        }
        // some MPIs refuse null pointers
        memory.resize(std::max<std::size_t>(1, peers.size() * std::size_t(bytes)));
    }

    int degree() const { return static_cast<int>(peers.size()); }

    std::vector<int> peers, counts, displs, by_rank, displs_by_rank;
    std::vector<std::byte> memory;
};

/// Is this rank one of `count` ranks that are spread over all?
bool is_one_of(int count, int rank, int ranks) {
    for (int i = 0; i < count; ++i)
        if (std::int64_t{i} * ranks / count == rank) return true;
    return false;
}

struct Traffic {
    Traffic(int senders, int receivers, int bytes, int rank, int ranks)
        : send(is_one_of(senders, rank, ranks), receivers, bytes, ranks),
          receive(is_one_of(receivers, rank, ranks), senders, bytes, ranks) {
        for (std::size_t i = 0; i < send.memory.size(); ++i)
            send.memory[i] = static_cast<std::byte>(i * 31 + std::size_t(rank) * 7);
    }

    Side send, receive;
};

/// `call(arguments of an alltoallv..., rest...)`
template <class Call, class... Rest>
void alltoallv(Call call, Traffic& t, Rest... rest) {
    check(call(t.send.memory.data(), t.send.by_rank.data(), t.send.displs_by_rank.data(), MPI_BYTE,
               t.receive.memory.data(), t.receive.by_rank.data(), t.receive.displs_by_rank.data(),
               MPI_BYTE, MPI_COMM_WORLD, rest...));
}

Form host_blocking(Traffic& t) {
    Form form{.name = "host blocking"};
    form.start = [&t] { alltoallv(MPI_Alltoallv, t); };
    return form;
}

Form host_nonblocking(Traffic& t) {
    Form form{.name = "host nonblocking"};
    const auto request = std::make_shared<MPI_Request>(MPI_REQUEST_NULL);
    form.start = [&t, request] { alltoallv(MPI_Ialltoallv, t, request.get()); };
    bench::finish_by(form, request);
    return form;
}

Form host_persistent(Traffic& t) {
    Form form{.name = "host persistent"};
    MPI_Request made = MPI_REQUEST_NULL;
    alltoallv(MPI_Alltoallv_init, t, MPI_INFO_NULL, &made);
    const auto held = std::make_shared<bench::HostRequest>(made);
    form.start = [held] { check(MPI_Start(held->address())); };
    bench::finish_by(form, {held, held->address()});
    return form;
}

/// An exchange among all ranks, where most blocks may be empty.
Form among_all(Traffic& t) {
    Form form{.name = "Carpool among all"};
    Carpool_Request made = CARPOOL_REQUEST_NULL;
    alltoallv(Carpool_Alltoallv_init, t, MPI_INFO_NULL, &made);
    bench::start_and_finish_by(form, made);
    return form;
}

Form along_lists(Traffic& t, const std::string& rule) {
    Form form{.name = "Carpool " + rule};
    const auto info = bench::info_with({{"carpool_algorithm", rule}});
    Carpool_Request made = CARPOOL_REQUEST_NULL;
    auto& [out, in] = t;
    check(Carpool_Sparse_alltoallv_init(
        out.degree(), out.peers.data(), out.memory.data(), out.counts.data(), out.displs.data(),
        MPI_BYTE, in.degree(), in.peers.data(), in.memory.data(), in.counts.data(),
        in.displs.data(), MPI_BYTE, MPI_COMM_WORLD, info.get(), &made));
    bench::start_and_finish_by(form, made);
    return form;
}

std::vector<Form> forms_of(Traffic& t) {
    std::vector<Form> forms{host_blocking(t), host_nonblocking(t), host_persistent(t),
                            among_all(t)};
    for (const char* rule : {"direct", "mesh", "grid", "hypercube", "digits", "auto"})
        forms.push_back(along_lists(t, rule));
    return forms;
}

void run(const Form& form) {
    form.start();
    form.wait();
}

/// Runs a computation beside an exchange, and tests the exchange between its pieces.
void run_beside(const Form& form, const bench::Computation& computation) {
    bool done = !form.test;
    form.start();
    computation.run([&] {
        if (!done) done = form.test();
    });
    if (!done) form.wait();
}

void verify(const std::vector<Form>& forms, Traffic& t) {
    bench::Alike alike(t.receive.memory, std::byte{0xA5});
    for (const auto& form : forms) alike.run(form.name, [&] { run(form); });
}

bench::Computation computation_beside(const Form& blocking) {
    std::vector<double> seconds;
    for (int r = 0; r < 5; ++r)
        seconds.push_back(bench::time_once({[&] { run(blocking); }, {}}, MPI_COMM_WORLD));
    bench::keep_slowest(seconds, MPI_COMM_WORLD);
    return bench::computation_of(2 * bench::quartiles(seconds).median, MPI_COMM_WORLD);
}

void race(const Case& what, bench::Timing& timing) {
    int rank = 0, ranks = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    check(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    if (std::max(what.senders, what.receivers) > ranks)
        throw std::runtime_error(what.name + " wants more ranks than " + std::to_string(ranks));
    Traffic there(what.senders, what.receivers, what.bytes, rank, ranks);
    Traffic back(what.receivers, what.senders, what.bytes, rank, ranks);
    const auto forms = forms_of(there), returns = forms_of(back);
    verify(forms, there);
    verify(returns, back);
    const auto computation = computation_beside(forms.front());
    std::vector<Racer> racers;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const auto& out = forms[i];
        const auto& in = returns[i];
        const auto step = [&] { run_beside(out, computation), run_beside(in, computation); };
        const auto exchange = [&] { run(out); };
        racers.push_back({out.name, what.step ? std::function<void()>(step) : exchange, out.plan});
    }
    bench::emit_race({{"case", what.name}}, racers, timing, MPI_COMM_WORLD, rank);
}

void run(int argc, char** argv) {
    if (argc < 4) throw std::runtime_error("usage: pencils SECONDS SEED CASE…");
    auto timing = bench::timing_of(argv);
    for (int i = 3; i < argc; ++i) race(case_named(argv[i]), timing);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("pencils", argc, argv, run); }
