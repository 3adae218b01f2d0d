// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace carpool::interpose {

/// Why the host makes a call of the program, and what the user can do about it, if anything.
struct Reason {
    std::string_view text;
    std::string_view remedy = {};
};

namespace reasons {

/// The remedy depends on the settings.
inline constexpr Reason not_asked{"not in CARPOOL_CALLS"};

inline constexpr Reason among_first{"among the first on a communicator (CARPOOL_AFTER)",
                                    "a smaller --after leaves fewer"};

inline constexpr Reason changing{"arguments that change from call to call",
                                 "calls that repeat each other are taken"};

inline constexpr Reason slower{"faster by this MPI, or compared with it",
                               "--after 0 leaves none of them"};

inline constexpr Reason refused{"refused by all ranks before",
                                "the text of the first one says why"};

inline constexpr Reason exchanges{"a torus on which this MPI exchanges blocks",
                                  "three ranks or more along each periodic dimension"};

inline constexpr Reason no_topology{"no topology"};

inline constexpr Reason no_communicator{"no communicator"};

inline constexpr Reason few_ranks{"one rank, or an intercommunicator", "nothing to gain"};

inline constexpr Reason within_call{"in a callback, from within a call that Carpool makes"};

inline constexpr Reason unprepared{
    "nonblocking, and no blocking call or init on it yet",
    "make a blocking collective that Carpool takes on the communicator first, such as MPI_Barrier "
    "with barrier in --calls"};

inline constexpr Reason unrepeated{
    "nonblocking, and no blocking calls of it that repeat each other",
    "try --after 0, with a blocking collective that Carpool takes on the communicator before"};

inline constexpr Reason no_progress{
    "nonblocking, and this MPI does not let libraries progress",
    "CARPOOL_PROGRESS=thread, if the program initializes MPI for several threads"};

inline constexpr Reason no_progress_for_starts{
    "persistent, and this MPI does not let libraries progress", no_progress.remedy};

inline constexpr Reason tool{"persistent: a tool intercepts MPI_Start, MPI_Wait or the like",
                             "run without that tool"};

}  // namespace reasons

/// The reason of that text; one without a remedy if it is none of these, but an error's.
Reason reason_of(std::string_view text);

}  // namespace carpool::interpose
