#include "topology/text.hpp"

#include "topology/stencils.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace carpool::topology {
namespace {

constexpr double most_coordinates = 1 << 26;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
    throw std::invalid_argument("'" + text + "': " + why);
}

std::vector<std::string> words_of(const std::string& text, char separator = ' ') {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, separator);)
        if (!word.empty()) words.push_back(word);
    return words;
}

int number(const std::string& text, const std::string& word) {
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
        refuse(text, "'" + word + "' is not an integer");
    return value;
}

double volume(int dimensions, double side) { return std::pow(std::max(side, 0.0), dimensions); }

int widest(std::span<const int> radii) {
    return radii.empty() ? 0 : *std::max_element(radii.begin(), radii.end());
}

using Arguments = std::span<const int>;

constexpr std::array families{
    StencilFamily{"moore", "D RADIUS", "all offsets but zero within RADIUS in every dimension",
                  "moore 2 1", 1, 1, [](int d, Arguments a) { return moore(d, a[0]); },
                  [](int d, Arguments a) { return volume(d, 2.0 * a[0] + 1); }},
    StencilFamily{"von_neumann", "D RADIUS", "all offsets but zero within RADIUS steps",
                  "von_neumann 2 2", 1, 1, [](int d, Arguments a) { return von_neumann(d, a[0]); },
                  [](int d, Arguments a) {
                      return std::min(volume(d, 2.0 * a[0] + 1), volume(a[0], 2.0 * d + 1));
                  }},
    StencilFamily{"positive_octant", "D RADIUS", "all offsets but zero in [0, RADIUS]",
                  "positive_octant 2 2", 1, 1,
                  [](int d, Arguments a) { return positive_octant(d, a[0]); },
                  [](int d, Arguments a) { return volume(d, a[0] + 1.0); }},
    StencilFamily{"shales", "D RADIUS ...", "offsets whose farthest coordinate is one of the radii",
                  "shales 2 1 3", 1, -1, [](int d, Arguments a) { return shales(d, a); },
                  [](int d, Arguments a) { return volume(d, 2.0 * widest(a) + 1); }},
    StencilFamily{"box", "D N F", "N coordinates per dimension, from F on, zero included",
                  "box 2 4 -1", 2, 2, [](int d, Arguments a) { return box(d, a[0], a[1]); },
                  [](int d, Arguments a) { return volume(d, a[0]); }},
};

Neighborhood offsets_from(const std::string& text, const std::vector<std::string>& words) {
    std::vector<int> flat;
    std::size_t dimensions = 0;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto coordinates = words_of(words[i], ',');
        if (i == 1) dimensions = coordinates.size();
        if (coordinates.size() != dimensions)
            refuse(text, "offset '" + words[i] + "' has " + std::to_string(coordinates.size()) +
                             " coordinates, expected " + std::to_string(dimensions));
        for (const auto& c : coordinates) flat.push_back(number(text, c));
    }
    if (dimensions == 0) refuse(text, "expected offsets such as 0,1 1,0");
    return {static_cast<int>(dimensions), std::move(flat)};
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
    const auto sizes = family.name == "box" ? arguments.first(1) : arguments;
    for (const int size : sizes)
        if (size < 0)
            refuse(name, (family.name == "box" ? "N is " : "RADIUS is ") + std::to_string(size) +
                             ", expected at least 0");
    if (family.most_offsets(dimensions, arguments) * dimensions > most_coordinates)
        refuse(name, "makes more than 2^26 coordinates");
    return family.make(dimensions, arguments);
}

Neighborhood stencil_from_text(const std::string& text) {
    const auto words = words_of(text);
    if (words.empty()) refuse(text, "expected " + family_names());
    if (words[0] == "offsets") return offsets_from(text, words);
    for (const auto& family : families) {
        if (words[0] != family.name) continue;
        std::vector<int> numbers;
        for (std::size_t i = 1; i < words.size(); ++i) numbers.push_back(number(text, words[i]));
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
    for (auto word : words_of(words[1], 'x')) {
        const bool marked = word.back() == 'p' && words[0] == "grid";
        if (marked) word.pop_back();
        dims.push_back(number(text, word));
        periods.push_back(marked || words[0] == "torus");
        if (dims.back() < 1)
            refuse(text, "size " + std::to_string(dims.back()) + ", expected at least 1");
        ranks *= dims.back();
    }
    if (dims.empty()) refuse(text, "expected sizes such as 4x4x4");
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
