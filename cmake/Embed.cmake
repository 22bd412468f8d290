# SPDX-License-Identifier: Apache-2.0
# Copyright the subspace suite contributors

# subspace_text_literal(<variable> <file>): the text of the file as a C++ literal. A change of the file configures again.
# Long texts are cut into pieces, because compilers need not take longer literals.
function(subspace_text_literal variable file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(LENGTH "${text}" length)
  set(literal "")
  set(place 0)
  while(place LESS length)
    string(SUBSTRING "${text}" ${place} 8000 piece)
    string(APPEND literal "\n    R\"embedded(${piece})embedded\"")
    math(EXPR place "${place} + 8000")
  endwhile()
  set(${variable} "${literal}" PARENT_SCOPE)
endfunction()

# subspace_embed(OUTPUT NAMESPACE HEADER [NAME FILE]...): writes the C++ file OUTPUT, which defines each NAME as a
# std::string_view of the text of FILE.
function(subspace_embed output namespace header)
  set(code "// Written by CMake.\n#include \"${header}\"\n\nnamespace ${namespace} {\n\n")
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs name file)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    subspace_text_literal(literal ${file})
    string(APPEND code "const std::string_view ${name} =${literal};\n\n")
  endwhile()
  string(APPEND code "}  // namespace ${namespace}\n")
  set(before "")
  if(EXISTS ${output})
    file(READ ${output} before)
  endif()
  if(NOT before STREQUAL code)   # or it would be compiled again after every configuration
    file(WRITE ${output} "${code}")
  endif()
endfunction()
