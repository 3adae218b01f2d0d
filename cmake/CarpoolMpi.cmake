# SPDX-License-Identifier: MIT
# Finds the MPI that CARPOOL_MPI names: MPI::MPI_C, and its mpiexec in MPIEXEC_EXECUTABLE.
# Carpool calls MPI's C functions only, from C++ too, so the C side of MPI is all it needs.

if(NOT CARPOOL_MPI MATCHES "^(mpich|openmpi|system)$")
  message(FATAL_ERROR "CARPOOL_MPI=${CARPOOL_MPI} is not one of mpich, openmpi, system, OFF")
endif()

if(NOT CARPOOL_MPI STREQUAL "system")
  set(bin "${PROJECT_SOURCE_DIR}/.venv-${CARPOOL_MPI}/bin")
  if(NOT EXISTS "${bin}/mpicc")
    message(FATAL_ERROR "no ${bin}/mpicc; run: make setup MPI=${CARPOOL_MPI}")
  endif()
  set(MPI_C_COMPILER "${bin}/mpicc" CACHE FILEPATH "" FORCE)
elseif(NOT IS_ABSOLUTE "${MPI_C_COMPILER}")
  set(name mpicc)
  if(MPI_C_COMPILER)
    set(name "${MPI_C_COMPILER}")
  endif()
  # That of the environment for which pip builds, which need not be on the PATH, comes first.
  set(beside)
  if(SKBUILD)
    cmake_path(GET Python3_EXECUTABLE PARENT_PATH beside)
  endif()
  find_program(mpicc "${name}" HINTS "${beside}" NO_CACHE)
  if(mpicc)
    set(MPI_C_COMPILER "${mpicc}" CACHE FILEPATH "" FORCE)
  endif()
endif()

if(MPI_C_COMPILER)
  # One mpicc may become another MPI's, by another PATH or Debian's alternatives, and FindMPI
  # remembers what the first one said.
  execute_process(COMMAND "${MPI_C_COMPILER}" -show
    OUTPUT_VARIABLE says OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(calls "${MPI_C_COMPILER}: ${says}")
  if(DEFINED CARPOOL_MPICC AND NOT calls STREQUAL CARPOOL_MPICC)
    get_cmake_property(variables CACHE_VARIABLES)
    list(FILTER variables INCLUDE REGEX "^(MPI_|MPIEXEC|FIND_PACKAGE_MESSAGE_DETAILS_MPI)")
    list(REMOVE_ITEM variables MPI_C_COMPILER)
    foreach(variable IN LISTS variables)
      unset(${variable} CACHE)
    endforeach()
  endif()
  set(CARPOOL_MPICC "${calls}" CACHE INTERNAL "The mpicc, and what it calls")

  # The mpiexec beside the mpicc, never that of another MPI: mpiexec.mpich beside mpicc.mpich.
  cmake_path(GET MPI_C_COMPILER PARENT_PATH bin)
  cmake_path(GET MPI_C_COMPILER FILENAME name)
  string(REPLACE mpicc mpiexec name "${name}")
  foreach(beside IN ITEMS "${bin}/mpiexec" "${bin}/${name}")
    if(EXISTS "${beside}" AND NOT beside STREQUAL MPI_C_COMPILER)
      set(MPIEXEC_EXECUTABLE "${beside}" CACHE FILEPATH "" FORCE)
    endif()
  endforeach()
endif()

find_package(MPI REQUIRED COMPONENTS C)

# MPI 3.1 lacks them; Open MPI 5 has them, though it calls itself MPI 3.1.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(MPI_Allreduce_init mpi.h MPI_C_HAS_PERSISTENT_COLLECTIVES)
check_symbol_exists(MPI_Bcast_c mpi.h MPI_C_HAS_LARGE_COUNTS)
check_symbol_exists(MPI_Comm_create_from_group mpi.h MPI_C_HAS_SESSIONS)
unset(CMAKE_REQUIRED_LIBRARIES)
if(MPI_C_VERSION VERSION_LESS 3.1)
  message(FATAL_ERROR
    "Carpool needs MPI 3.1 or later, and ${MPI_C_COMPILER} is MPI ${MPI_C_VERSION}; "
    "take MPI=mpich or MPI=openmpi, which bring their own")
endif()

# Programs must be built with the same MPI, which carpool/config.h and CarpoolConfig.cmake tell.
include(CarpoolMpiKind)
carpool_mpi_kind(CARPOOL_MPI_KIND ${MPI_C_INCLUDE_DIRS})
if(CARPOOL_MPI_KIND MATCHES "^MPICH ([0-9]+)")
  set(CARPOOL_BUILT_WITH_MPICH "${CMAKE_MATCH_1}")
elseif(CARPOOL_MPI_KIND MATCHES "^Open MPI ([0-9]+)")
  set(CARPOOL_BUILT_WITH_OPEN_MPI "${CMAKE_MATCH_1}")
endif()
string(TOLOWER "${CARPOOL_MPI_KIND}" CARPOOL_MPI_FILE_KIND)
string(REPLACE " " "" CARPOOL_MPI_FILE_KIND "${CARPOOL_MPI_FILE_KIND}")
if(MPI_C_COMPILE_DEFINITIONS MATCHES "MPI_ABI")
  set(CARPOOL_MPI_FILE_KIND abi)  # the handles of the MPI standard, for all MPIs that have them
elseif(CARPOOL_BUILT_WITH_MPICH)
  set(CARPOOL_MPI_FILE_KIND mpich)  # its versions and its derivatives share their handles
endif()
configure_file(cmake/config.h.in include/carpool/config.h @ONLY)

# The mpicxx beside the mpicc, for projects without C; where there is none, the mpicc does.
set(CARPOOL_MPICXX "${MPI_C_COMPILER}")
cmake_path(GET MPI_C_COMPILER PARENT_PATH bin)
cmake_path(GET MPI_C_COMPILER FILENAME name)
string(REPLACE mpicc mpicxx name "${name}")
if(EXISTS "${bin}/${name}")
  set(CARPOOL_MPICXX "${bin}/${name}")
endif()
