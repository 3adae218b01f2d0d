#pragma once

namespace carpool::engine {

/// This thread is inside a call of Carpool, which progresses activities itself wherever it waits:
/// the host's progress leaves them alone meanwhile, since the call may be changing what they use.
class Inside {
public:
    Inside() { ++depth_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { --depth_; }

    static bool now() { return depth_ > 0; }

private:
    static inline thread_local constinit int depth_ = 0;
};

}  // namespace carpool::engine
