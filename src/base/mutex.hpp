// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <mutex>

namespace carpool::base {

/// A mutex that does nothing in a process that has one thread: a short start would spend a fifth of
/// its time on mutexes.
///
/// A thread that calls try_lock() gives way to threads in lock(): otherwise, by trying again and
/// again, it could keep them out for as long as it likes.
class Mutex {
public:
    /// Are there several threads? Applies to the whole process. @pre No mutex is held, and no
    /// thread shares anything yet
    static void expect_threads(bool several) { several_ = several; }
    static bool expects_one_thread() { return !several_; }

    void lock() {
        if (try_lock()) return;
        ++waiting_;
        mutex_.lock();
        --waiting_;
    }

    /// Returns false also while another thread waits in lock().
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
