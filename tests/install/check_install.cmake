# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# Installs BUILD_DIR, moves the tree elsewhere (nothing in it may know where it was), then configures, builds
# and runs CONSUMER_DIR against it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "${line}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${SCRATCH_DIR}/first)
file(RENAME ${SCRATCH_DIR}/first ${SCRATCH_DIR}/moved)

set(configure ${CMAKE_COMMAND} -S ${CONSUMER_DIR} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_PREFIX_PATH=${SCRATCH_DIR}/moved)
if(SANITIZE)
  list(APPEND configure -DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE})
endif()

run(${configure} -B ${SCRATCH_DIR}/build -DWITH_NEURAL=${WITH_NEURAL})
run(${CMAKE_COMMAND} --build ${SCRATCH_DIR}/build)
run(${SCRATCH_DIR}/build/use_subspace)
run(${SCRATCH_DIR}/build/use_pipelines)
if(WITH_NEURAL)
  run(${SCRATCH_DIR}/build/use_neural)
endif()
if(WITH_PROGRAM)
  run(${SCRATCH_DIR}/moved/bin/subspace methods)
  if(NOT output MATCHES "ensc")
    message(FATAL_ERROR "the installed program does not know its methods:\n${output}")
  endif()
endif()

# A component that does not exist is refused by name.
execute_process(COMMAND ${configure} -B ${SCRATCH_DIR}/refused -DASK_FOR=quantum
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " output "${output}")
if(status EQUAL 0 OR NOT output MATCHES "component 'quantum' is not in this installation")
  message(FATAL_ERROR "an unknown component was not refused by name:\n${output}")
endif()
file(REMOVE_RECURSE ${SCRATCH_DIR})
