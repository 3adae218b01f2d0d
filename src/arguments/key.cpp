#include "arguments/key.hpp"

#include <cstring>
#include <limits>

namespace carpool::arguments {
namespace {

/// Mixes eight bytes into a hash: multiplies into 128 bits and folds these.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(hash ^ word) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t mixed(std::uint64_t hash, std::span<const std::byte> bytes) {
    hash = mixed(hash, bytes.size());
    for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t))) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        hash = mixed(hash, word);
    }
    if (bytes.empty()) return hash;
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes.data(), bytes.size());
    return mixed(hash, rest);
}

}  // namespace

/// Adds first which of counts, displacements and types vary, as a number that cannot be a count: if
/// none varies, the count is in this place.
void Key::add_varying(const Side& side, int blocks) {
    if (lacks_array(side, blocks)) return spoil();
    add(std::numeric_limits<std::int64_t>::min() +
        (static_cast<std::int64_t>(side.counts.varies()) << 2 |
         static_cast<std::int64_t>(side.displacements.varies()) << 1 |
         static_cast<std::int64_t>(side.varying_types)));
    if (!side.counts.varies()) add(side.count(0));
    add(side.counts.memory(blocks));
    add(side.displacements.memory(blocks));
    if (side.varying_types)
        add(std::as_bytes(std::span(side.types, static_cast<std::size_t>(blocks))));
    else
        add(bits_of(side.one_type));
}

std::uint64_t Key::hash() const {
    std::uint64_t hash = 0x243F6A8885A308D3ULL;
    for (const auto number : numbers()) hash = mixed(hash, static_cast<std::uint64_t>(number));
    each_array([&](std::span<const std::byte> array) { hash = mixed(hash, array); });
    return hash;
}

}  // namespace carpool::arguments
