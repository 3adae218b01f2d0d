#include "question.hpp"

#include "topology/text.hpp"

#include <stdexcept>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;

std::string text(const json::object& o, const char* key) {
    return std::string(o.at(key).as_string());
}

schedule::Operation operation_named(const std::string& name) {
    if (const auto operation = schedule::find_operation(name)) return *operation;
    throw std::invalid_argument("operation '" + name +
                                "', expected alltoall, allgather, reduce or reduce_scatter_block");
}

std::vector<std::int64_t> sizes(const json::array& given, std::size_t blocks) {
    std::vector<std::int64_t> sizes;
    for (const auto& size : given) sizes.push_back(size.to_number<std::int64_t>());
    for (const auto size : sizes)
        if (size < 0)
            throw std::invalid_argument("a block of " + std::to_string(size) +
                                        " bytes, expected at least 0");
    if (sizes.size() == 1) sizes.resize(blocks, sizes.front());
    if (sizes.size() != blocks)
        throw std::invalid_argument(std::to_string(sizes.size()) + " block sizes, expected 1 or " +
                                    std::to_string(blocks));
    return sizes;
}

std::size_t blocks_of(schedule::Operation operation, const topology::Neighborhood& stencil) {
    return operation == schedule::Operation::alltoall ? static_cast<std::size_t>(stencil.size())
                                                      : 1;
}

int middle(const topology::Grid& grid) {
    const std::vector<int> corner(static_cast<std::size_t>(grid.dimensions()), 0);
    std::vector<int> way;
    for (int k = 0; k < grid.dimensions(); ++k) way.push_back(grid.dim(k) / 2);
    return grid.rank_at(corner, way);
}

int rank_of(const topology::Grid& grid, const json::value& rank) {
    if (rank.is_null()) return middle(grid);
    const auto number = rank.to_number<std::int64_t>();
    if (number < 0 || number >= grid.size())
        throw std::invalid_argument("rank " + std::to_string(number) + ", expected from 0 to " +
                                    std::to_string(grid.size() - 1));
    return static_cast<int>(number);
}

}  // namespace

Question::Question(const json::object& o)
    : grid(topology::grid_from_text(text(o, "grid"))),
      stencil(topology::stencil_from_text(text(o, "stencil"))),
      operation(operation_named(text(o, "operation"))),
      block_bytes(sizes(o.at("block_bytes").as_array(), blocks_of(operation, stencil))),
      model{o.at("alpha").to_number<double>(), o.at("beta").to_number<double>(),
            o.at("sigma").to_number<double>()},
      algorithm(text(o, "algorithm")),
      planner(grid, stencil),
      rank_(rank_of(grid, o.at("rank"))) {
    if (stencil.dimensions() != grid.dimensions())
        throw std::invalid_argument("the stencil has " + std::to_string(stencil.dimensions()) +
                                    " dimensions, the grid " + std::to_string(grid.dimensions()));
    if (algorithm != "auto" && routing::find_rule(algorithm) == nullptr)
        throw std::invalid_argument("algorithm '" + algorithm +
                                    "' is not known, see: carpool algorithms");
}

std::vector<const routing::Rule*> Question::rules() const {
    if (algorithm != "auto") return {routing::find_rule(algorithm)};
    const auto all = routing::rules();
    return {all.begin(), all.end()};
}

}  // namespace cli
