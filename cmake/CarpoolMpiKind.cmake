# SPDX-License-Identifier: MIT
# carpool_mpi_kind(OUT FOLDER…): "MPICH 5" or "Open MPI 4", as the mpi.h in one of the folders says;
# nothing of an MPI that says neither. Installed too: CarpoolConfig.cmake compares by it.
function(carpool_mpi_kind out)
  set(${out} "" PARENT_SCOPE)
  find_file(header mpi.h PATHS ${ARGN} NO_DEFAULT_PATH NO_CACHE)
  if(NOT header)
    return()
  endif()
  file(STRINGS "${header}" lines REGEX "^#define +(MPICH_VERSION|OMPI_MAJOR_VERSION) ")
  if(lines MATCHES "MPICH_VERSION +\"([0-9]+)")
    set(${out} "MPICH ${CMAKE_MATCH_1}" PARENT_SCOPE)
  elseif(lines MATCHES "OMPI_MAJOR_VERSION +([0-9]+)")
    set(${out} "Open MPI ${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()
