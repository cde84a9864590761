# attn_provision(<parts> <prefix>) asks provision.py for parts of the toolchain, which it finds or unpacks, and
# sets <prefix>_<name> for each thing that it answers, and <prefix>_ok.

set(ATTN_PROVISION_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/provision.py")

function(attn_provision parts prefix)
  set(${prefix}_ok FALSE PARENT_SCOPE)
  find_program(ATTN_PYTHON NAMES python3 python NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ATTN_PYTHON)
    message(STATUS "Python 3 is missing; on Debian: apt-get install python3")
    return()
  endif()
  # Progress goes to standard error, which stays on the terminal.
  execute_process(
    COMMAND "${ATTN_PYTHON}" "${ATTN_PROVISION_SCRIPT}" --for "${parts}"
    OUTPUT_VARIABLE answer
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    return()
  endif()
  string(REPLACE "\n" ";" lines "${answer}")
  foreach(line IN LISTS lines)
    if(line MATCHES "^([a-z0-9_]+)=(.*)$")
      set(${prefix}_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" PARENT_SCOPE)
    endif()
  endforeach()
  set(${prefix}_ok TRUE PARENT_SCOPE)
endfunction()
