# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# liblinear (<linear.h>), Debian's liblinear-dev. Offers LIBLINEAR::liblinear and LIBLINEAR_VERSION.
include(FindPackageHandleStandardArgs)

find_path(LIBLINEAR_INCLUDE_DIR linear.h PATH_SUFFIXES liblinear)
find_library(LIBLINEAR_LIBRARY linear)
mark_as_advanced(LIBLINEAR_INCLUDE_DIR LIBLINEAR_LIBRARY)

if(LIBLINEAR_INCLUDE_DIR)   # 230 is version 2.30
  file(STRINGS ${LIBLINEAR_INCLUDE_DIR}/linear.h _liblinear_line REGEX "define +LIBLINEAR_VERSION")
  string(REGEX MATCH "LIBLINEAR_VERSION +([0-9]+)([0-9][0-9])" _ "${_liblinear_line}")
  set(LIBLINEAR_VERSION ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
endif()

find_package_handle_standard_args(LIBLINEAR
  REQUIRED_VARS LIBLINEAR_LIBRARY LIBLINEAR_INCLUDE_DIR
  VERSION_VAR LIBLINEAR_VERSION
  REASON_FAILURE_MESSAGE "run script/bootstrap, or install liblinear-dev")

if(LIBLINEAR_FOUND AND NOT TARGET LIBLINEAR::liblinear)
  add_library(LIBLINEAR::liblinear UNKNOWN IMPORTED)
  set_target_properties(LIBLINEAR::liblinear PROPERTIES
    IMPORTED_LOCATION ${LIBLINEAR_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LIBLINEAR_INCLUDE_DIR})
endif()
