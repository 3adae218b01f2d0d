# SPDX-License-Identifier: MIT
# libcarpool_mpi-KIND.so: all of Carpool for the MPI of this build, behind MPI's own names. What it calls of
# MPI are the functions whose names begin with PMPI_, so that no call comes back to it. The renaming needs
# tools that Linux has.

# carpool_interposing_library(TARGET OF…): TARGET is linked from the renamed objects of the other targets, and with no
# MPI: it uses the one that the program has loaded.
function(carpool_interposing_library target)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/interposed")
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_custom_command(OUTPUT "${folder}/renamed.o"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND "${CMAKE_LINKER}" -r -o "${folder}/joined.o" ${objects}
    COMMAND "${CMAKE_COMMAND}" -DNM=${CMAKE_NM} -DOBJCOPY=${CMAKE_OBJCOPY} "-DFOLDER=${folder}"
      -P "${PROJECT_SOURCE_DIR}/cmake/rename_mpi.cmake"
    DEPENDS ${objects} "${PROJECT_SOURCE_DIR}/cmake/rename_mpi.cmake"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_library(${target} SHARED "${folder}/renamed.o")
  # Make knows how to build the objects of a target only within that target.
  add_dependencies(${target} ${ARGN})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX PREFIX "" LINK_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/interpose/names.map")
  set_source_files_properties("${folder}/renamed.o" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/interpose/names.map" "LINKER:-z,undefs" LINKER:-Bsymbolic)
endfunction()
