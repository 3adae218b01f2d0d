# SPDX-License-Identifier: MIT
# Whether the Fortran module is built: CARPOOL_FORTRAN is true where there is a Fortran compiler that
# can use the MPI's module mpi_f08. That has to be one of the compiler and the MPI in use.

set(default OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(default AUTO)
endif()
set(CARPOOL_BUILD_FORTRAN ${default} CACHE STRING "Build the Fortran module: AUTO (if it can be), ON or OFF")
set_property(CACHE CARPOOL_BUILD_FORTRAN PROPERTY STRINGS AUTO ON OFF)

# carpool_leave_out_fortran(WHY): says so in one line, or fails where it is wanted. The installed package
# says it too.
macro(carpool_leave_out_fortran why)
  set(CARPOOL_FORTRAN OFF)
  set(CARPOOL_WHY_NO_FORTRAN "${why}")
  if(CARPOOL_BUILD_FORTRAN STREQUAL "AUTO")
    message(STATUS "The Fortran module is left out: ${why}")
  elseif(CARPOOL_BUILD_FORTRAN)
    message(FATAL_ERROR "CARPOOL_BUILD_FORTRAN=${CARPOOL_BUILD_FORTRAN}, but ${why}")
  endif()
endmacro()

set(CARPOOL_FORTRAN ON)
if(NOT CARPOOL_BUILD_FORTRAN)
  set(CARPOOL_FORTRAN OFF)
  set(CARPOOL_WHY_NO_FORTRAN "CARPOOL_BUILD_FORTRAN is ${CARPOOL_BUILD_FORTRAN}")
  return()
endif()
if(CARPOOL_SANITIZE)
  carpool_leave_out_fortran("the build is sanitized")
  return()
endif()

# The mpifort beside the mpicc, never that of another MPI: mpifort.mpich beside mpicc.mpich.
cmake_path(GET MPI_C_COMPILER PARENT_PATH bin)
cmake_path(GET MPI_C_COMPILER FILENAME name)
string(REPLACE mpicc mpifort name "${name}")
if(NOT name MATCHES mpifort OR NOT EXISTS "${bin}/${name}")
  carpool_leave_out_fortran("there is no ${bin}/${name}")
  return()
endif()

include(CheckLanguage)
check_language(Fortran)
if(NOT CMAKE_Fortran_COMPILER)
  carpool_leave_out_fortran("there is no Fortran compiler")
  return()
endif()
enable_language(Fortran)
# The header for descriptors of arrays is the C compiler's, and their layout the Fortran compiler's.
set(pair "${CMAKE_C_COMPILER_ID} and ${CMAKE_Fortran_COMPILER_ID}")
if(pair MATCHES "GNU" AND NOT pair STREQUAL "GNU and GNU")
  carpool_leave_out_fortran("the C and Fortran compilers are ${pair}, so they share no descriptors")
  return()
elseif(pair MATCHES "GNU" AND CMAKE_Fortran_COMPILER_VERSION VERSION_LESS 12)
  carpool_leave_out_fortran("gfortran ${CMAKE_Fortran_COMPILER_VERSION} is older than 12")
  return()
endif()
set(MPI_Fortran_COMPILER "${bin}/${name}" CACHE FILEPATH "" FORCE)
find_package(MPI QUIET COMPONENTS Fortran)
if(NOT MPI_Fortran_HAVE_F08_MODULE)
  carpool_leave_out_fortran("${CMAKE_Fortran_COMPILER} cannot use the module mpi_f08 of ${MPI_C_COMPILER}")
  return()
endif()

# What the module and the C behind it are written in. A status is copied as one of `use mpi`.
include(CheckIncludeFile)
include(CheckSourceCompiles)
check_include_file(ISO_Fortran_binding.h CARPOOL_HAS_FORTRAN_BINDING_H)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_Fortran)
check_source_compiles(Fortran "
  program p
    use, intrinsic :: iso_c_binding
    use mpi_f08
    implicit none
    type(MPI_Status) :: status
    integer, parameter :: same = 1 / merge(1, 0, kind(0) == c_int &
        .and. storage_size(status) == MPI_STATUS_SIZE * storage_size(0))
    interface
      subroutine s(a, n) bind(C)
        type(*), dimension(..), intent(in), asynchronous :: a
        integer, optional, intent(out) :: n
      end subroutine
    end interface
    if (same == 0) call s(status)
  end program" CARPOOL_HAS_FORTRAN_2018 SRC_EXT f90)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT CARPOOL_HAS_FORTRAN_BINDING_H OR NOT CARPOOL_HAS_FORTRAN_2018)
  carpool_leave_out_fortran("${CMAKE_Fortran_COMPILER} lacks what Fortran 2018 has for C")
endif()
