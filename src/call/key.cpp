#include "call/key.hpp"

#include <algorithm>

namespace carpool::call {
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

void Key::add(const Side& side, int blocks) {
    add(bits_of(side.buffer));
    add(static_cast<std::int64_t>(side.counts.varies()) << 2 |
        static_cast<std::int64_t>(side.displacements.varies()) << 1 |
        static_cast<std::int64_t>(side.varying_types));
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
    each([&hash](std::span<const std::byte> bytes) {
        hash = mixed(hash, bytes);
        return true;
    });
    return hash;
}

StoredKey::StoredKey(const Key& key) : hash_(key.hash()) {
    key.each([this](std::span<const std::byte> bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return true;
    });
}

void StoredKey::watch(const Side& side, int blocks) {
    for (int i = 0; i < (side.varying_types ? blocks : 1); ++i) types_.add(side.type(i));
}

bool StoredKey::shows(const Key& key) const {
    std::span<const std::byte> left(bytes_);
    const bool same = key.each([&left](std::span<const std::byte> bytes) {
        if (left.size() < bytes.size() || std::memcmp(left.data(), bytes.data(), bytes.size()) != 0)
            return false;
        left = left.subspan(bytes.size());
        return true;
    });
    return same && left.empty();
}

}  // namespace carpool::call
