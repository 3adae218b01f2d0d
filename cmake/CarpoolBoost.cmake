# SPDX-License-Identifier: MIT
# carpool_boost: header-only Boost for tests, demo and benches, never for the library. It comes from
# the wheel cmeel-boost in the project's virtual environment, else from the system. Without it the
# library alone is built, unless a preset asks for the rest.

set(environment "${CARPOOL_MPI}")
if(NOT CARPOOL_MPI)
  set(environment none)
endif()
set(CARPOOL_VENV "${PROJECT_SOURCE_DIR}/.venv-${environment}")

file(GLOB wheel "${CARPOOL_VENV}/lib/python3.*/site-packages/cmeel.prefix/include")
foreach(packages IN LISTS CMAKE_PREFIX_PATH)  # those of pip's environment that builds a wheel
  list(APPEND wheel "${packages}/cmeel.prefix/include")
endforeach()
# Boost.JSON is the youngest of its parts that are used: 1.75.
find_path(CARPOOL_BOOST_INCLUDE boost/json/src.hpp HINTS ${wheel})
if(NOT CARPOOL_BOOST_INCLUDE AND CARPOOL_REQUIRE_BOOST)
  message(FATAL_ERROR "Boost's headers (1.75 or later) are missing; run: make setup MPI=${environment}")
elseif(NOT CARPOOL_BOOST_INCLUDE)
  message(STATUS "Boost's headers (1.75 or later) are missing: only the library is built, without command, tests, "
    "demo, benches and examples (make setup MPI=${environment} brings Boost)")
  foreach(part IN ITEMS CLI TESTS DEMO BENCH EXAMPLES)
    set(CARPOOL_BUILD_${part} OFF)
  endforeach()
  return()
endif()

add_library(carpool_boost INTERFACE)
target_include_directories(carpool_boost SYSTEM INTERFACE "${CARPOOL_BOOST_INCLUDE}")

# Boost.JSON, compiled once; programs include <boost/json.hpp>. It is built where something links it.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/boost_json.cpp" CONTENT
  "#include <boost/json/src.hpp>\n" @ONLY)
add_library(carpool_boost_json STATIC EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/boost_json.cpp")
target_link_libraries(carpool_boost_json PUBLIC carpool_boost)
target_compile_options(carpool_boost_json PRIVATE -O0 -g0)
