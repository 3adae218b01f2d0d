#include "many/parcel.hpp"

#include <algorithm>
#include <string>

namespace carpool::many {
namespace {

constexpr std::size_t alignment = 16;

std::size_t padded(std::int64_t bytes) {
    return (static_cast<std::size_t>(bytes) + alignment - 1) / alignment * alignment;
}

/// Begins a message; the text of a mistake follows.
struct Preamble {
    Account account;
    std::int32_t mistaken_rank;
    std::int32_t error_class;
    std::int64_t text_bytes;  ///< -1 without a mistake
};
static_assert(sizeof(Preamble) % alignment == 0);

template <typename T>
void append(std::vector<std::byte>& message, const T& object) {
    const auto at = message.size();
    message.resize(at + sizeof(T));
    std::memcpy(message.data() + at, &object, sizeof(T));
}

template <typename T>
T taken(std::span<const std::byte>& message) {
    T object;
    std::memcpy(&object, message.data(), sizeof(T));
    message = message.subspan(sizeof(T));
    return object;
}

}  // namespace

void Account::add(const Account& other) {
    degree = std::max(degree, other.degree);
    flow = std::max(flow, other.flow);
}

void News::add(const News& other) {
    account.add(other.account);
    if (other.mistake && (!mistake || other.mistake->rank < mistake->rank)) mistake = other.mistake;
}

void Outgoing::announce(const Label& label) { append(parcels_, label); }

std::byte* Outgoing::add(const Label& label) {
    append(parcels_, label);
    const auto at = parcels_.size();
    parcels_.resize(at + padded(label.bytes));
    return parcels_.data() + at;
}

std::vector<std::byte> Outgoing::sealed(const News& news) {
    std::vector<std::byte> message;
    const auto& mistake = news.mistake;
    const auto text_bytes = mistake ? static_cast<std::int64_t>(mistake->text.size()) : -1;
    message.reserve(sizeof(Preamble) + padded(std::max<std::int64_t>(0, text_bytes)) +
                    parcels_.size());
    append(message, Preamble{news.account, mistake ? mistake->rank : 0,
                             mistake ? mistake->error_class : 0, text_bytes});
    if (mistake) {
        const auto* const text = reinterpret_cast<const std::byte*>(mistake->text.data());
        message.insert(message.end(), text, text + text_bytes);
        message.resize(sizeof(Preamble) + padded(text_bytes));
    }
    message.insert(message.end(), parcels_.begin(), parcels_.end());
    parcels_ = {};
    return message;
}

Incoming::Incoming(std::span<const std::byte> message) : rest_(message) {
    const auto preamble = taken<Preamble>(rest_);
    news_.account = preamble.account;
    if (preamble.text_bytes < 0) return;
    const auto* const text = reinterpret_cast<const char*>(rest_.data());
    news_.mistake = mpi::Mistake{preamble.mistaken_rank, preamble.error_class,
                                 std::string(text, static_cast<std::size_t>(preamble.text_bytes))};
    rest_ = rest_.subspan(padded(preamble.text_bytes));
}

std::optional<Incoming::Parcel> Incoming::next() {
    if (rest_.empty()) return std::nullopt;
    Parcel parcel{taken<Label>(rest_), nullptr};
    if (parcel.label.straight != 0) return parcel;
    parcel.bytes = rest_.data();
    rest_ = rest_.subspan(padded(parcel.label.bytes));
    return parcel;
}

}  // namespace carpool::many
