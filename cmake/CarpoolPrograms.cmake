# carpool_add_programs(FOLDER): one program per .c and .cpp file of the calling folder, named after
# the file and built to <build>/FOLDER; `cmake --build . --target FOLDER` builds them all.
function(carpool_add_programs folder)
  file(GLOB sources CONFIGURE_DEPENDS *.c *.cpp)
  add_custom_target(${folder})
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
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
