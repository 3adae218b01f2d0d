# SPDX-License-Identifier: MIT
# cmake --install: library, header, licence, and what find_package(Carpool) and pkg-config read.

include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Carpool")

install(TARGETS carpool EXPORT CarpoolTargets)
if(CARPOOL_INTERPOSE)
  install(TARGETS carpool_mpi carpool_interposed LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
install(DIRECTORY include/carpool DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES "${PROJECT_BINARY_DIR}/include/carpool/config.h"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/carpool")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/carpool")

install(EXPORT CarpoolTargets NAMESPACE Carpool:: DESTINATION "${package_folder}")
configure_package_config_file(cmake/CarpoolConfig.cmake.in CarpoolConfig.cmake
  INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file(CarpoolConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/CarpoolConfig.cmake" cmake/CarpoolMpiKind.cmake "${PROJECT_BINARY_DIR}/CarpoolConfigVersion.cmake"
  DESTINATION "${package_folder}")

# carpool.pc's way up to the prefix, which is longer where LIBDIR is lib/<architecture>
file(RELATIVE_PATH up "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /p)
cmake_path(SET up NORMALIZE "${up}")
# A program finds the library where it is installed; in a system's own folders all do anyway.
set(rpath " -Wl,-rpath,\${libdir}")
if(CMAKE_INSTALL_PREFIX MATCHES "^/usr/?$")
  set(rpath)
endif()
configure_file(cmake/carpool.pc.in carpool.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/carpool.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
