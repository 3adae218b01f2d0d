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
elseif(NOT MPI_C_COMPILER)
  find_program(MPI_C_COMPILER mpicc)
endif()

# The mpiexec beside the mpicc, never that of another MPI.
if(MPI_C_COMPILER)
  cmake_path(GET MPI_C_COMPILER PARENT_PATH bin)
  if(EXISTS "${bin}/mpiexec")
    set(MPIEXEC_EXECUTABLE "${bin}/mpiexec" CACHE FILEPATH "" FORCE)
  endif()
endif()

find_package(MPI REQUIRED COMPONENTS C)
if(MPI_C_VERSION VERSION_LESS 3.1)
  message(FATAL_ERROR
    "Carpool needs MPI 3.1 or later, and ${MPI_C_COMPILER} is MPI ${MPI_C_VERSION}; "
    "take MPI=mpich or MPI=openmpi, which bring their own")
endif()
