// SPDX-License-Identifier: MIT
#include "routing/basis/basis_bound.hpp"

#include "routing/axis.hpp"
#include "routing/partition.hpp"
#include "topology/isomorphism.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace carpool::routing {
namespace {

using Row = std::vector<std::int64_t>;

constexpr int largest_prime = 997;
constexpr int mesh_prime = 1'000'003;  // any prime would do; few offsets are zero modulo this one

std::size_t steps_for(std::size_t values) {
    return static_cast<std::size_t>(std::bit_width(values));
}

/// n steps have 2^n sums, one of which is zero.
std::size_t bound_by_number(const topology::Neighborhood& neighborhood) {
    auto partition = Partition::whole(neighborhood.size());
    for (int k = 0; k < neighborhood.dimensions(); ++k)
        partition = partition.refined(axis_of(neighborhood, k));
    const auto different = static_cast<std::size_t>(partition.classes());
    for (int i = 0; i < neighborhood.size(); ++i)
        if (topology::is_zero(neighborhood[i])) return steps_for(different - 1);
    return steps_for(different);
}

/// The bound for distinct values, with or without zero: negative and positive values have steps of
/// their own.
std::size_t bound_by_signs(const std::vector<int>& values) {
    const auto not_negative = std::lower_bound(values.begin(), values.end(), 0);
    const auto positive = std::upper_bound(values.begin(), values.end(), 0);
    return steps_for(static_cast<std::size_t>(not_negative - values.begin())) +
           steps_for(static_cast<std::size_t>(values.end() - positive));
}

bool is_along(const topology::Grid& grid, std::span<const int> offset, int dimension) {
    for (int k = 0; k < grid.dimensions(); ++k)
        if (k != dimension && !grid.periodic(k) && offset[static_cast<std::size_t>(k)] != 0)
            return false;
    return true;
}

/// Offsets along one mesh dimension take steps along it, so those of different dimensions share
/// none.
std::size_t bound_along_dimensions(const topology::Grid& grid,
                                   const topology::Neighborhood& neighborhood) {
    std::size_t sum = 0;
    for (int k = 0; k < grid.dimensions(); ++k) {
        if (grid.periodic(k)) continue;
        std::vector<int> values;
        for (int i = 0; i < neighborhood.size(); ++i)
            if (is_along(grid, neighborhood[i], k))
                values.push_back(neighborhood[i][static_cast<std::size_t>(k)]);
        sum += bound_by_signs(axis_of(values).values);
    }
    return sum;
}

std::vector<int> prime_factors(int number) {
    std::vector<int> primes;
    for (int p = 2; p <= largest_prime; ++p) {
        if (number % p == 0) primes.push_back(p);
        while (number % p == 0) number /= p;
    }
    return primes;
}

/// The inverse of a component modulo a prime p: its power p - 2.
std::int64_t inverse(std::int64_t component, std::int64_t prime) {
    std::int64_t result = 1;
    for (auto power = prime - 2; power > 0; power >>= 1) {
        if ((power & 1) != 0) result = result * component % prime;
        component = component * component % prime;
    }
    return result;
}

/// Rows of a matrix, added one by one: each starts with a 1 where all later rows have a 0.
class RowEchelonForm {
public:
    explicit RowEchelonForm(std::int64_t prime) : prime_(prime) {}

    /// Reduces the row by the rows there are, and adds what is left if that is not zero.
    void add(Row& row) {
        for (const auto& [lead, other] : rows_) subtract(row, other, row[lead]);
        const auto first = std::find_if(row.begin(), row.end(), [](auto c) { return c != 0; });
        if (first == row.end()) return;
        const auto factor = inverse(*first, prime_);
        const auto lead = static_cast<std::size_t>(first - row.begin());
        for (auto& c : row) c = c * factor % prime_;
        rows_.emplace_back(lead, row);
    }
    std::size_t rank() const { return rows_.size(); }

private:
    void subtract(Row& row, const Row& other, std::int64_t times) const {
        if (times == 0) return;
        for (std::size_t k = 0; k < row.size(); ++k)
            row[k] = (row[k] + (prime_ - times) * other[k]) % prime_;
    }

    std::int64_t prime_;
    std::vector<std::pair<std::size_t, Row>> rows_;
};

/// The rank of all offsets modulo a prime, in the dimensions whose sizes it divides; mesh
/// dimensions count for every prime.
std::size_t bound_by_rank(const topology::Grid& grid, const topology::Neighborhood& neighborhood,
                          int prime) {
    std::vector<std::size_t> divided;
    for (int k = 0; k < grid.dimensions(); ++k)
        if (!grid.periodic(k) || grid.dim(k) % prime == 0)
            divided.push_back(static_cast<std::size_t>(k));
    RowEchelonForm form(prime);
    Row row(divided.size());
    for (int i = 0; i < neighborhood.size() && form.rank() < divided.size(); ++i) {
        for (std::size_t k = 0; k < divided.size(); ++k) {
            const auto c = neighborhood[i][divided[k]] % prime;
            row[k] = c < 0 ? c + prime : c;
        }
        form.add(row);
    }
    return form.rank();
}

}  // namespace

std::size_t least_basis_size(const topology::Grid& grid,
                             const topology::Neighborhood& neighborhood) {
    const auto offsets = topology::shortened(grid, neighborhood);
    auto least = std::max({bound_by_number(offsets), bound_along_dimensions(grid, offsets),
                           bound_by_rank(grid, offsets, mesh_prime)});
    for (int k = 0; k < grid.dimensions(); ++k) {
        if (!grid.periodic(k)) least = std::max(least, bound_by_signs(axis_of(offsets, k).values));
        if (!grid.periodic(k)) continue;
        for (const int prime : prime_factors(grid.dim(k)))
            least = std::max(least, bound_by_rank(grid, offsets, prime));
    }
    return least;
}

}  // namespace carpool::routing
