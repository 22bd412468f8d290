# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors
#
# Offers subspace::spectra: Spectra's headers. Debian's package has no CMake config.
find_path(SPECTRA_INCLUDE_DIR Spectra/SymEigsSolver.h)
mark_as_advanced(SPECTRA_INCLUDE_DIR)
if(NOT SPECTRA_INCLUDE_DIR)
  message(FATAL_ERROR "Spectra not found: install libspectra-dev (script/bootstrap does) or set SPECTRA_INCLUDE_DIR")
endif()
add_library(subspace_spectra INTERFACE)
add_library(subspace::spectra ALIAS subspace_spectra)
target_include_directories(subspace_spectra SYSTEM INTERFACE $<BUILD_INTERFACE:${SPECTRA_INCLUDE_DIR}>)
target_link_libraries(subspace_spectra INTERFACE Eigen3::Eigen)
