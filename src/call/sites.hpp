#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace carpool::call {

/// What inits have found out by trying at the call sites of a communicator ([5] §6), whose
/// attribute it is: by site, problem and class of sizes the candidate that was fastest.
///
/// What is asked and kept is alike on all ranks: only inits in which all ranks wait keep anything,
/// and an init sees what those before it have kept, whenever it comes to look.
class Sites {
public:
    using Key = std::vector<std::int64_t>;  ///< none for a call at no site

    /// @param number  of the call that asks on its communicator
    std::optional<std::size_t> known(const Key& key, std::int64_t number) const;

    /// @param number  of the call that has found it
    void keep(Key key, std::size_t candidate, std::int64_t number);

    static std::shared_ptr<Sites> on_dup(const std::shared_ptr<Sites>&) { return nullptr; }
    void on_free() {}

private:
    struct Found {
        std::size_t candidate;
        std::int64_t number;
    };

    mutable std::mutex mutex_;  // any thread may progress an init
    std::map<Key, Found> found_;
};

}  // namespace carpool::call
