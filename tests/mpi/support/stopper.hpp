// SPDX-License-Identifier: MIT
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>

#include <ctime>
#include <random>

namespace carpool::tests {

/// Stops this process at random with SIGSTOP, and lets it go on after up to a second, until the end
/// of the scope. A process of its own does so; it ends with this one.
class Stopper {
public:
    explicit Stopper(unsigned seed) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return;
        const pid_t stopped = getpid();
        child_ = fork();
        if (child_ == 0) {
            close(ends[1]);
            stop_until_closed(stopped, ends[0], seed);
            _exit(0);
        }
        close(ends[0]);
        held_ = ends[1];
    }
    Stopper(const Stopper&) = delete;
    Stopper& operator=(const Stopper&) = delete;
    ~Stopper() {
        close(held_);
        waitpid(child_, nullptr, 0);
    }

private:
    /// Calls nothing that may allocate: other threads may have held locks at the fork.
    static void stop_until_closed(pid_t stopped, int lifeline, unsigned seed) {
        std::minstd_rand random(seed + 1);
        pollfd closed{lifeline, 0, 0};
        while (poll(&closed, 1, milliseconds(random, 4000)) == 0) {
            kill(stopped, SIGSTOP);
            const bool is_long = random() % 10 == 0;
            const timespec pause{0, milliseconds(random, is_long ? 900 : 60) * 1000000L};
            nanosleep(&pause, nullptr);
            kill(stopped, SIGCONT);
        }
    }

    static int milliseconds(std::minstd_rand& random, unsigned most) {
        return static_cast<int>(1 + random() % most);
    }

    pid_t child_ = -1;
    int held_ = -1;
};

}  // namespace carpool::tests
