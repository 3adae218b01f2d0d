#pragma once

#include <atomic>
#include <mutex>

namespace carpool::base {

/// Keeps threads apart where there may be several. Where there is one it does nothing: a short
/// start would pay a fifth of its time for mutexes.
///
/// Who only tries to take it lets in those that wait: else a thread that tries again and again
/// could keep them out for as long as it likes.
class Mutex {
public:
    /// Of the whole process. @pre nobody holds one: said before anything is shared
    static void expect_one_thread() { several_ = false; }
    static bool expects_one_thread() { return !several_; }

    void lock() {
        if (try_lock()) return;
        ++waiting_;
        mutex_.lock();
        --waiting_;
    }

    /// False also while another thread waits for it.
    bool try_lock() { return !several_ || (waiting_ == 0 && mutex_.try_lock()); }

    void unlock() {
        if (several_) mutex_.unlock();
    }

private:
    static inline bool several_ = true;
    std::mutex mutex_;
    std::atomic<int> waiting_ = 0;  // threads in lock()
};

}  // namespace carpool::base
