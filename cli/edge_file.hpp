// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json.hpp>

#include <string>
#include <vector>

namespace cli {

/// The edges of a graph, which `carpool` writes to a file of 32-bit integers: they are too many to
/// be read as JSON. The question has the lengths,
///   {"ranks": 3, "file": "/dev/fd/3", "edges": 2, "values": true, "classes": 1, "takers": 2}
/// and the file has one array after the other. An edge may carry any number of values; else it
/// carries one block. Values with the same owner and the same takers are a class.
struct EdgeFile {
    /// Throws std::invalid_argument.
    explicit EdgeFile(const boost::json::object& json);

    std::vector<int> from;
    std::vector<int> to;
    std::vector<int> values;           ///< per edge; none where each carries one block
    std::vector<int> values_of_class;  ///< none where nothing is known of classes
    std::vector<int> taken_class;      ///< per taker of a class: the class
    std::vector<int> taken_along;      ///< and the edge, by its place in `from`
};

}  // namespace cli
