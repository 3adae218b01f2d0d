#pragma once

namespace carpool::tests {

enum class Form { blocking, nonblocking, persistent, blocking_c, nonblocking_c, persistent_c };

inline constexpr Form forms[] = {Form::blocking,   Form::nonblocking,   Form::persistent,
                                 Form::blocking_c, Form::nonblocking_c, Form::persistent_c};

inline const char* name_of(Form form) {
    const char* names[] = {"blocking",   "nonblocking",   "persistent",
                           "blocking_c", "nonblocking_c", "persistent_c"};
    return names[static_cast<int>(form)];
}

inline bool is_blocking(Form form) { return static_cast<int>(form) % 3 == 0; }
inline bool is_nonblocking(Form form) { return static_cast<int>(form) % 3 == 1; }
inline bool is_persistent(Form form) { return static_cast<int>(form) % 3 == 2; }
inline bool is_large(Form form) { return form >= Form::blocking_c; }

}  // namespace carpool::tests
