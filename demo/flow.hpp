// SPDX-License-Identifier: MIT
#pragma once

#include "box.hpp"

#include <limits>
#include <vector>

namespace demo {

/// A fluid on a box, by lattice Boltzmann with one relaxation time (BGK).
///
/// One step is collide(), then a halo exchange on crossing(), then stream(). Populations lie one
/// direction after the other: population i of a cell at i * box.volume() + box.index(cell).
template <int D, int Q>
class Flow {
public:
    using Speeds = Lattice<D, Q>;

    Flow(const Vector<D>& cells, double viscosity)
        : box_(cells),
          rate_(1.0 / (3.0 * viscosity + 0.5)),
          populations_(Speeds::speeds * box_.volume(), 0.0),
          // A halo that no exchange has filled shall poison the flow.
          collided_(populations_.size(), std::numeric_limits<double>::quiet_NaN()) {}

    const Box<D>& box() const { return box_; }
    std::vector<double>& populations() { return populations_; }
    const std::vector<double>& populations() const { return populations_; }

    /// The populations that leave their cells, halo included: what an exchange works on.
    std::vector<double>& crossing() { return collided_; }

    /// Sets every cell to the fluid that at(cell) tells, with the stress that belongs to its flow:
    /// without it the first steps have another viscosity.
    template <class At>
    void fill(At at) {
        box_.for_each([&](const Vector<D>& cell, int index) {
            const Moments<D> fluid = at(cell);
            for (int i = 0; i < Speeds::speeds; ++i)
                populations_[i * box_.volume() + index] =
                    equilibrium<Speeds>(i, fluid) + viscous(i, cell, at);
        });
    }

    void collide() {
        box_.for_each([&](const Vector<D>&, int index) {
            const Moments<D> fluid = moments(index);
#pragma GCC unroll 27
            for (int i = 0; i < Speeds::speeds; ++i) {
                const int at = i * box_.volume() + index;
                collided_[at] =
                    populations_[at] + rate_ * (equilibrium<Speeds>(i, fluid) - populations_[at]);
            }
        });
    }

    void stream() {
        for (int i = 0; i < Speeds::speeds; ++i) {
            const int upwind = i * box_.volume() - box_.distance(Speeds::velocities[i]);
            box_.for_each([&](const Vector<D>&, int index) {
                populations_[i * box_.volume() + index] = collided_[upwind + index];
            });
        }
    }

    Moments<D> moments(int index) const {
        Moments<D> fluid;
        // Unrolled, velocities are constants, and their zeros cost nothing: 3 times as fast.
#pragma GCC unroll 27
        for (int i = 0; i < Speeds::speeds; ++i) {
            const double population = populations_[i * box_.volume() + index];
            fluid.density += population;
#pragma GCC unroll 3
            for (int k = 0; k < D; ++k)
                if (Speeds::velocities[i][k] != 0)
                    fluid.velocity[k] += Speeds::velocities[i][k] * population;
        }
        for (double& u : fluid.velocity) u /= fluid.density;
        return fluid;
    }

    double kinetic_energy() const {
        double sum = 0.0;
        box_.for_each([&](const Vector<D>&, int index) {
            const Moments<D> fluid = moments(index);
            sum += 0.5 * fluid.density * norm2(fluid.velocity);
        });
        return sum;
    }

private:
    /// How far a population is from equilibrium in a flow whose velocity changes along it.
    template <class At>
    double viscous(int i, const Vector<D>& cell, At at) const {
        const Vector<D>& c = Speeds::velocities[i];
        Vector<D> ahead = cell, behind = cell;
        for (int k = 0; k < D; ++k) ahead[k] += c[k], behind[k] -= c[k];
        const double change = dot(c, at(ahead).velocity) - dot(c, at(behind).velocity);
        return -1.5 / rate_ * Speeds::weights[i] * change;
    }

    Box<D> box_;
    double rate_;
    std::vector<double> populations_;
    std::vector<double> collided_;
};

/// The halo exchange of a periodic box that is whole: the reference without MPI.
template <int D, int Q>
void wrap_halo(Flow<D, Q>& flow) {
    const Box<D>& box = flow.box();
    std::vector<double>& field = flow.crossing();
    box.for_each_with_halo([&](const Vector<D>& cell, int index) {
        const int inside = box.index(box.wrapped(cell));
        if (inside == index) return;
        for (int i = 0; i < Q; ++i)
            field[i * box.volume() + index] = field[i * box.volume() + inside];
    });
}

/// Curl of the velocity on a periodic box that is whole, by central differences: one component for
/// D = 2, three for D = 3, each over all cells in row-major order.
template <int D, int Q>
std::vector<double> vorticity(const Flow<D, Q>& flow) {
    const Box<D>& box = flow.box();
    std::vector<double> result;
    const auto slope = [&](Vector<D> cell, int along, int component) {
        ++cell[along];
        const auto ahead = flow.moments(box.index(box.wrapped(cell)));
        cell[along] -= 2;
        const auto behind = flow.moments(box.index(box.wrapped(cell)));
        return 0.5 * (ahead.velocity[component] - behind.velocity[component]);
    };
    for (int axis = D == 2 ? 2 : 0; axis < 3; ++axis) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        box.for_each([&](const Vector<D>& cell, int) {
            result.push_back(slope(cell, a, b) - slope(cell, b, a));
        });
    }
    return result;
}

}  // namespace demo
