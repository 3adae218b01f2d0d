// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

using Offset = std::span<const int>;

/// Number of nonzero coordinates: z of paper 2.
inline int nonzeros(Offset offset) {
    return static_cast<int>(std::ranges::count_if(offset, [](int c) { return c != 0; }));
}

/// Largest absolute coordinate.
inline int chebyshev(Offset offset) {
    int largest = 0;
    for (const int c : offset) largest = std::max(largest, std::abs(c));
    return largest;
}

/// Sum of the absolute coordinates: the ‖C‖ of paper 1.
inline int manhattan(Offset offset) {
    int sum = 0;
    for (const int c : offset) sum += std::abs(c);
    return sum;
}

/// A neighborhood of t relative offsets, in row-major order.
struct Pattern {
    std::string name;
    int dimensions = 0;
    std::vector<int> flat;  // t * dimensions

    int neighbors() const { return static_cast<int>(flat.size()) / dimensions; }
    Offset offset(int i) const {
        const auto d = static_cast<std::size_t>(dimensions);
        return Offset(flat).subspan(static_cast<std::size_t>(i) * d, d);
    }
};

/// Letters and numbers of a name: "grid-d3-n5" has d=3, n=5.
using Parameters = std::map<char, int>;

/// A family of patterns: the offsets of a box [low, high]^d that `keep` accepts.
struct Family {
    std::string_view name;
    std::pair<int, int> (*box)(const Parameters&);
    bool (*keep)(Offset, const Parameters&);
};

inline bool keep_all(Offset, const Parameters&) { return true; }
inline bool keep_nonzero(Offset offset, const Parameters&) { return nonzeros(offset) > 0; }
inline bool keep_shales(Offset offset, const Parameters& p) {
    return chebyshev(offset) == p.at('r') || chebyshev(offset) == p.at('s');
}

/// A new family of patterns is one more entry.
inline const std::array families{
    // Paper 2 §4.1.1 with f = -1; the zero vector is a neighbor too.
    Family{"grid", [](const Parameters& p) { return std::pair{-1, p.at('n') - 2}; }, keep_all},
    // Paper 1 §4, figures 2 to 4.
    Family{"moore", [](const Parameters& p) { return std::pair{-p.at('r'), p.at('r')}; },
           keep_nonzero},
    Family{"octant", [](const Parameters& p) { return std::pair{0, p.at('r')}; }, keep_nonzero},
    Family{"shales", [](const Parameters& p) { return std::pair{-p.at('s'), p.at('s')}; },
           keep_shales},
};

/// Advances to the next point of [low, high]^d, last coordinate fastest; false after the last.
inline bool next_point(std::vector<int>& point, int low, int high) {
    for (auto c = point.rbegin(); c != point.rend(); ++c) {
        if (++*c <= high) return true;
        *c = low;
    }
    return false;
}

inline Pattern fill(const std::string& name, const Family& family, const Parameters& p) {
    const auto [low, high] = family.box(p);
    Pattern pattern{name, p.at('d'), {}};
    std::vector<int> point(static_cast<std::size_t>(p.at('d')), low);
    do {
        if (family.keep(point, p))
            pattern.flat.insert(pattern.flat.end(), point.begin(), point.end());
    } while (next_point(point, low, high));
    return pattern;
}

/// The pattern with a name such as grid-d3-n5, moore-d3-r1, octant-d3-r3 or shales-d3-r3-s7.
inline Pattern pattern_named(const std::string& name) {
    std::istringstream words(name);
    std::string kind;
    std::getline(words, kind, '-');
    Parameters p;
    for (std::string word; std::getline(words, word, '-');)
        p[word.at(0)] = std::stoi(word.substr(1));
    const auto family = std::ranges::find(families, kind, &Family::name);
    if (family == families.end()) throw std::runtime_error("no pattern is named " + name);
    return fill(name, *family, p);
}

}  // namespace bench
