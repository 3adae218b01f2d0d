// SPDX-License-Identifier: MIT
#pragma once

namespace carpool::engine {

/// Marks that this thread is inside a call of Carpool. Such a call progresses activities wherever
/// it waits. The host's progress leaves them alone meanwhile, since the call may be changing what
/// they use.
class CallScope {
public:
    explicit CallScope(const char* function) {
        ++depth_;
        function_ = function;
    }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;
    ~CallScope() { --depth_; }

    static bool is_open() { return depth_ > 0; }

    /// The name of the latest call.
    static const char* function() { return function_; }

private:
    static inline thread_local constinit int depth_ = 0;
    static inline thread_local constinit const char* function_ = "Carpool";
};

}  // namespace carpool::engine
