// SPDX-License-Identifier: MIT
#pragma once

#include "choose/machine.hpp"
#include "choose/usual_costs.hpp"
#include "routing/rule.hpp"
#include "schedule/operation.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cli {

inline constexpr std::int64_t most_bytes = std::int64_t{1} << 36;

/// Fields of a question. All functions throw std::invalid_argument with what was expected.
std::string text(const boost::json::object& o, const char* key);

double seconds(const boost::json::object& o, const char* key);

/// @param what, unit  stand before and after the value in the error text
std::int64_t integer(const std::string& what, const boost::json::value& given, const char* unit,
                     std::int64_t least, std::int64_t most);

/// "block_bytes": a size per block, or one for all.
std::vector<std::int64_t> sizes(const boost::json::object& o, std::size_t blocks);

/// Whether no block has a byte. Empty blocks are not sent.
bool are_empty(std::span<const std::int64_t> block_bytes);

carpool::schedule::Operation operation_of(const boost::json::object& o);

/// @return never null
const carpool::routing::Rule* rule_named(const std::string& name);

/// A rule for grids, or one of its plans.
carpool::routing::NamedRule grid_rule_named(const std::string& name);

/// The rank that is asked for, or 0.
int rank_of(const boost::json::object& o, int ranks);

/// "digits": "2", or "8x8".
carpool::routing::Digits digits_of(const boost::json::object& o);

/// Throws if the given factors are too few to distinguish all ranks.
void check_digits(const carpool::routing::Digits& digits, int ranks);

/// "alpha", "beta", "sigma", "ports".
carpool::choose::CostModel model_of(const boost::json::object& o);

/// The same between nodes, "within" one, and what else the "machine" costs; without "within" ranks
/// cost the same everywhere, without "machine" copies cost what the library assumes for such work.
carpool::choose::Costs costs_of(const boost::json::object& o, carpool::choose::MessageUse work);

/// The line {"start": …, "slope": …} through what blocks of few and of many bytes take, which
/// stands for estimates on machines where these are no line.
/// @param seconds  for blocks of so many bytes
boost::json::object line_through(const std::function<double(std::int64_t)>& seconds);

/// The costs of a model, without its ports.
boost::json::object to_json(const carpool::choose::CostModel& model);

}  // namespace cli
