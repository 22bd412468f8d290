# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# The CUDA part of the LibTorch that find_package(TorchCPU) found, from the same folder: the two are of one build.
# Offers TorchCUDA::torch_cuda, TorchCUDA::c10_cuda, TorchCUDA::cudart and TorchCUDA_CUDA_MAJOR, the generation of
# CUDA they were built for.
include(FindPackageHandleStandardArgs)

# Not cached: they follow libtorch_cpu.so wherever it is found.
foreach(_name torch_cuda c10_cuda)
  unset(TorchCUDA_${_name}_LIBRARY)
  find_library(TorchCUDA_${_name}_LIBRARY ${_name} PATHS ${TorchCPU_LIBRARY_DIR} NO_DEFAULT_PATH NO_CACHE)
endforeach()

# LibTorch brings a CUDA runtime of its own, maybe newer than the toolkit's, and one process must have one.
# Wheels have libcudart.so.13, the archives of libtorch libcudart-<hash>.so.12.
if(TorchCPU_LIBRARY_DIR)
  file(GLOB TorchCUDA_cudart_LIBRARY ${TorchCPU_LIBRARY_DIR}/libcudart*.so*)
  list(SORT TorchCUDA_cudart_LIBRARY)
  if(TorchCUDA_cudart_LIBRARY)
    list(GET TorchCUDA_cudart_LIBRARY 0 TorchCUDA_cudart_LIBRARY)
  endif()
endif()
if(TorchCUDA_c10_cuda_LIBRARY)
  file(STRINGS ${TorchCUDA_c10_cuda_LIBRARY} _torch_cudart REGEX "^libcudart.*\\.so\\.[0-9]+" LIMIT_COUNT 1)
  if(_torch_cudart MATCHES "\\.so\\.([0-9]+)")
    set(TorchCUDA_CUDA_MAJOR ${CMAKE_MATCH_1})
  endif()
endif()

find_package_handle_standard_args(TorchCUDA
  REQUIRED_VARS TorchCUDA_torch_cuda_LIBRARY TorchCUDA_c10_cuda_LIBRARY TorchCUDA_cudart_LIBRARY
  REASON_FAILURE_MESSAGE
    "the LibTorch in ${TorchCPU_LIBRARY_DIR} is without CUDA: run script/bootstrap --cuda, or set CMAKE_PREFIX_PATH \
to a libtorch with CUDA, and configure a build folder of its own (--preset cuda)")

if(TorchCUDA_FOUND AND NOT TARGET TorchCUDA::torch_cuda)
  # What they need themselves and the linker must find beside them (-rpath-link).
  file(GLOB _torch_needed ${TorchCPU_LIBRARY_DIR}/lib*.so*)
  foreach(_name cudart c10_cuda torch_cuda)
    add_library(TorchCUDA::${_name} SHARED IMPORTED GLOBAL)
    set_target_properties(TorchCUDA::${_name} PROPERTIES
      IMPORTED_LOCATION ${TorchCUDA_${_name}_LIBRARY}
      IMPORTED_LINK_DEPENDENT_LIBRARIES "${_torch_needed}")
  endforeach()
  target_link_libraries(TorchCUDA::c10_cuda INTERFACE TorchCPU::c10)
  target_link_libraries(TorchCUDA::torch_cuda INTERFACE TorchCUDA::c10_cuda TorchCPU::torch_cpu)
endif()
