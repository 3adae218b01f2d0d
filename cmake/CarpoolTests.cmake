# How tests are registered. ctest -L unit, -L mpi, -L tools, -L consumer runs one kind.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(CARPOOL_TEST_LAUNCH "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/launch"
  --mpiexec "${MPIEXEC_EXECUTABLE}")

# An abort is what every mpiexec reports; a plain exit of one rank may get lost.
set(CARPOOL_TEST_ENVIRONMENT
  "ASAN_OPTIONS=abort_on_error=1:detect_stack_use_after_return=1"
  "UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1"
  "LSAN_OPTIONS=print_suppressions=0:suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp")

# Sanitized programs are several times slower: fewer cases, longer limits.
set(CARPOOL_TEST_PATIENCE 1)
if(CARPOOL_SANITIZE)
  set(CARPOOL_TEST_PATIENCE 4)
  list(APPEND CARPOOL_TEST_ENVIRONMENT "CARPOOL_RANDOM_CASES=150" "CARPOOL_MOST_MESSAGES=1024"
    "CARPOOL_MOST_RANKS=300" "CARPOOL_SLOWNESS=2" "CARPOOL_TEST_ROUNDS=30")
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
# Tests that count allocations replace operator new, which g++ 12 takes for malloc's mismatch.
target_compile_options(carpool_test_flags INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-mismatched-new-delete>)

# carpool_add_test_main(TARGET SOURCE): the main of one kind of tests, and the headers that they
# share precompiled; carpool_has_test_main(TEST TARGET) gives a test both.
function(carpool_add_test_main target source)
  add_library(${target} OBJECT "${source}")
  target_link_libraries(${target} PRIVATE carpool_test_flags)
  target_precompile_headers(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/precompiled.hpp")
endfunction()
function(carpool_has_test_main test target)
  target_link_libraries(${test} PRIVATE ${target} carpool_test_flags)
  target_precompile_headers(${test} REUSE_FROM ${target})
endfunction()

# carpool_add_unit_test(NAME SOURCE): a Boost.Test program on the core, without MPI.
function(carpool_add_unit_test name source)
  add_executable(unit_${name} "${source}")
  target_link_libraries(unit_${name} PRIVATE carpool_core)
  carpool_has_test_main(unit_${name} carpool_unit_test_main)
  add_test(NAME unit.${name} COMMAND unit_${name})
  math(EXPR limit "120 * ${CARPOOL_TEST_PATIENCE}")
  set_tests_properties(unit.${name} PROPERTIES
    LABELS unit TIMEOUT ${limit} ENVIRONMENT "${CARPOOL_TEST_ENVIRONMENT}")
endfunction()

# carpool_add_mpi_test(NAME PROGRAM RANKS 1 2 3 … [TIMEOUT SECONDS] [LABEL mpi] [ARGS …]): one test
# per number of ranks, mpi.NAME.np3 and so on, of a program that is a target.
function(carpool_add_mpi_test name program)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "TIMEOUT;LABEL" "RANKS;ARGS")
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 120)
  endif()
  if(NOT test_LABEL)
    set(test_LABEL mpi)
  endif()
  math(EXPR test_TIMEOUT "${test_TIMEOUT} * ${CARPOOL_TEST_PATIENCE}")
  # Three limits, each for where the one before fails: the program says in which test case each rank
  # sits, the launcher ends all ranks, ctest ends the launcher.
  math(EXPR launch_limit "${test_TIMEOUT} + 10")
  math(EXPR ctest_limit "${test_TIMEOUT} + 30")
  foreach(ranks IN LISTS test_RANKS)
    set(test ${test_LABEL}.${name}.np${ranks})
    add_test(NAME ${test} COMMAND ${CARPOOL_TEST_LAUNCH}
      -n ${ranks} --timeout ${launch_limit} $<TARGET_FILE:${program}> ${test_ARGS})
    # What some builds of MPICH say at the end of datatypes that nobody has freed.
    set_tests_properties(${test} PROPERTIES FAIL_REGULAR_EXPRESSION "leaked handle pool objects"
      LABELS ${test_LABEL} TIMEOUT ${ctest_limit} PROCESSORS 2
      ENVIRONMENT "${CARPOOL_TEST_ENVIRONMENT};CARPOOL_TEST_LIMIT=${test_TIMEOUT}")
  endforeach()
endfunction()

# carpool_read_directive(OUT KEY SOURCE): the words after `// KEY:` in the first lines of SOURCE.
function(carpool_read_directive out key source)
  file(STRINGS "${source}" lines REGEX "^// ${key}:" LIMIT_COUNT 1)
  string(REGEX REPLACE "^// ${key}:[ \t]*" "" words "${lines}")
  separate_arguments(words)
  set(${out} "${words}" PARENT_SCOPE)
endfunction()
