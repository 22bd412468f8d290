# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# One closing table: what is built, with what, and what is missing and how to get it.
function(subspace_say what value)
  string(LENGTH "${what}" length)
  math(EXPR gap "18 - ${length}")
  string(REPEAT " " ${gap} blanks)
  message(STATUS "  ${what}${blanks}${value}")
endfunction()

function(subspace_say_part what option value)
  if(${option})
    subspace_say(${what} "${value}")
  else()
    subspace_say(${what} "no (${option}=OFF)")
  endif()
endfunction()

if(SUBSPACE_OSQP)
  set(_osqp_line "${SUBSPACE_OSQP}")
elseif(NOT SUBSPACE_USE_OSQP)
  set(_osqp_line "not wanted")
else()
  set(_osqp_line "missing: run script/bootstrap, or set CMAKE_PREFIX_PATH to an OSQP 0.6")
endif()
if(SUBSPACE_SANITIZE)
  set(_sanitize_line ", sanitizers ${SUBSPACE_SANITIZE}")
endif()

message(STATUS "subspace suite ${PROJECT_VERSION}")
subspace_say("build" "${CMAKE_BUILD_TYPE}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}${_sanitize_line}")
subspace_say("linear algebra" "${SUBSPACE_BACKEND_FOUND}")
subspace_say("quadratic program" "${_osqp_line}")
subspace_say_part("libneural" SUBSPACE_BUILD_NEURAL "LibTorch ${TorchCPU_VERSION} in ${TorchCPU_LIBRARY_DIR}")
if(SUBSPACE_BUILD_NEURAL)
  subspace_say_part("CUDA" SUBSPACE_CUDA
    "toolkit ${CUDAToolkit_VERSION} in ${CUDAToolkit_BIN_DIR}, LibTorch for CUDA ${TorchCUDA_CUDA_MAJOR}")
endif()
subspace_say_part("program" SUBSPACE_BUILD_APP "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/subspace")
subspace_say_part("tests" SUBSPACE_BUILD_TESTS "ctest --test-dir ${PROJECT_BINARY_DIR}")
subspace_say_part("benchmarks" SUBSPACE_BUILD_BENCH "yes")
