# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# The CPU part of LibTorch. Searched in CMAKE_PREFIX_PATH, TorchCPU_ROOT, beside Torch_DIR (a user's own
# libtorch) and in the folder that script/bootstrap fills. Offers TorchCPU::torch_cpu, TorchCPU::c10 and
# TorchCPU_VERSION, TorchCPU_LIBRARY_DIR.
#
# Why not TorchConfig.cmake: that of the wheel stops without a CUDA toolkit, and its `torch` target needs
# libtorch_cuda.so. libtorch_cpu.so and libc10.so suffice; the CUDA libraries beside them only have to load.
include(FindPackageHandleStandardArgs)

set(_torch_hints)
if(Torch_DIR)
  get_filename_component(_torch_prefix ${Torch_DIR}/../../.. ABSOLUTE)   # <prefix>/share/cmake/Torch
  list(APPEND _torch_hints ${_torch_prefix})
endif()
if(SUBSPACE_DEPS_DIR)
  if(SUBSPACE_CUDA)   # script/bootstrap --cuda puts all of LibTorch there
    list(APPEND _torch_hints ${SUBSPACE_DEPS_DIR}/torch-cuda)
  endif()
  list(APPEND _torch_hints ${SUBSPACE_DEPS_DIR}/torch)
endif()
if(_torch_built_with)   # set by SubspaceConfig.cmake: where the installed libneural found it
  list(APPEND _torch_hints ${_torch_built_with})
endif()

find_path(TorchCPU_INCLUDE_DIR torch/library.h HINTS ${_torch_hints} PATH_SUFFIXES include)
find_library(TorchCPU_LIBRARY torch_cpu HINTS ${_torch_hints} PATH_SUFFIXES lib)
find_library(TorchCPU_C10_LIBRARY c10 HINTS ${_torch_hints} PATH_SUFFIXES lib)
mark_as_advanced(TorchCPU_INCLUDE_DIR TorchCPU_LIBRARY TorchCPU_C10_LIBRARY)

if(TorchCPU_INCLUDE_DIR)
  # torch/headeronly since 2.9, csrc/api before.
  foreach(_header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
    if(EXISTS ${TorchCPU_INCLUDE_DIR}/${_header} AND NOT TorchCPU_VERSION)
      file(STRINGS ${TorchCPU_INCLUDE_DIR}/${_header} _torch_lines REGEX "define +TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
      if(_torch_lines MATCHES "MAJOR +([0-9]+).*MINOR +([0-9]+).*PATCH +([0-9]+)")
        set(TorchCPU_VERSION ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3})
      endif()
    endif()
  endforeach()
endif()

find_package_handle_standard_args(TorchCPU
  REQUIRED_VARS TorchCPU_LIBRARY TorchCPU_C10_LIBRARY TorchCPU_INCLUDE_DIR
  VERSION_VAR TorchCPU_VERSION
  REASON_FAILURE_MESSAGE
    "run script/bootstrap, or set CMAKE_PREFIX_PATH to a libtorch, or set SUBSPACE_BUILD_NEURAL=OFF")

if(TorchCPU_FOUND)
  get_filename_component(TorchCPU_LIBRARY_DIR ${TorchCPU_LIBRARY} DIRECTORY)
endif()
if(TorchCPU_FOUND AND NOT TARGET TorchCPU::torch_cpu)
  add_library(TorchCPU::c10 SHARED IMPORTED GLOBAL)
  add_library(TorchCPU::torch_cpu SHARED IMPORTED GLOBAL)
  set_target_properties(TorchCPU::c10 PROPERTIES IMPORTED_LOCATION ${TorchCPU_C10_LIBRARY})
  set_target_properties(TorchCPU::torch_cpu PROPERTIES IMPORTED_LOCATION ${TorchCPU_LIBRARY})
  target_include_directories(TorchCPU::c10 SYSTEM INTERFACE
    ${TorchCPU_INCLUDE_DIR} ${TorchCPU_INCLUDE_DIR}/torch/csrc/api/include)
  target_link_libraries(TorchCPU::torch_cpu INTERFACE TorchCPU::c10)
  # What libtorch_cpu.so itself needs and the linker must find beside it (-rpath-link).
  file(GLOB _torch_needed ${TorchCPU_LIBRARY_DIR}/libcudart*.so* ${TorchCPU_LIBRARY_DIR}/libcupti*.so*
                          ${TorchCPU_LIBRARY_DIR}/libgomp*.so*)
  set_target_properties(TorchCPU::torch_cpu PROPERTIES IMPORTED_LINK_DEPENDENT_LIBRARIES "${_torch_needed}")
endif()
