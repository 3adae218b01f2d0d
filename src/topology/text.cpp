// SPDX-License-Identifier: MIT
#include "topology/text.hpp"

#include "topology/stencils.hpp"
#include "topology/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace carpool::topology {
namespace {

constexpr double most_coordinates = 1 << 26;

double volume(int dimensions, double side) { return std::pow(std::max(side, 0.0), dimensions); }

int widest(std::span<const int> radii) {
    return radii.empty() ? 0 : *std::max_element(radii.begin(), radii.end());
}

using Arguments = std::span<const int>;

constexpr std::array families{
    StencilFamily{"moore", "", "D RADIUS", "all offsets but zero within RADIUS in every dimension",
                  "moore 2 1", 1, 1, [](int d, Arguments a) { return moore(d, a[0]); },
                  [](int d, Arguments a) { return volume(d, 2.0 * a[0] + 1); }},
    StencilFamily{"von_neumann", "", "D RADIUS", "all offsets but zero within RADIUS steps",
                  "von_neumann 2 2", 1, 1, [](int d, Arguments a) { return von_neumann(d, a[0]); },
                  [](int d, Arguments a) {
                      return std::min(volume(d, 2.0 * a[0] + 1), volume(a[0], 2.0 * d + 1));
                  }},
    StencilFamily{"positive_octant", "octant", "D RADIUS", "all offsets but zero in [0, RADIUS]",
                  "positive_octant 2 2", 1, 1,
                  [](int d, Arguments a) { return positive_octant(d, a[0]); },
                  [](int d, Arguments a) { return volume(d, a[0] + 1.0); }},
    StencilFamily{"shales", "", "D RADIUS ...",
                  "offsets whose farthest coordinate is one of the radii", "shales 2 1 3", 1, -1,
                  [](int d, Arguments a) { return shales(d, a); },
                  [](int d, Arguments a) { return volume(d, 2.0 * widest(a) + 1); }},
    StencilFamily{"box", "", "D N F", "N coordinates per dimension, from F on, zero included",
                  "box 2 4 -1", 2, 2, [](int d, Arguments a) { return box(d, a[0], a[1]); },
                  [](int d, Arguments a) { return volume(d, a[0]); }},
};

/// D of "offsets D: ...", or the number of coordinates of the first offset.
std::size_t dimensions_of(const std::string& text, const std::vector<std::string>& words) {
    if (words.size() < 2) refuse(text, "expected offsets D: and coordinates, as in offsets 2: 0,1");
    if (words[1].back() != ':') return parts_of(words[1], ',').size();
    const int d = number(text, "D", words[1].substr(0, words[1].size() - 1));
    if (d < 1 || d > most_coordinates)
        refuse(text, "D is " + std::to_string(d) + ", expected from 1 to 2^26");
    return static_cast<std::size_t>(d);
}

Neighborhood offsets_from(const std::string& text, const std::vector<std::string>& words) {
    const auto dimensions = dimensions_of(text, words);
    const bool given = words[1].back() == ':';
    std::vector<int> flat;
    for (std::size_t i = given ? 2 : 1; i < words.size(); ++i) {
        const auto coordinates = parts_of(words[i], ',');
        const auto place = "offset '" + words[i] + "'";
        if (coordinates.size() != dimensions)
            refuse(text, place + " has " + std::to_string(coordinates.size()) +
                             " coordinates, expected " + std::to_string(dimensions));
        for (const auto& c : coordinates)
            flat.push_back(number(text, "in " + place + " coordinate", c));
    }
    return {static_cast<int>(dimensions), std::move(flat)};
}

[[noreturn]] void refuse_size(const std::string& text, std::size_t k, const std::string& word) {
    throw std::invalid_argument("size " + std::to_string(k + 1) + " of '" + text + "' is '" + word +
                                "', expected integers from 1 on with an x between them, as in "
                                "torus 4x4x4");
}

std::string family_names() {
    std::string names;
    for (const auto& family : families) names += std::string(family.name) + ", ";
    return names + "or offsets";
}

}  // namespace

std::span<const StencilFamily> stencil_families() { return families; }

Neighborhood stencil_of(const StencilFamily& family, int dimensions, Arguments arguments) {
    const std::string name(family.name);
    const auto count = static_cast<int>(arguments.size());
    if (count < family.least_arguments ||
        (family.most_arguments >= 0 && count > family.most_arguments))
        refuse(name, "expected " + name + " " + std::string(family.arguments));
    if (dimensions < 1)
        refuse(name, "D is " + std::to_string(dimensions) + ", expected at least 1");
    const bool is_box = family.name == "box";
    for (const int size : is_box ? arguments.first(1) : arguments)
        if (size < 0)
            refuse(name, (is_box ? "N is " : "RADIUS is ") + std::to_string(size) +
                             ", expected at least 0");
    if (is_box && std::int64_t{arguments[1]} + arguments[0] > std::numeric_limits<int>::max())
        refuse(name, "F is " + std::to_string(arguments[1]) + ", expected F + N below 2^31");
    if (std::max(family.most_offsets(dimensions, arguments), 1.0) * dimensions > most_coordinates)
        refuse(name, "makes more than 2^26 coordinates");
    return family.make(dimensions, arguments);
}

Neighborhood stencil_from_text(const std::string& text) {
    const auto words = words_of(text);
    if (words.empty()) refuse(text, "expected " + family_names());
    if (words[0] == "offsets") return offsets_from(text, words);
    for (const auto& family : families) {
        if (words[0] != family.name && words[0] != family.alias) continue;
        std::vector<int> numbers;
        for (std::size_t i = 1; i < words.size(); ++i)
            numbers.push_back(number(text, "after " + words[0], words[i]));
        if (numbers.empty())
            refuse(text, "expected " + words[0] + " " + std::string(family.arguments));
        return stencil_of(family, numbers[0], std::span<const int>(numbers).subspan(1));
    }
    refuse(text, "'" + words[0] + "' is no stencil, expected " + family_names());
}

Grid grid_from_text(const std::string& text) {
    const auto words = words_of(text);
    if (words.size() != 2 || (words[0] != "torus" && words[0] != "mesh" && words[0] != "grid"))
        refuse(text, "expected torus, mesh or grid and sizes, such as torus 4x4x4");
    std::vector<int> dims;
    std::vector<bool> periods;
    double ranks = 1;
    const auto sizes = parts_of(words[1], 'x');
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        const bool marked = words[0] == "grid" && sizes[k].ends_with('p');
        const auto size = integer(sizes[k].substr(0, sizes[k].size() - (marked ? 1 : 0)));
        if (!size || *size < 1) refuse_size(text, k, sizes[k]);
        dims.push_back(*size);
        periods.push_back(marked || words[0] == "torus");
        ranks *= *size;
    }
    if (ranks > std::numeric_limits<int>::max()) refuse(text, "has more than 2^31 - 1 ranks");
    return {dims, periods};
}

std::string to_text(const Grid& grid) {
    std::string sizes;
    bool mesh = true;
    for (int k = 0; k < grid.dimensions(); ++k) mesh = mesh && !grid.periodic(k);
    const bool mixed = !mesh && !grid.fully_periodic();
    for (int k = 0; k < grid.dimensions(); ++k)
        sizes += (k > 0 ? "x" : "") + std::to_string(grid.dim(k)) +
                 (mixed && grid.periodic(k) ? "p" : "");
    return (mesh ? "mesh " : mixed ? "grid " : "torus ") + sizes;
}

}  // namespace carpool::topology
