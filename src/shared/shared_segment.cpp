// SPDX-License-Identifier: MIT
#include "shared/shared_segment.hpp"

#include "base/digest.hpp"
#include "base/expects.hpp"
#include "base/random_bits.hpp"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>

namespace carpool::shared {
namespace {

/// The first line of a file that the system provides; empty if there is no such file.
std::string first_line(const char* path) {
    std::string line;
    std::getline(std::ifstream(path), line);
    return line;
}

std::string inode(const char* path) {
    struct stat about{};
    return stat(path, &about) == 0 ? std::to_string(about.st_ino) : "";
}

}  // namespace

/// Equal on processes that run on one kernel, see each other's process ids and belong to one user.
/// Processes whose host names differ, or their CARPOOL_NODE, count as being on different nodes.
std::uint64_t this_node() {
    utsname names{};
    uname(&names);
    const char* const said = std::getenv("CARPOOL_NODE");
    const auto text = first_line("/proc/sys/kernel/random/boot_id") + '/' + names.nodename + '/' +
                      inode("/proc/self/ns/pid") + '/' + inode("/proc/self/ns/user") + '/' +
                      inode("/proc/self/ns/ipc") + '/' + std::to_string(geteuid()) + '/' +
                      (said != nullptr ? said : "");
    base::Digest digest;
    for (const char envelope : text) digest.add(envelope);
    return digest.bits();
}

std::unique_ptr<SharedSegment> SharedSegment::create(std::size_t most, MayTake may_take) {
    auto memory = Memory::create(most, may_take);
    if (!memory || memory->take(sizeof(Directory)) != 0) return nullptr;
    return std::unique_ptr<SharedSegment>(new SharedSegment(std::move(memory)));
}

SharedSegment::SharedSegment(std::unique_ptr<Memory> memory)
    : memory_(std::move(memory)),
      staging_(*memory_),
      multicast_ring_(MulticastRing::open(*memory_)),
      presence_{this_node(), std::max<std::uint64_t>(1, base::random_bits()), getpid(),
                memory_->descriptor()} {
    new (memory_->at(0)) Directory;  // the system has filled it with zeros
    directory().process = presence_.process;
    directory().multicast_ring = multicast_ring_ ? multicast_ring_->offset() : 0;
}

bool SharedSegment::attach(const ProcessAddress& other) {
    const std::lock_guard lock(mutex_);
    if (others_.contains(other.process)) return true;
    if (others_.size() == MulticastEntries::most_readers) return false;
    auto window = Window::open(other.number, static_cast<int>(other.descriptor));
    if (!window) return false;
    const auto* const theirs = window->find<Directory>(0);
    if (theirs == nullptr || theirs->process != other.process) return false;
    const auto mailbox = memory_->take(sizeof(Mailbox));
    if (!mailbox) return false;
    new (memory_->at(*mailbox)) Mailbox;
    const auto number = others_.size();
    auto& label = directory().labels[number];
    label.mailbox = *mailbox;
    label.process.store(other.process, std::memory_order_release);
    others_.emplace(other.process, OtherProcess{std::move(window), number, *mailbox, nullptr});
    return true;
}

Endpoint& SharedSegment::endpoint(const ProcessAddress& other) {
    const std::lock_guard lock(mutex_);
    auto& one = others_.at(other.process);
    if (one.endpoint) return *one.endpoint;
    const auto& theirs = *one.window->find<Directory>(0);  // as attach() has seen
    const auto label =
        std::find_if(std::begin(theirs.labels), std::end(theirs.labels), [&](const Label& l) {
            return l.process.load(std::memory_order_acquire) == presence_.process;
        });
    CARPOOL_EXPECTS(label != std::end(theirs.labels), other.number);
    auto& own = *reinterpret_cast<Mailbox*>(memory_->at(one.mailbox));
    const auto* const mailbox = one.window->find<Mailbox>(label->mailbox);
    const auto* const multicast_ring =
        theirs.multicast_ring != 0 ? one.window->find<MulticastEntries>(theirs.multicast_ring)
                                   : nullptr;
    if (mailbox == nullptr || (multicast_ring == nullptr && theirs.multicast_ring != 0))
        throw BrokenMessage("process " + std::to_string(other.number) +
                            " has written a broken directory to shared memory");
    const auto reader = static_cast<std::size_t>(label - std::begin(theirs.labels));
    one.endpoint =
        std::make_unique<Endpoint>(own, *mailbox, one.window->whole(),
                                   Endpoint::MulticastSource{multicast_ring, reader, one.number});
    return *one.endpoint;
}

std::vector<std::uint64_t> SharedSegment::processes() {
    std::vector<std::uint64_t> result{presence_.process};
    const std::lock_guard lock(mutex_);
    for (const auto& [process, one] : others_)
        if (one.endpoint) result.push_back(process);
    std::ranges::sort(result);
    return result;
}

}  // namespace carpool::shared
