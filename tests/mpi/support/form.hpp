// SPDX-License-Identifier: MIT
#pragma once

namespace carpool::tests {

enum class Form {
    blocking,
    nonblocking,
    persistent,
    background,
    blocking_c,
    nonblocking_c,
    persistent_c,
    background_c
};

inline constexpr Form forms[] = {Form::blocking,     Form::nonblocking, Form::persistent,
                                 Form::background,   Form::blocking_c,  Form::nonblocking_c,
                                 Form::persistent_c, Form::background_c};

inline const char* name_of(Form form) {
    const char* names[] = {"blocking",   "nonblocking",   "persistent",   "background",
                           "blocking_c", "nonblocking_c", "persistent_c", "background_c"};
    return names[static_cast<int>(form)];
}

inline bool is_blocking(Form form) { return static_cast<int>(form) % 4 == 0; }
inline bool is_nonblocking(Form form) { return static_cast<int>(form) % 4 == 1; }
inline bool is_persistent(Form form) { return static_cast<int>(form) % 4 >= 2; }
inline bool is_background(Form form) { return static_cast<int>(form) % 4 == 3; }
inline bool is_large(Form form) { return form >= Form::blocking_c; }

}  // namespace carpool::tests
