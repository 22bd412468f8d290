# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# What every target of the project shares. Nothing here leaks to a project that includes us: flags are
# target properties, set by subspace_defaults() and subspace_library().

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)   # a build folder can be moved

option(SUBSPACE_WARNINGS_AS_ERRORS "Stop on warnings in our own code" ${PROJECT_IS_TOP_LEVEL})
set(SUBSPACE_SANITIZE "" CACHE STRING "Sanitizers for all our targets, e.g. address,undefined")

find_program(SUBSPACE_CCACHE ccache)
mark_as_advanced(SUBSPACE_CCACHE)
if(SUBSPACE_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what ccache's manual asks for with precompiled headers (libneural has one). Paths below the
  # sources count as relative, so that a fresh clone finds what another one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true ${SUBSPACE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

option(SUBSPACE_PRECOMPILE "Precompile what most files of our libraries include: builds sooner, and hides a missing include" OFF)
set(SUBSPACE_TEST_FLAGS "" CACHE STRING "Further compiler flags of the tests")

# What a library's files include most. Of use to the sanitizer build alone: the others find an include that is missing,
# and with -O3 GCC 12 raises false alarms about std::string.
function(subspace_precompile target)
  target_precompile_headers(${target} PRIVATE <Eigen/Core> <Eigen/SparseCore> <algorithm> <cmath> <filesystem> <functional>
    <map> <memory> <optional> <string> <vector> ${ARGN})
  # A precompiled header is no system header to GCC any more: false alarms inside std::string.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-stringop-overflow -Wno-restrict>)
endfunction()

function(subspace_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>)
  if(SUBSPACE_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

function(subspace_sanitizers target)
  if(NOT SUBSPACE_SANITIZE)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fsanitize=${SUBSPACE_SANITIZE} -fno-omit-frame-pointer
                                           -fno-sanitize-recover=all)
  target_compile_definitions(${target} PRIVATE SUBSPACE_SANITIZED)
  target_link_options(${target} PRIVATE -fsanitize=${SUBSPACE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumentation hides initialisations from GCC's flow analysis: false alarms inside Eigen.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
endfunction()

# Common properties of one of our targets.
function(subspace_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    C_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  subspace_warnings(${target})
  subspace_sanitizers(${target})
endfunction()

# subspace_library(NAME sources...): shared library with alias subspace::NAME and the public headers of the
# present folder's include/. Installed and exported by Install.cmake.
function(subspace_library name)
  add_library(subspace_${name} SHARED ${ARGN})
  add_library(subspace::${name} ALIAS subspace_${name})
  subspace_defaults(subspace_${name})
  target_include_directories(subspace_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(subspace_${name} PROPERTIES
    EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}
    INSTALL_RPATH "$ORIGIN")
  if(SUBSPACE_PRECOMPILE)
    subspace_precompile(subspace_${name})
  endif()
  if(NOT SUBSPACE_SANITIZE)   # whose runtime is resolved by the program
    target_link_options(subspace_${name} PRIVATE -Wl,-z,defs)
  endif()
endfunction()
