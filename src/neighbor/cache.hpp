#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace carpool::neighbor {

struct Prepared;

/// The latest blocking and nonblocking calls of a communicator, for when they come again with the
/// same arguments. Purely local: a call found here sends the same messages as one that is not.
class Cache {
public:
    using Signature = std::vector<std::int64_t>;  ///< of the arguments

    /// A call with these arguments that no request uses at present, or null.
    std::shared_ptr<Prepared> find(const Signature& signature);

    /// Keeps a call; nothing without signature.
    void keep(Signature signature, std::shared_ptr<Prepared> prepared);

    void clear();

private:
    struct Entry {
        Signature signature;
        std::shared_ptr<Prepared> prepared;
    };

    std::mutex mutex_;          // another thread may progress a call that is then kept here
    std::list<Entry> entries_;  // the latest first
};

}  // namespace carpool::neighbor
