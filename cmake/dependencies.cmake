# Every library that the C++ uses, with the version that is fetched where none is found. All are found first
# where they are installed or unpacked (find_package), and fetched from upstream only where they are not.

include(FetchContent)
include("${CMAKE_CURRENT_LIST_DIR}/provision.cmake")

set(ATTN_XTL_VERSION 0.7.7)
set(ATTN_XTENSOR_VERSION 0.25.0)
set(ATTN_XSIMD_VERSION 13.2.0)
set(ATTN_CATCH2_VERSION 3.7.1)
set(ATTN_NLOHMANN_JSON_VERSION 3.11.3)

set(attn_parts libraries)
if(ATTN_BUILD_TESTS)
  list(APPEND attn_parts tests)
endif()
set(attn_wanted xtl xtensor xsimd)
if(ATTN_BUILD_TESTS)
  list(APPEND attn_wanted Catch2 nlohmann_json)
endif()

# What this machine has installed serves its own programs only: next to a header in /usr/include lies the C
# library of the machine, which a compiler for WebAssembly must not see.
set(attn_missing TRUE)
if(NOT CMAKE_CROSSCOMPILING)
  set(attn_missing FALSE)
  foreach(name IN LISTS attn_wanted)
    find_package(${name} QUIET)
    if(NOT ${name}_FOUND OR (name STREQUAL "Catch2" AND Catch2_VERSION VERSION_LESS 3))
      set(attn_missing TRUE)
    endif()
  endforeach()
endif()
if(attn_missing)
  list(JOIN attn_parts "," attn_parts)
  attn_provision("${attn_parts}" attn_provided)
  if(attn_provided_ok)
    list(PREPEND CMAKE_PREFIX_PATH "${attn_provided_libraries}")
    list(APPEND CMAKE_FIND_ROOT_PATH "${attn_provided_libraries}")
    if(ATTN_BUILD_TESTS AND NOT DEFINED FETCHCONTENT_SOURCE_DIR_CATCH2)
      # Compiled here, once for each target: a library that a package brings is for this machine only.
      set(FETCHCONTENT_SOURCE_DIR_CATCH2 "${attn_provided_catch2_source}")
    endif()
  else()
    message(STATUS "Libraries that are not installed are fetched from upstream.")
  endif()
endif()

FetchContent_Declare(xtl
  GIT_REPOSITORY https://github.com/xtensor-stack/xtl.git GIT_TAG ${ATTN_XTL_VERSION} GIT_SHALLOW ON
  SYSTEM FIND_PACKAGE_ARGS 0.7)
FetchContent_Declare(xtensor
  GIT_REPOSITORY https://github.com/xtensor-stack/xtensor.git GIT_TAG ${ATTN_XTENSOR_VERSION} GIT_SHALLOW ON
  SYSTEM FIND_PACKAGE_ARGS 0.24)
FetchContent_MakeAvailable(xtl xtensor)
# WebAssembly's vectors are intrinsics of the compiler: see src/kernels/simd/vector.hpp. Any xsimd from 8.1 on will
# do; asked for by number, its package would accept no other major version.
if(NOT EMSCRIPTEN)
  FetchContent_Declare(xsimd
    GIT_REPOSITORY https://github.com/xtensor-stack/xsimd.git GIT_TAG ${ATTN_XSIMD_VERSION} GIT_SHALLOW ON
    SYSTEM FIND_PACKAGE_ARGS)
  FetchContent_MakeAvailable(xsimd)
endif()

if(ATTN_BUILD_TESTS)
  set(JSON_SystemInclude ON)
  FetchContent_Declare(nlohmann_json
    GIT_REPOSITORY https://github.com/nlohmann/json.git GIT_TAG v${ATTN_NLOHMANN_JSON_VERSION} GIT_SHALLOW ON
    SYSTEM FIND_PACKAGE_ARGS 3.11)
  FetchContent_Declare(Catch2
    GIT_REPOSITORY https://github.com/catchorg/Catch2.git GIT_TAG v${ATTN_CATCH2_VERSION} GIT_SHALLOW ON
    SYSTEM FIND_PACKAGE_ARGS 3)
  FetchContent_MakeAvailable(nlohmann_json Catch2)
  if(TARGET Catch2)
    list(APPEND CMAKE_MODULE_PATH "${catch2_SOURCE_DIR}/extras")
    # A hundred small files, each with the same headers: together they compile four times as fast.
    set_target_properties(Catch2 PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 28)
    # Compiled when the tests are, and not for the modules alone.
    set_target_properties(Catch2 Catch2WithMain PROPERTIES EXCLUDE_FROM_ALL ON)
    if(EMSCRIPTEN)
      target_compile_options(Catch2 PUBLIC -fwasm-exceptions)
      target_link_options(Catch2 PUBLIC -fwasm-exceptions)
    endif()
  endif()
endif()
