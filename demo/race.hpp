// SPDX-License-Identifier: MIT
#pragma once

#include "exchange.hpp"
#include "flow.hpp"
#include "gather.hpp"
#include "npy.hpp"
#include "report.hpp"
#include "settings.hpp"
#include "torus.hpp"
#include "vortex.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace demo {

/// One run of the flow, its halos by one exchange.
template <int D, int Q>
struct Lane {
    std::string name;
    Flow<D, Q> flow;
    std::unique_ptr<Exchange> exchange;
    std::vector<double> step_seconds;
    std::vector<double> exchange_seconds;

    void advance(int steps) {
        const double start = MPI_Wtime();
        for (int step = 0; step < steps; ++step) {
            flow.collide();
            exchange->fill_halo();
            flow.stream();
        }
        step_seconds.push_back((MPI_Wtime() - start) / steps);
    }

    /// The exchange alone: it may be repeated, for it does not change what it sends. Inside a step,
    /// where ranks share cores, one rank's computing is another's time in communication.
    void measure() {
        constexpr int until_settled = 4, repetitions = 10;
        for (int i = 0; i < until_settled; ++i) exchange->fill_halo();
        check(MPI_Barrier(MPI_COMM_WORLD));
        const double start = MPI_Wtime();
        for (int i = 0; i < repetitions; ++i) exchange->fill_halo();
        exchange_seconds.push_back((MPI_Wtime() - start) / repetitions);
    }
};

template <int D, int Q>
bool same_bits(const Flow<D, Q>& a, const Flow<D, Q>& b) {
    const auto& x = a.populations();
    const auto& y = b.populations();
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), sizeof(double) * x.size()) == 0;
}

/// The same vortex once per kind of exchange; the lanes take turns of a few steps, so that noise of
/// the machine falls on all alike.
template <int D, int Q>
class Race {
public:
    explicit Race(const Settings& settings)
        : settings_(settings),
          vortex_(settings.cells * torus_.dims[0], settings.speed),
          whole_(whole_flow(torus_, part(), settings.viscosity)),
          halo_(make_halo<Q>(Box<D>(part()))) {
        for (const int size : torus_.dims)
            demand(size == torus_.dims[0], "ranks must form a square, or a cube: 4, 9, 16; 8, 27");
        const Flow<D, Q> start = initial_flow();
        for (const ExchangeKind& kind : exchange_kinds()) add_lane(kind, start);
    }

    Report run() {
        sample(0);
        for (int step = 0; step < settings_.steps;) {
            const int count = std::min(settings_.turn, settings_.steps - step);
            take_turns(step, count);
            step += count;
            sample(step);
        }
        finish();
        return report_;
    }

private:
    void take_turns(int step, int count) {
        const int size = static_cast<int>(lanes_.size());
        for (int i = 0; i < size; ++i) {
            // The first one changes, so that no lane always follows the same other.
            Lane<D, Q>& lane = lanes_[(i + step / settings_.turn) % size];
            lane.advance(count);
            lane.measure();
            progress(step + (i + 1) * count / size);
        }
    }

    Vector<D> part() const {
        Vector<D> cells;
        cells.fill(settings_.cells);
        return cells;
    }

    bool root() const { return rank_in(MPI_COMM_WORLD) == 0; }

    Flow<D, Q> initial_flow() const {
        Flow<D, Q> flow(part(), settings_.viscosity);
        const Vector<D> origin = times<D>(torus_.coordinates(rank_in(MPI_COMM_WORLD)), part());
        flow.fill([&](Vector<D> cell) {
            for (int k = 0; k < D; ++k) cell[k] += origin[k];
            return vortex_(cell);
        });
        return flow;
    }

    void add_lane(const ExchangeKind& kind, const Flow<D, Q>& start) {
        Lane<D, Q> lane{kind.name, start, nullptr, {}, {}};
        lane.exchange =
            kind.make(lane.flow.crossing().data(), halo_, torus_.cart.get(), torus_.graph.get());
        lanes_.push_back(std::move(lane));
    }

    /// A line that demo/run.py turns into a bar.
    void progress(int step) const {
        if (!root()) return;
        std::printf("progress %d %d\n", step, settings_.steps);
        std::fflush(stdout);
    }

    /// Energy, and where one is due a picture, of the last lane.
    void sample(int step) {
        const Flow<D, Q>& flow = lanes_.back().flow;
        const double energy = sum_over_ranks(flow.kinetic_energy());
        const double start = step == 0 ? energy : report_.energy.front().measured;
        const double decay = std::exp(-vortex_.energy_rate(settings_.viscosity) * step);
        report_.energy.push_back({step, energy, start * decay});
        const std::size_t due = 1 + step * settings_.pictures / settings_.steps;
        if (!settings_.fields.empty() && report_.pictures.size() < due) take_picture(flow, step);
    }

    void take_picture(const Flow<D, Q>& flow, int step) {
        const std::string file = settings_.fields + "/d" + std::to_string(D) + "q" +
                                 std::to_string(Q) + "-" + std::to_string(step) + ".npy";
        report_.pictures.push_back({step, file});
        gather(flow, torus_, whole_);
        if (!root()) return;
        std::string shape = D == 2 ? "1" : "3";
        for (const int size : whole_.box().cells()) shape += ", " + std::to_string(size);
        write_npy(file, shape, vorticity(whole_));
    }

    void finish() {
        for (const Lane<D, Q>& lane : lanes_)
            report_.exchanges.push_back({lane.name, lane.exchange->traffic(),
                                         summarise(maximum_at_root(lane.exchange_seconds)),
                                         summarise(maximum_at_root(lane.step_seconds)).median});
        if (settings_.spoil) spoil();
        compare_with(run_on_one_rank(), &ExchangeReport::same_as_one_rank);
        gather(lanes_.front().flow, torus_, whole_);
        compare_with(Flow<D, Q>(whole_), &ExchangeReport::same_as_host);
        check_decay();
        check_bits("every bit is as on one rank", &ExchangeReport::same_as_one_rank);
        check_bits("every bit is as by the host's alltoallw", &ExchangeReport::same_as_host);
    }

    void spoil() {
        double& victim = lanes_.back().flow.populations()[lanes_.back().flow.box().index({})];
        victim = std::nextafter(victim, 1.0);
    }

    /// The whole domain at rank 0, without MPI; nothing elsewhere.
    Flow<D, Q> run_on_one_rank() const {
        Flow<D, Q> flow = whole_flow(torus_, part(), settings_.viscosity);
        flow.fill(vortex_);
        for (int step = 0; root() && step < settings_.steps; ++step) {
            flow.collide();
            wrap_halo(flow);
            flow.stream();
        }
        return flow;
    }

    void compare_with(const Flow<D, Q>& truth, bool ExchangeReport::* verdict) {
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
            gather(lanes_[i].flow, torus_, whole_);
            report_.exchanges[i].*verdict = same_bits(whole_, truth);
        }
    }

    /// The rate of decay over the whole run.
    void check_decay() {
        const EnergySample& first = report_.energy.front();
        const EnergySample& last = report_.energy.back();
        const double analytic = vortex_.energy_rate(settings_.viscosity);
        const double measured = std::log(first.measured / last.measured) / last.step;
        const double error = std::abs(measured / analytic - 1.0);
        std::array<char, 160> seen{};
        std::snprintf(seen.data(), seen.size(),
                      "%.4e a step, analytic %.4e, off by %.3f %% (at most %.3g %%)", measured,
                      analytic, 100.0 * error, 100.0 * settings_.tolerance);
        report_.checks.push_back({"kinetic energy decays at the analytic rate",
                                  error <= settings_.tolerance, seen.data()});
    }

    void check_bits(const std::string& statement, bool ExchangeReport::* verdict) {
        std::string failed;
        for (const ExchangeReport& e : report_.exchanges)
            if (!(e.*verdict)) failed += (failed.empty() ? "not " : ", ") + e.name;
        report_.checks.push_back(
            {statement, failed.empty(),
             failed.empty() ? "all " + std::to_string(lanes_.size()) + " exchanges" : failed});
    }

    Settings settings_;
    Torus<D, Q> torus_;
    Vortex<D> vortex_;
    Flow<D, Q> whole_;
    Halo halo_;
    std::vector<Lane<D, Q>> lanes_;
    Report report_;
};

}  // namespace demo
