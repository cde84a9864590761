# cmake -DOUTPUT=kernels.hpp -DFILES=a.wgsl|b.wgsl -P embed_wgsl.cmake
# Writes each shader into a C++ header as the constant of its file's name. Lines that are only a comment stay as empty
# lines: the lines that a driver complains of are those of the file.

set(text "#pragma once\n\n// Written by embed_wgsl.cmake from src/kernels/webgpu.\n\nnamespace attn::webgpu::wgsl {\n")
string(REPLACE "|" ";" files "${FILES}")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" shader)
  string(REGEX REPLACE "(^|\n)[ ]*//[^\n]*" "\\1" shader "${shader}")
  string(REGEX REPLACE "\n[ ]+" "\n" shader "${shader}")
  string(APPEND text "\ninline constexpr char ${name}[] = R\"wgsl(${shader})wgsl\";\n")
endforeach()
string(APPEND text "\n}  // namespace attn::webgpu::wgsl\n")
file(WRITE "${OUTPUT}" "${text}")
