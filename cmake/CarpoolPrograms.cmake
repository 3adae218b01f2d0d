# SPDX-License-Identifier: MIT
# carpool_name_of_program(OUT SOURCE): its file's name; with _cxx where that is a C file's too.
function(carpool_name_of_program out source)
  cmake_path(GET source STEM name)
  cmake_path(REPLACE_EXTENSION source c OUTPUT_VARIABLE in_c)
  if(source MATCHES "\\.cpp$" AND EXISTS "${in_c}")
    string(APPEND name _cxx)
  endif()
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# carpool_add_programs(FOLDER): one program per .c and .cpp file of the calling folder, named after
# the file and built to <build>/FOLDER; `cmake --build . --target FOLDER` builds them all.
function(carpool_add_programs folder)
  file(GLOB sources CONFIGURE_DEPENDS *.c *.cpp)
  add_custom_target(${folder})
  foreach(source IN LISTS sources)
    carpool_name_of_program(name "${source}")
    carpool_add_program(${folder}_${name} "${source}")
    target_link_libraries(${folder}_${name} PRIVATE carpool_boost_json)
    set_target_properties(${folder}_${name} PROPERTIES OUTPUT_NAME ${name})
    add_dependencies(${folder} ${folder}_${name})
  endforeach()
endfunction()

# One program of C or C++ on libcarpool.
function(carpool_add_program target source)
  add_executable(${target} "${source}")
  target_link_libraries(${target} PRIVATE Carpool::carpool carpool_boost carpool_flags)
endfunction()
