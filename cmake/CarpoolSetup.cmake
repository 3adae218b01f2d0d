# SPDX-License-Identifier: MIT
# What the presets ask for with CARPOOL_SETUP: ninja, Boost's headers and the Python packages that make takes, by
# tools/setup in the virtual environment of the MPI. Before project(), which looks for ninja.

set(environment "${CARPOOL_MPI}")
if(NOT CARPOOL_MPI)
  set(environment none)
endif()
if(CARPOOL_MPI STREQUAL "system" AND MPI_C_COMPILER)
  set(ENV{MPICC} "${MPI_C_COMPILER}")
endif()
execute_process(COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/tools/setup" ${environment} RESULT_VARIABLE status)
if(status)
  message(FATAL_ERROR "tools/setup ${environment} has failed; where all is there that it would bring, "
    "-DCARPOOL_SETUP=OFF does without")
endif()
set(bin "${CMAKE_CURRENT_SOURCE_DIR}/.venv-${environment}/bin")
if(CMAKE_GENERATOR MATCHES "Ninja" AND NOT CMAKE_MAKE_PROGRAM)
  set(CMAKE_MAKE_PROGRAM "${bin}/ninja" CACHE FILEPATH "The ninja that tools/setup has brought")
endif()
if(NOT Python3_EXECUTABLE)
  set(Python3_EXECUTABLE "${bin}/python" CACHE FILEPATH "The Python that tools/setup has brought")
endif()
