# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# Compiles exactly one folder of libsubspace/src/linalg into the target and links what it calls, hidden.
# SUBSPACE_BACKEND_FOUND then says what was found, for the summary.
function(subspace_add_backend target)
  if(SUBSPACE_BLAS STREQUAL "eigen")
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/libsubspace/src/linalg/eigen/linalg.cpp)
    set(found "Eigen ${Eigen3_VERSION}")
  elseif(SUBSPACE_BLAS STREQUAL "mkl")
    find_package(OneMKL REQUIRED)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/libsubspace/src/linalg/blas/linalg.cpp)
    target_compile_definitions(${target} PRIVATE SUBSPACE_BLAS_MKL)
    target_link_libraries(${target} PRIVATE OneMKL::sequential)
    # LibTorch exports an MKL of its own. Ours must neither see it nor be seen by it.
    target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
    set(found "oneMKL ${OneMKL_VERSION}, static, sequential")
  elseif(SUBSPACE_BLAS STREQUAL "openblas")
    subspace_find_openblas()
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/libsubspace/src/linalg/blas/linalg.cpp)
    target_link_libraries(${target} PRIVATE OpenBLAS::lapacke)
    set(found "OpenBLAS ${OpenBLAS_VERSION}")
  else()
    message(FATAL_ERROR "SUBSPACE_BLAS = '${SUBSPACE_BLAS}', must be mkl, openblas or eigen")
  endif()
  set(SUBSPACE_BACKEND_FOUND "${found}" CACHE INTERNAL "")
endfunction()

# Debian's OpenBLASConfig.cmake sets variables only, and LAPACKE is a package of its own there.
function(subspace_find_openblas)
  find_package(OpenBLAS CONFIG QUIET)
  find_path(OpenBLAS_LAPACKE_INCLUDE_DIR lapacke.h HINTS ${OpenBLAS_INCLUDE_DIRS} PATH_SUFFIXES openblas)
  find_library(OpenBLAS_LAPACKE_LIBRARY lapacke)
  if(NOT OpenBLAS_LIBRARIES OR NOT OpenBLAS_LAPACKE_INCLUDE_DIR)
    message(FATAL_ERROR "SUBSPACE_BLAS=openblas: OpenBLAS or lapacke.h not found; install libopenblas-dev "
                        "and liblapacke-dev, or set CMAKE_PREFIX_PATH, or set SUBSPACE_BLAS=eigen")
  endif()
  add_library(OpenBLAS::lapacke INTERFACE IMPORTED GLOBAL)
  target_include_directories(OpenBLAS::lapacke SYSTEM INTERFACE
    ${OpenBLAS_INCLUDE_DIRS} ${OpenBLAS_LAPACKE_INCLUDE_DIR})
  # An OpenBLAS built with LAPACKE inside has no separate library for it.
  target_link_libraries(OpenBLAS::lapacke INTERFACE
    $<$<BOOL:${OpenBLAS_LAPACKE_LIBRARY}>:${OpenBLAS_LAPACKE_LIBRARY}> ${OpenBLAS_LIBRARIES})
  set(OpenBLAS_VERSION ${OpenBLAS_VERSION} PARENT_SCOPE)
endfunction()
