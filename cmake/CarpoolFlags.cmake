# SPDX-License-Identifier: MIT
# How all of Carpool's own code is compiled; nothing here reaches a consumer.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# An installed library finds the MPI that it was built with, unless it is told to find another.
if(NOT DEFINED CMAKE_INSTALL_RPATH_USE_LINK_PATH)
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(carpool_flags INTERFACE)
target_compile_options(carpool_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion $<$<BOOL:${CARPOOL_WERROR}>:-Werror>)
# g++ looks for memory to use again from 128 MiB on, which takes an eighth of its time.
target_compile_options(carpool_flags INTERFACE
  $<$<OR:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<COMPILE_LANG_AND_ID:C,GNU>>:--param=ggc-min-heapsize=524288>)
# Where files are compiled as one, a local may have the name of another file's function, and a
# coroutine's frame the types of an included file.
set(joined $<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>)
target_compile_options(carpool_flags INTERFACE $<$<NOT:${joined}>:-Wshadow>
  $<$<AND:${joined},$<C_COMPILER_ID:GNU>>:-Wshadow=local>
  $<$<AND:${joined},$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-subobject-linkage>)
# g++ 12 warns of overlapping copies in every "text" + std::string (gcc bug 105651), and in optimized
# code of every std::optional that is empty on some path.
target_compile_options(carpool_flags INTERFACE
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-maybe-uninitialized>)
# What sanitizers look into: the library and its unit tests. The code of MPI tests, which meets the library's
# only behind C functions, would take twice as long to compile.
add_library(carpool_sanitized INTERFACE)
if("thread" IN_LIST CARPOOL_SANITIZE)
  # g++ says that it does not see what fences order.
  target_compile_options(carpool_sanitized INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
endif()
foreach(sanitizer IN LISTS CARPOOL_SANITIZE)
  target_compile_options(carpool_sanitized INTERFACE
    -fsanitize=${sanitizer} -fno-sanitize-recover=${sanitizer} -fno-omit-frame-pointer)
  target_link_options(carpool_flags INTERFACE -fsanitize=${sanitizer})
endforeach()
if(CARPOOL_COVERAGE)  # by all threads and processes, which add to the same files
  target_compile_options(carpool_sanitized INTERFACE --coverage -fprofile-update=atomic -fprofile-abs-path)
  target_link_options(carpool_flags INTERFACE --coverage)
endif()
if(CARPOOL_FUZZ)  # counts the branches that inputs take; clang 14 cannot assemble that with checks of pointers to functions
  target_compile_options(carpool_sanitized INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize=function)
endif()
