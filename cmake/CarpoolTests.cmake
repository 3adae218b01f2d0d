# SPDX-License-Identifier: MIT
# How tests are registered. docs/building.md lists their kinds, which are labels.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(CARPOOL_TEST_LAUNCH "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/launch"
  --mpiexec "${MPIEXEC_EXECUTABLE}")

# An abort is what every mpiexec reports; a plain exit of one rank may get lost.
set(CARPOOL_TEST_ENVIRONMENT
  "ASAN_OPTIONS=abort_on_error=1:detect_stack_use_after_return=1"
  "UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1"
  "LSAN_OPTIONS=print_suppressions=0:suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp")
if("thread" IN_LIST CARPOOL_SANITIZE)
  # UCX asks for a lock in threads that are ending, which the sanitizer has forgotten by then.
  list(APPEND CARPOOL_TEST_ENVIRONMENT "UCX_MEM_EVENTS=n" "UCX_MEM_MMAP_HOOK_MODE=none"
    "TSAN_OPTIONS=abort_on_error=1:suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
endif()

# No test takes more than 20 seconds where nothing else runs, so none is ended on a busy machine.
set(CARPOOL_TEST_LIMIT 240 CACHE STRING "seconds that a test may take")
set(CARPOOL_NIGHTLY_LIMIT 3600)
# Sanitized programs are several times slower: fewer cases.
if(CARPOOL_SANITIZE)
  list(APPEND CARPOOL_TEST_ENVIRONMENT "CARPOOL_TEST_MOST_CASES=150" "CARPOOL_MOST_MESSAGES=1024"
    "CARPOOL_MOST_RANKS=300" "CARPOOL_SLOWNESS=2" "CARPOOL_TEST_ROUNDS=30"
    "CARPOOL_TEST_EFFORT=0.5")
endif()

# Boost.Test, compiled once and without sanitizers; tests include <boost/test/unit_test.hpp>.
add_library(carpool_boost_test STATIC tests/boost_test.cpp)
target_link_libraries(carpool_boost_test PUBLIC carpool_boost)
target_compile_definitions(carpool_boost_test PUBLIC BOOST_TEST_ALTERNATIVE_INIT_API=)
target_compile_options(carpool_boost_test PRIVATE -O0 -g0)

# The tests' own code, most of it Boost.Test's expressions, runs little and takes long to compile,
# with optimisation several times as long.
add_library(carpool_test_flags INTERFACE)
target_link_libraries(carpool_test_flags INTERFACE
  carpool_flags carpool_boost_test carpool_boost_json)
target_compile_options(carpool_test_flags INTERFACE -O0)
# What has been freed is kept to be looked at.
if("address" IN_LIST CARPOOL_SANITIZE)
  target_compile_definitions(carpool_test_flags INTERFACE CARPOOL_TEST_SANITIZED)
endif()
# Tests that count allocations replace operator new, which g++ 12 takes for malloc's mismatch.
target_compile_options(carpool_test_flags INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-mismatched-new-delete>)

# The number of files per unity build: it halves the time of compilation; with more files a compiler
# would take over 1 GiB.
set(CARPOOL_UNITY_BATCH 12)

# carpool_add_test_programs(KIND SOURCE…): all tests of a kind as one program, KIND_tests, but for
# those that say `// program: own`. Sets KIND_programs in the caller.
function(carpool_add_test_programs kind)
  set(programs ${kind}_tests)
  foreach(source IN LISTS ARGN)
    carpool_read_directive(program program "${source}")
    if(program STREQUAL own)
      carpool_name_of_test(name "${source}")
      add_executable(${kind}_${name} "${source}")
      list(APPEND programs ${kind}_${name})
    else()
      list(APPEND shared "${source}")
    endif()
  endforeach()
  add_executable(${kind}_tests ${shared})
  # A file's code is in the namespace of its suite, so files can share a unity build.
  set_target_properties(${kind}_tests PROPERTIES
    UNITY_BUILD ${CARPOOL_UNITY} UNITY_BUILD_BATCH_SIZE ${CARPOOL_UNITY_BATCH})
  # The main of a kind of tests, and the headers that they share precompiled.
  add_library(carpool_${kind}_test_main OBJECT main.cpp)
  target_precompile_headers(carpool_${kind}_test_main PRIVATE
    "${PROJECT_SOURCE_DIR}/tests/precompiled.hpp")
  foreach(program IN LISTS programs)
    target_link_libraries(${program} PRIVATE carpool_${kind}_test_main)
    target_precompile_headers(${program} REUSE_FROM carpool_${kind}_test_main)
  endforeach()
  foreach(program IN LISTS programs ITEMS carpool_${kind}_test_main)
    target_link_libraries(${program} PRIVATE carpool_test_flags carpool_core)
  endforeach()
  set(${kind}_programs ${programs} PARENT_SCOPE)
endfunction()

# carpool_add_unit_test(NAME PROGRAM): the cases of one file, which are a suite of its name.
function(carpool_add_unit_test name program)
  add_test(NAME unit.${name} COMMAND ${program} --run_test=test_${name})
  set_tests_properties(unit.${name} PROPERTIES
    LABELS unit TIMEOUT ${CARPOOL_TEST_LIMIT} ENVIRONMENT "${CARPOOL_TEST_ENVIRONMENT}")
endfunction()

# carpool_add_nightly_test(NAME VARIABLE=VALUE): the same with more cases.
function(carpool_add_nightly_test name setting)
  add_test(NAME nightly.${name} COMMAND unit_tests --run_test=test_${name})
  set_tests_properties(nightly.${name} PROPERTIES
    LABELS nightly TIMEOUT ${CARPOOL_NIGHTLY_LIMIT} ENVIRONMENT ${setting})
endfunction()

# carpool_add_mpi_test(NAME PROGRAM RANKS 1 2 3 … [LABEL mpi] [LIMIT SECONDS] [HOSTS N] [PRELOAD LIBRARY]
#   [SETTINGS NAME=VALUE …] [ARGS …]): one test per number of ranks, mpi.NAME.np3 and so on, of a program that is a target, with
# these variables in the environment and this library before all others; on hosts as tools/launch makes them, or skipped where it cannot.
function(carpool_add_mpi_test name program)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "LABEL;LIMIT;HOSTS;PRELOAD" "RANKS;SETTINGS;ARGS")
  if(NOT test_LABEL)
    set(test_LABEL mpi)
  endif()
  if(NOT test_LIMIT)
    set(test_LIMIT ${CARPOOL_TEST_LIMIT})
  endif()
  # Three limits, each for where the one before fails: the program says in which test case each rank
  # sits, the launcher ends all ranks, ctest ends the launcher.
  math(EXPR launch_limit "${test_LIMIT} + 10")
  math(EXPR ctest_limit "${test_LIMIT} + 30")
  set(hosts)
  if(test_HOSTS)
    set(hosts --hosts ${test_HOSTS})
  endif()
  set(preload)
  if(test_PRELOAD)
    set(preload env LD_PRELOAD=${test_PRELOAD})
  endif()
  foreach(ranks IN LISTS test_RANKS)
    set(test ${test_LABEL}.${name}.np${ranks})
    add_test(NAME ${test} COMMAND ${CARPOOL_TEST_LAUNCH}
      -n ${ranks} ${hosts} --timeout ${launch_limit} ${preload} $<TARGET_FILE:${program}> ${test_ARGS})
    # What some builds of MPICH say at the end of datatypes that nobody has freed.
    set_tests_properties(${test} PROPERTIES FAIL_REGULAR_EXPRESSION "leaked handle pool objects"
      LABELS ${test_LABEL} TIMEOUT ${ctest_limit} SKIP_RETURN_CODE 77
      ENVIRONMENT "${CARPOOL_TEST_ENVIRONMENT};CARPOOL_TEST_LIMIT=${test_LIMIT};${test_SETTINGS}")
    if(ranks GREATER 1)
      set_tests_properties(${test} PROPERTIES PROCESSORS 2)
    endif()
  endforeach()
endfunction()

# carpool_divide_between_mpis(ALL NIGHTLY): moves every other number of ranks of the list ALL to the
# list NIGHTLY, on Open MPI those that other MPIs keep.
function(carpool_divide_between_mpis all nightly)
  set(lists kept moved)
  if(CARPOOL_MPI_KIND MATCHES "^Open MPI")
    set(lists moved kept)
  endif()
  set(kept)
  set(moved ${${nightly}})
  foreach(number IN LISTS ${all})
    list(POP_FRONT lists next)
    list(APPEND ${next} ${number})
    list(APPEND lists ${next})
  endforeach()
  set(${all} ${kept} PARENT_SCOPE)
  set(${nightly} ${moved} PARENT_SCOPE)
endfunction()

# carpool_name_of_test(OUT SOURCE): what test_NAME.cpp is called among the tests.
function(carpool_name_of_test out source)
  cmake_path(GET source STEM name)
  string(REGEX REPLACE "^test_" "" name "${name}")
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# carpool_read_directive(OUT KEY SOURCE): the words after `// KEY:` in the first lines of SOURCE, up
# to a remark in parentheses.
function(carpool_read_directive out key source)
  file(STRINGS "${source}" lines REGEX "^// ${key}:" LIMIT_COUNT 1)
  string(REGEX REPLACE "^// ${key}:[ \t]*|[ \t]*\\(.*" "" words "${lines}")
  separate_arguments(words)
  set(${out} "${words}" PARENT_SCOPE)
endfunction()
