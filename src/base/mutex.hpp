#pragma once

#include <mutex>

namespace carpool::base {

/// Keeps threads apart where there may be several. Where there is one it does nothing: a short
/// start would pay a fifth of its time for mutexes.
class Mutex {
public:
    /// Of the whole process. @pre nobody holds one: said before anything is shared
    static void expect_one_thread() { several_ = false; }
    static bool expects_one_thread() { return !several_; }

    void lock() {
        if (several_) mutex_.lock();
    }
    bool try_lock() { return !several_ || mutex_.try_lock(); }
    void unlock() {
        if (several_) mutex_.unlock();
    }

private:
    static inline bool several_ = true;
    std::mutex mutex_;
};

}  // namespace carpool::base
