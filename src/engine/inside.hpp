#pragma once

#include <utility>

namespace carpool::engine {

/// This thread is inside a call of Carpool, which progresses activities itself wherever it waits:
/// the host's progress leaves them alone meanwhile, since the call may be changing what they use.
class Inside {
public:
    explicit Inside(const char* function) {
        ++depth_;
        function_ = function;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { --depth_; }

    static bool now() { return depth_ > 0; }

    /// The latest call.
    static const char* function() { return function_; }

private:
    friend class Outside;

    static inline thread_local constinit int depth_ = 0;
    static inline thread_local constinit const char* function_ = "Carpool";
};

/// While a call of Carpool waits in one of MPI's, as the user may: the host's progress may step
/// then. @pre nothing is being changed that activities use
class Outside {
public:
    Outside() : depth_(std::exchange(Inside::depth_, 0)) {}
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;
    ~Outside() { Inside::depth_ = depth_; }

private:
    int depth_;
};

}  // namespace carpool::engine
