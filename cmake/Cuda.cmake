# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# SUBSPACE_CUDA=ON: the CUDA toolkit and the CUDA part of LibTorch, or a word on what to do about it. Offers
# subspace_add_cuda(target).
if(NOT SUBSPACE_BUILD_NEURAL)
  message(FATAL_ERROR "SUBSPACE_CUDA=ON is of use to libneural alone: set SUBSPACE_BUILD_NEURAL=ON, too")
endif()

find_package(CUDAToolkit QUIET)
if(NOT CUDAToolkit_FOUND)
  message(FATAL_ERROR "SUBSPACE_CUDA=ON needs the CUDA toolkit, and none was found: install it, put its nvcc on PATH or "
                      "set CUDAToolkit_ROOT to its folder (docs/gpu.md); or set SUBSPACE_CUDA=OFF")
endif()
find_package(TorchCUDA REQUIRED)
if(TorchCUDA_CUDA_MAJOR AND NOT TorchCUDA_CUDA_MAJOR EQUAL CUDAToolkit_VERSION_MAJOR)
  message(FATAL_ERROR "LibTorch in ${TorchCPU_LIBRARY_DIR} was built for CUDA ${TorchCUDA_CUDA_MAJOR}, the toolkit in "
                      "${CUDAToolkit_BIN_DIR} is ${CUDAToolkit_VERSION}: set CUDAToolkit_ROOT to one of CUDA "
                      "${TorchCUDA_CUDA_MAJOR}")
endif()

function(subspace_add_cuda target)
  target_compile_definitions(${target} PRIVATE SUBSPACE_WITH_CUDA)
  target_include_directories(${target} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  # Nothing of ours names a symbol of libtorch_cuda.so: it is loaded so that its kernels register themselves.
  target_link_libraries(${target} PRIVATE
    -Wl,--push-state,--no-as-needed TorchCUDA::torch_cuda TorchCUDA::c10_cuda -Wl,--pop-state TorchCUDA::cudart)
endfunction()
