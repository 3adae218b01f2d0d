// SPDX-License-Identifier: MIT
#pragma once

#include "lattice.hpp"

#include <cmath>
#include <numbers>

namespace demo {

/// A Taylor-Green vortex on a periodic cube: a flow that keeps its shape while viscosity slows it.
///
/// D = 2 is Taylor and Green's. Their vortex in three dimensions breaks into turbulence, and has no
/// closed form; D = 3 is therefore its generalisation that has one (Antuono, J. Fluid Mech. 890,
/// A23, 2020, doi:10.1017/jfm.2020.126): truly three-dimensional, with vorticity along velocity.
/// Both are eigenfunctions of the Laplacian for -D k^2.
template <int D>
class Vortex {
public:
    Vortex(int period, double speed)
        : wavenumber_(2.0 * std::numbers::pi / period), speed_(speed) {}

    /// The fluid in a cell at time 0, its density such that pressure balances inertia.
    Moments<D> operator()(const Vector<D>& cell) const {
        Field<D> x;
        for (int k = 0; k < D; ++k) x[k] = wavenumber_ * cell[k];
        Moments<D> fluid{.velocity = velocity(x)};
        for (double& u : fluid.velocity) u *= speed_;
        fluid.density = 1.0 + 3.0 * pressure(x, fluid.velocity);
        return fluid;
    }

    /// Kinetic energy decays as exp(-energy_rate * steps).
    double energy_rate(double viscosity) const {
        return 2.0 * D * viscosity * wavenumber_ * wavenumber_;
    }

private:
    static Field<2> velocity(const Field<2>& x) {
        using std::cos, std::sin;
        return {sin(x[0]) * cos(x[1]), -cos(x[0]) * sin(x[1])};
    }

    static Field<3> velocity(const Field<3>& x) {
        using std::cos, std::sin;
        constexpr double a = -5.0 / 6.0 * std::numbers::pi, b = -1.0 / 6.0 * std::numbers::pi;
        const double scale = 4.0 * std::numbers::sqrt2 / (3.0 * std::numbers::sqrt3);
        Field<3> u;
        for (int k = 0; k < 3; ++k) {
            const double p = x[k], q = x[(k + 1) % 3], r = x[(k + 2) % 3];
            u[k] = scale * (sin(p + a) * cos(q + b) * sin(r) - cos(r + a) * sin(p + b) * sin(q));
        }
        return u;
    }

    double pressure(const Field<2>& x, const Field<2>&) const {
        return 0.25 * speed_ * speed_ * (std::cos(2.0 * x[0]) + std::cos(2.0 * x[1]));
    }

    double pressure(const Field<3>&, const Field<3>& u) const {
        return 0.5 * (speed_ * speed_ - norm2(u));
    }

    double wavenumber_;
    double speed_;
};

}  // namespace demo
