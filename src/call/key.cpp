#include "call/key.hpp"

#include <cstring>

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

std::uint64_t Key::hash() const {
    std::uint64_t hash = 0x243F6A8885A308D3ULL;
    for (const auto number : numbers()) hash = mixed(hash, static_cast<std::uint64_t>(number));
    for (const auto& array : arrays()) hash = mixed(hash, array);
    return hash;
}

StoredKey::StoredKey(const Key& key)
    : hash_(key.hash()), numbers_(key.numbers().begin(), key.numbers().end()) {
    for (const auto& array : key.arrays())
        arrays_.insert(arrays_.end(), array.begin(), array.end());
}

void StoredKey::watch(const Side& side, int blocks) {
    for (int i = 0; i < (side.varying_types ? blocks : 1); ++i) types_.add(side.type(i));
}

bool StoredKey::shows_arrays(const Key& key) const {
    std::span<const std::byte> left(arrays_);
    for (const auto& array : key.arrays()) {
        if (left.size() < array.size() || std::memcmp(left.data(), array.data(), array.size()) != 0)
            return false;
        left = left.subspan(array.size());
    }
    return left.empty();
}

}  // namespace carpool::call
