# Flags of our own code. Never fast-math, and no contraction: a product and a sum that one machine fuses and
# another does not would give other digits, and every build here must give the same.

add_library(attn_flags INTERFACE)
target_compile_options(attn_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Werror
  -ffp-contract=off)

# What a page fetches does without exceptions and type information; the tests, which report by exceptions, do not.
add_library(attn_lean INTERFACE)

if(EMSCRIPTEN)
  target_compile_options(attn_lean INTERFACE -fno-exceptions -fno-rtti)
  # At the link too: Embind's own library comes with and without type information, and must match.
  target_link_options(attn_lean INTERFACE -fno-exceptions -fno-rtti)
  if(ATTN_VARIANT STREQUAL "simd")
    target_compile_options(attn_flags INTERFACE -msimd128)
  elseif(ATTN_VARIANT STREQUAL "relaxed")
    target_compile_options(attn_flags INTERFACE -msimd128 -mrelaxed-simd)
  elseif(NOT ATTN_VARIANT STREQUAL "scalar")
    message(FATAL_ERROR "ATTN_VARIANT must be scalar, simd or relaxed, and is '${ATTN_VARIANT}'.")
  endif()
elseif(ATTN_SANITIZE)
  # Lines are what the sanitizers name; the rest of what a debugger reads takes a third of the compiling.
  target_compile_options(attn_flags INTERFACE
    -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_compile_definitions(attn_flags INTERFACE _GLIBCXX_ASSERTIONS XTENSOR_ENABLE_ASSERT)
  target_link_options(attn_flags INTERFACE -fsanitize=address,undefined)
endif()

# Added to a file, keeps the compiler from turning its loops into vector code by itself, or every comparison
# of scalar code with vector code would be false.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(ATTN_NO_VECTORIZATION "-fno-vectorize;-fno-slp-vectorize")
else()
  set(ATTN_NO_VECTORIZATION "-fno-tree-vectorize;-fno-tree-slp-vectorize")
endif()
