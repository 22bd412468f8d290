# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# Installs libraries, headers, the program and the CMake package. Each library is a component with an export
# file of its own, so that a user of the core needs neither LibTorch nor anything else it does not link.
include(CMakePackageConfigHelpers)

set(SUBSPACE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Subspace)
set(SUBSPACE_COMPONENTS)

foreach(component core subspace datasets neural pipelines)
  if(NOT TARGET subspace_${component})
    continue()
  endif()
  list(APPEND SUBSPACE_COMPONENTS ${component})
  install(TARGETS subspace_${component} EXPORT Subspace-${component}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT Subspace-${component} FILE Subspace-${component}.cmake NAMESPACE subspace::
          DESTINATION ${SUBSPACE_CMAKE_DIR})
endforeach()

foreach(folder libsubspace libneural datasets pipelines)
  if(folder STREQUAL "libneural" AND NOT TARGET subspace_neural)
    continue()
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h")
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/libsubspace/include/subspace/core/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/subspace/core)

if(TARGET subspace_app)
  install(TARGETS subspace_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# LibTorch is not ours to install: the package remembers where it was found, the user may say otherwise.
# (INSTALL_RPATH_USE_LINK_PATH would not do: CMake leaves out folders inside the checkout, such as .deps.)
if(TARGET subspace_neural)
  set_target_properties(subspace_neural subspace_pipelines PROPERTIES
    INSTALL_RPATH "$ORIGIN;${TorchCPU_LIBRARY_DIR}")
  get_filename_component(SUBSPACE_TORCH_PREFIX ${TorchCPU_LIBRARY_DIR} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindTorchCPU.cmake ${PROJECT_SOURCE_DIR}/cmake/FindTorchCUDA.cmake
          DESTINATION ${SUBSPACE_CMAKE_DIR})
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/SubspaceConfig.cmake.in
  ${PROJECT_BINARY_DIR}/SubspaceConfig.cmake
  INSTALL_DESTINATION ${SUBSPACE_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor release may change interfaces.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SubspaceConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SubspaceConfig.cmake ${PROJECT_BINARY_DIR}/SubspaceConfigVersion.cmake
        DESTINATION ${SUBSPACE_CMAKE_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
