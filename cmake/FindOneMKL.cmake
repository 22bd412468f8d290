# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# oneMKL as static archives: lp64 interface, sequential layer. Searched in OneMKL_ROOT, MKLROOT and the
# folder that script/bootstrap fills. Offers OneMKL::sequential and OneMKL_VERSION.
#
# Link it PRIVATE into a shared library that hides it (see Backend.cmake), never into a program: LibTorch
# exports the symbols of an MKL of its own, and the two would interpose.
include(FindPackageHandleStandardArgs)

set(_mkl_hints "$ENV{MKLROOT}")
if(SUBSPACE_DEPS_DIR)
  list(APPEND _mkl_hints ${SUBSPACE_DEPS_DIR}/mkl)
endif()

find_path(OneMKL_INCLUDE_DIR mkl_version.h HINTS ${_mkl_hints} PATH_SUFFIXES include include/mkl)
set(_mkl_archives)
foreach(layer intel_lp64 sequential core)
  find_library(OneMKL_${layer}_ARCHIVE NAMES libmkl_${layer}.a HINTS ${_mkl_hints}
               PATH_SUFFIXES lib lib/intel64)
  mark_as_advanced(OneMKL_${layer}_ARCHIVE)
  list(APPEND _mkl_archives OneMKL_${layer}_ARCHIVE)
endforeach()
mark_as_advanced(OneMKL_INCLUDE_DIR)

if(OneMKL_INCLUDE_DIR)
  file(STRINGS ${OneMKL_INCLUDE_DIR}/mkl_version.h _mkl_lines REGEX "define +__INTEL_MKL(_UPDATE)?__ ")
  string(REGEX MATCH "__INTEL_MKL__ +([0-9]+)" _ "${_mkl_lines}")
  set(OneMKL_VERSION ${CMAKE_MATCH_1})
  string(REGEX MATCH "__INTEL_MKL_UPDATE__ +([0-9]+)" _ "${_mkl_lines}")
  string(APPEND OneMKL_VERSION .${CMAKE_MATCH_1})
endif()

find_package_handle_standard_args(OneMKL
  REQUIRED_VARS OneMKL_INCLUDE_DIR ${_mkl_archives}
  VERSION_VAR OneMKL_VERSION
  REASON_FAILURE_MESSAGE "run script/bootstrap, or set OneMKL_ROOT, or set SUBSPACE_BLAS=eigen")

if(OneMKL_FOUND AND NOT TARGET OneMKL::sequential)
  add_library(OneMKL::sequential INTERFACE IMPORTED GLOBAL)
  target_include_directories(OneMKL::sequential SYSTEM INTERFACE ${OneMKL_INCLUDE_DIR})
  target_link_libraries(OneMKL::sequential INTERFACE
    -Wl,--start-group ${OneMKL_intel_lp64_ARCHIVE} ${OneMKL_sequential_ARCHIVE} ${OneMKL_core_ARCHIVE}
    -Wl,--end-group -lpthread -lm ${CMAKE_DL_LIBS})
endif()
