# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# Offers subspace::osqp (the OSQP 0.6 interface, <osqp.h>) when it can be had: an installed OSQP of that
# generation, else the sources in .deps/osqp. SUBSPACE_OSQP says which, empty when there is none.

set(SUBSPACE_OSQP "")
if(NOT SUBSPACE_USE_OSQP)
  return()
endif()

# An installed one. OSQP 1.x has another interface; its mark is the header osqp_api_types.h.
find_package(osqp CONFIG QUIET)
if(TARGET osqp::osqp)
  get_target_property(_osqp_include osqp::osqp INTERFACE_INCLUDE_DIRECTORIES)
  find_file(_osqp_1_header NAMES osqp_api_types.h PATHS ${_osqp_include} PATH_SUFFIXES osqp
            NO_DEFAULT_PATH NO_CACHE)
  if(NOT _osqp_1_header)
    add_library(subspace_osqp INTERFACE)
    target_link_libraries(subspace_osqp INTERFACE osqp::osqp)
    set(SUBSPACE_OSQP "installed (${osqp_DIR})")
  endif()
endif()

set(_osqp ${SUBSPACE_DEPS_DIR}/osqp)
if(NOT TARGET subspace_osqp AND EXISTS ${_osqp}/include/osqp.h)
  # What OSQP's own build would generate: 64-bit indices, doubles, no printing (a library keeps silent),
  # no signal handler (cancellation is ours), timing on because its time limit needs it.
  set(_osqp_generated ${PROJECT_BINARY_DIR}/third-party/osqp)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/osqp_configure.h.in ${_osqp_generated}/osqp_configure.h)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/qdldl_types.h.in ${_osqp_generated}/qdldl_types.h)

  set(_qdldl ${_osqp}/lin_sys/direct/qdldl)
  add_library(subspace_osqp STATIC EXCLUDE_FROM_ALL
    ${_osqp}/src/auxil.c ${_osqp}/src/cs.c ${_osqp}/src/error.c ${_osqp}/src/kkt.c
    ${_osqp}/src/lin_alg.c ${_osqp}/src/lin_sys.c ${_osqp}/src/osqp.c ${_osqp}/src/polish.c
    ${_osqp}/src/proj.c ${_osqp}/src/scaling.c ${_osqp}/src/util.c
    ${_qdldl}/qdldl_interface.c ${_qdldl}/qdldl_sources/src/qdldl.c
    ${_qdldl}/amd/src/SuiteSparse_config.c ${_qdldl}/amd/src/amd_1.c ${_qdldl}/amd/src/amd_2.c
    ${_qdldl}/amd/src/amd_aat.c ${_qdldl}/amd/src/amd_control.c ${_qdldl}/amd/src/amd_defaults.c
    ${_qdldl}/amd/src/amd_info.c ${_qdldl}/amd/src/amd_order.c ${_qdldl}/amd/src/amd_post_tree.c
    ${_qdldl}/amd/src/amd_postorder.c ${_qdldl}/amd/src/amd_preprocess.c ${_qdldl}/amd/src/amd_valid.c)
  target_include_directories(subspace_osqp SYSTEM PUBLIC $<BUILD_INTERFACE:${_osqp_generated}>
                                                         $<BUILD_INTERFACE:${_osqp}/include>)
  target_include_directories(subspace_osqp SYSTEM PRIVATE
    ${_osqp}/lin_sys ${_qdldl} ${_qdldl}/amd/include ${_qdldl}/qdldl_sources/include)
  target_compile_options(subspace_osqp PRIVATE -w)
  target_link_libraries(subspace_osqp PUBLIC m rt)
  set_target_properties(subspace_osqp PROPERTIES
    C_STANDARD 99 C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  set(SUBSPACE_OSQP "0.6 sources in ${SUBSPACE_DEPS_DIR}/osqp")
endif()

if(TARGET subspace_osqp)
  add_library(subspace::osqp ALIAS subspace_osqp)
endif()
