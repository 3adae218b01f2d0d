// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

namespace demo {

/// Named through a struct, so that D is deduced from a Box or a Flow and never from these: the size
/// of an array is no int.
template <int D>
struct Arrays {
    using Integers = std::array<int, D>;
    using Reals = std::array<double, D>;
};
template <int D>
using Vector = typename Arrays<D>::Integers;
template <int D>
using Field = typename Arrays<D>::Reals;

constexpr int power(int base, int exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/// Q velocities in D dimensions: D2Q9, D3Q19 or D3Q27. D2Q9 and D3Q27 are the D-fold product of the
/// three speeds {-1, 0, 1}; D3Q19 lacks the corners, at most two of its components move.
///
/// The velocities, without the one at rest, are also the neighborhood: where a population can
/// travel in one step, there is a neighbor.
template <int D, int Q>
struct Lattice {
    static constexpr int speeds = Q;
    static constexpr bool is_product = Q == power(3, D);
    static_assert(is_product || (D == 3 && Q == 19));

    static constexpr int moving(const Vector<D>& velocity) {
        int result = 0;
        for (const int c : velocity) result += c != 0;
        return result;
    }

    static constexpr std::array<Vector<D>, Q> make_velocities() {
        std::array<Vector<D>, Q> result{};
        for (int i = 0, found = 0; i < power(3, D); ++i) {
            Vector<D> velocity{};
            for (int k = 0; k < D; ++k) velocity[k] = i / power(3, D - 1 - k) % 3 - 1;
            if (is_product || moving(velocity) <= 2) result[found++] = velocity;
        }
        return result;
    }

    static constexpr std::array<double, Q> make_weights() {
        constexpr std::array<double, 3> by_moving{1.0 / 3.0, 1.0 / 18.0, 1.0 / 36.0};
        std::array<double, Q> result{};
        for (int i = 0; i < Q; ++i) {
            const Vector<D> velocity = make_velocities()[i];
            result[i] = is_product ? 1.0 : by_moving[moving(velocity)];
            for (int k = 0; is_product && k < D; ++k)
                result[i] *= velocity[k] == 0 ? 2.0 / 3.0 : 1.0 / 6.0;
        }
        return result;
    }

    static constexpr auto velocities = make_velocities();
    static constexpr auto weights = make_weights();
};

/// Density and velocity of the fluid in one cell.
template <int D>
struct Moments {
    double density{};
    Field<D> velocity{};
};

/// The scalar product with a velocity of the lattice, of whose components many are 0.
template <std::size_t D>
double dot(const std::array<int, D>& a, const std::array<double, D>& b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < D; ++k)
        if (a[k] != 0) sum += a[k] * b[k];
    return sum;
}

template <std::size_t D>
double norm2(const std::array<double, D>& a) {
    double sum = 0.0;
    for (const double x : a) sum += x * x;
    return sum;
}

/// Population i of a fluid at rest in its own frame: Maxwell's distribution to second order in
/// velocity over the speed of sound, 1/sqrt(3).
template <class Speeds, int D>
double equilibrium(int i, const Moments<D>& fluid) {
    const double along = dot(Speeds::velocities[i], fluid.velocity);
    const double square = norm2(fluid.velocity);
    return Speeds::weights[i] * fluid.density *
           (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * square);
}

}  // namespace demo
