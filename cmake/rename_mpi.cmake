# SPDX-License-Identifier: MIT
# FOLDER/renamed.o: FOLDER/joined.o with other names: what it calls as MPI_X becomes PMPI_X, and what it
# defines as carpool_MPI_X becomes MPI_X, carpool_mpi_x_ mpi_x_.
execute_process(COMMAND "${NM}" "${FOLDER}/joined.o" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " U MPI_[A-Z][a-z][A-Za-z0-9_]*" called "${symbols}")
string(REGEX MATCHALL " T carpool_(MPI|mpi)_[A-Za-z0-9_]+" defined "${symbols}")
if(NOT defined)
  message(FATAL_ERROR "joined.o defines no carpool_MPI_ functions; link-time optimization does not go with CARPOOL_INTERPOSE")
endif()
set(renaming)
foreach(symbol IN LISTS called)
  string(SUBSTRING "${symbol}" 3 -1 name)
  string(APPEND renaming "${name} P${name}\n")
endforeach()
foreach(symbol IN LISTS defined)
  string(SUBSTRING "${symbol}" 3 -1 name)
  string(REPLACE carpool_ "" new "${name}")
  string(APPEND renaming "${name} ${new}\n")
endforeach()
file(WRITE "${FOLDER}/names" "${renaming}")
execute_process(COMMAND "${OBJCOPY}" "--redefine-syms=${FOLDER}/names" "${FOLDER}/joined.o" "${FOLDER}/renamed.o"
  COMMAND_ERROR_IS_FATAL ANY)
