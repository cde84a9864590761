# Toolchain file: WebAssembly by the emcc on the PATH where that one is known to work, else by the one that
# provision.py unpacks. Both bring Emscripten's own toolchain file, which does the rest.

include("${CMAKE_CURRENT_LIST_DIR}/provision.cmake")

# CMake reads this file again for every check that it compiles.
if(NOT DEFINED ENV{ATTN_EMSCRIPTEN_ROOT})
  attn_provision(wasm attn)
  if(NOT attn_ok)
    message(FATAL_ERROR "There is no Emscripten: see the lines above for what to do.")
  endif()
  set(ENV{ATTN_EMSCRIPTEN_ROOT} "${attn_emscripten_root}")
  message(STATUS "Emscripten ${attn_emscripten_version}: ${attn_emcc}")
endif()

include("$ENV{ATTN_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
