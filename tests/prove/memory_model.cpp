// SPDX-License-Identifier: MIT
#include "memory_model.hpp"

#include "arena.hpp"
#include "sites.hpp"

#include <cstring>
#include <utility>

namespace carpool::model {
namespace {

std::uint64_t bits_at(std::uintptr_t address, int bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void*>(address), static_cast<std::size_t>(bytes));
    return bits;
}

}  // namespace

void MemoryModel::reset(int stale) {
    objects_.clear();
    for (auto& process : processes_) process = {};
    for (std::size_t p = 0; p < most_processes; ++p) {
        processes_[p].clock[p] = 1;
        sees_latest_[p] = false;
        saw_old_[p] = false;
        written_by_[p] = 0;
    }
    written_ = 0;
    stale_ = stale;
    shadows_.resize(Arena::size);
    for (const auto offset : touched_) shadows_[offset] = {};
    touched_.clear();
}

/// What an object has when it is first used was written before all processes began.
MemoryModel::Object& MemoryModel::object_at(const Access& access) {
    const auto [found, is_new] = objects_.try_emplace(access.address);
    auto& object = found->second;
    if (is_new) {
        object.number = objects_.size() - 1;
        object.values.push_back({bits_at(access.address, access.bytes), {}, {}});
    }
    return object;
}

/// Chooses which value a process reads. Old values are read a few times in an execution.
std::size_t MemoryModel::readable(const Access& access, const Object& object) {
    const auto latest = object.values.size() - 1;
    const auto oldest = processes_[access.process].view.of(object.number);
    if (oldest == latest || sees_latest_[access.process] || stale_ == 0) return latest;
    const auto back = choose_(static_cast<int>(latest - oldest) + 1);
    if (back == 0) return latest;
    --stale_;
    saw_old_[access.process] = true;
    return latest - static_cast<std::size_t>(back);
}

void MemoryModel::learn(const Access& access, Object& object, std::size_t value, bool acquires) {
    auto& process = processes_[access.process];
    process.view.raise(object.number, value);
    object.last_read[access.process] = value;
    if (!acquires) return;
    process.view.join(object.values[value].view);
    process.clock.join(object.values[value].clock);
}

/// @param continued  the value that is replaced at once: what it has released stays released
void MemoryModel::add(const Access& access, Object& object, std::uint64_t bits,
                      const Value* continued) {
    auto& process = processes_[access.process];
    Value value{bits, {}, {}};
    if (continued != nullptr) value = {bits, continued->clock, continued->view};
    const auto number = object.values.size();
    process.view.raise(object.number, number);
    value.view.raise(object.number, number);
    if (access.order.releases) {
        value.view.join(process.view);
        value.clock.join(process.clock);
        ++process.clock[access.process];
    }
    object.values.push_back(std::move(value));
    std::memcpy(reinterpret_cast<void*>(access.address), &bits,
                static_cast<std::size_t>(access.bytes));
    ++written_;
    ++written_by_[access.process];
}

std::uint64_t MemoryModel::load(const Access& access) {
    auto& object = object_at(access);
    const auto value = readable(access, object);
    learn(access, object, value, access.order.acquires);
    return object.values[value].bits;
}

std::optional<std::uint64_t> MemoryModel::read_before(const Access& access) const {
    const auto found = objects_.find(access.address);
    if (found == objects_.end()) return std::nullopt;
    const auto& last = found->second.last_read[access.process];
    return last ? std::optional(found->second.values[*last].bits) : std::nullopt;
}

void MemoryModel::store(const Access& access, std::uint64_t value) {
    add(access, object_at(access), value, nullptr);
}

std::uint64_t MemoryModel::modify(const Access& access,
                                  const std::function<std::uint64_t(std::uint64_t)>& other) {
    auto& object = object_at(access);
    const auto latest = object.values.size() - 1;
    learn(access, object, latest, access.order.acquires);
    const auto before = object.values[latest];
    add(access, object, other(before.bits), &before);
    return before.bits;
}

bool MemoryModel::compare_exchange(const Access& access, std::uint64_t& expected,
                                   std::uint64_t desired, bool failure_acquires) {
    auto& object = object_at(access);
    auto value = readable(access, object);
    const auto latest = object.values.size() - 1;
    if (object.values[value].bits == expected) value = latest;  // only the latest is replaced
    if (object.values[value].bits != expected) {
        learn(access, object, value, failure_acquires);
        expected = object.values[value].bits;
        return false;
    }
    learn(access, object, value, access.order.acquires);
    const auto before = object.values[value];
    add(access, object, desired, &before);
    return true;
}

MemoryModel::Shadow* MemoryModel::shadow_of(const void* address) {
    if (!Arena::has(address)) return nullptr;
    const auto offset = Arena::offset_of(address);
    auto& shadow = shadows_[offset];
    if (shadow.write_site == nullptr && shadow.read_site == nullptr) touched_.push_back(offset);
    return &shadow;
}

void MemoryModel::read(std::size_t process, const void* from, std::size_t bytes, Site site) {
    const auto& clock = processes_[process].clock;
    for (std::size_t i = 0; i < bytes; ++i) {
        auto* const shadow = shadow_of(static_cast<const std::byte*>(from) + i);
        if (shadow == nullptr) return;
        if (shadow->written > clock[shadow->writer])
            report_race("a read and a write", site, shadow->write_site);
        shadow->read[process] = clock[process];
        shadow->read_site = site;
    }
}

void MemoryModel::write(std::size_t process, const void* to, std::size_t bytes, Site site) {
    const auto& clock = processes_[process].clock;
    for (std::size_t i = 0; i < bytes; ++i) {
        auto* const shadow = shadow_of(static_cast<const std::byte*>(to) + i);
        if (shadow == nullptr) return;
        if (shadow->written > clock[shadow->writer])
            report_race("two writes", site, shadow->write_site);
        for (std::size_t other = 0; other < most_processes; ++other)
            if (shadow->read[other] > clock[other])
                report_race("a write and a read", site, shadow->read_site);
        shadow->written = clock[process];
        shadow->writer = static_cast<std::uint8_t>(process);
        shadow->write_site = site;
    }
}

void MemoryModel::order(std::size_t before, std::size_t after) {
    processes_[after].clock.join(processes_[before].clock);
    processes_[after].view.join(processes_[before].view);
    ++processes_[before].clock[before];
}

void MemoryModel::report_race(const char* kind, Site one, Site other) {
    const OutsideArena outside;
    fail_("a data race: " + std::string(kind) + " of the same byte\n    " + text_of(one) +
          "\n    " + text_of(other));
}

}  // namespace carpool::model
