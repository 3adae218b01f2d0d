#include "shared/household.hpp"

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

/// What lies where the system tells it: "" if nowhere.
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

/// Processes that run on one kernel, see each other's numbers and belong to one user. Who calls
/// its host by another name wants to be somewhere else; so does who says so.
std::uint64_t this_node() {
    utsname names{};
    uname(&names);
    const char* const said = std::getenv("CARPOOL_NODE");
    const auto text = first_line("/proc/sys/kernel/random/boot_id") + '/' + names.nodename + '/' +
                      inode("/proc/self/ns/pid") + '/' + inode("/proc/self/ns/user") + '/' +
                      inode("/proc/self/ns/ipc") + '/' + std::to_string(geteuid()) + '/' +
                      (said != nullptr ? said : "");
    base::Digest digest;
    for (const char letter : text) digest.add(letter);
    return digest.bits();
}

std::unique_ptr<Household> Household::create(std::size_t most, MayTake may_take) {
    auto memory = Memory::create(most, may_take);
    if (!memory || memory->take(sizeof(Directory)) != 0) return nullptr;
    return std::unique_ptr<Household>(new Household(std::move(memory)));
}

Household::Household(std::unique_ptr<Memory> memory)
    : memory_(std::move(memory)),
      staging_(*memory_),
      board_(NoticeBoard::open(*memory_)),
      presence_{this_node(), std::max<std::uint64_t>(1, base::random_bits()), getpid(),
                memory_->descriptor()} {
    new (memory_->at(0)) Directory;  // the system has filled it with zeros
    directory().process = presence_.process;
    directory().board = board_ ? board_->offset() : 0;
}

bool Household::meet(const Presence& other) {
    const std::lock_guard lock(mutex_);
    if (acquaintances_.contains(other.process)) return true;
    if (acquaintances_.size() == Board::most_readers) return false;
    auto window = Window::open(other.number, static_cast<int>(other.descriptor));
    if (!window) return false;
    if (reinterpret_cast<const Directory*>(window->at(0))->process != other.process) return false;
    const auto drawer = memory_->take(sizeof(Drawer));
    if (!drawer) return false;
    new (memory_->at(*drawer)) Drawer;
    const auto number = acquaintances_.size();
    auto& label = directory().labels[number];
    label.drawer = *drawer;
    label.process.store(other.process, std::memory_order_release);
    acquaintances_.emplace(other.process,
                           Acquaintance{std::move(window), number, *drawer, nullptr});
    return true;
}

Mate& Household::mate(const Presence& other) {
    const std::lock_guard lock(mutex_);
    auto& one = acquaintances_.at(other.process);
    if (one.mate) return *one.mate;
    const auto& theirs = *reinterpret_cast<const Directory*>(one.window->at(0));
    const auto label =
        std::find_if(std::begin(theirs.labels), std::end(theirs.labels), [&](const Label& l) {
            return l.process.load(std::memory_order_acquire) == presence_.process;
        });
    CARPOOL_EXPECTS(label != std::end(theirs.labels), other.number);
    auto& own = *reinterpret_cast<Drawer*>(memory_->at(one.drawer));
    const auto& drawer = *reinterpret_cast<const Drawer*>(one.window->at(label->drawer));
    const auto* const board =
        theirs.board != 0 ? reinterpret_cast<const Board*>(one.window->at(theirs.board)) : nullptr;
    const auto reader = static_cast<std::size_t>(label - std::begin(theirs.labels));
    one.mate = std::make_unique<Mate>(own, drawer, one.window->at(0),
                                      Mate::Notices{board, reader, one.number});
    return *one.mate;
}

std::vector<std::uint64_t> Household::processes() {
    std::vector<std::uint64_t> result{presence_.process};
    const std::lock_guard lock(mutex_);
    for (const auto& [process, one] : acquaintances_)
        if (one.mate) result.push_back(process);
    std::ranges::sort(result);
    return result;
}

}  // namespace carpool::shared
