# cmake -DPROGRAM=file -DTEST=name [-DEXPLAINED=text] -P expect_caught.cmake
# Passes when exactly that test runs and fails by an expectation, and its output holds the text: a mutant that cannot
# start, crashes or finds no such test is not caught.

execute_process(COMMAND ${PROGRAM} --gtest_filter=${TEST} RESULT_VARIABLE _exit OUTPUT_VARIABLE _out ERROR_VARIABLE _err)
if(NOT _out MATCHES "\\[==========\\] Running 1 test from 1 test suite")
  message(FATAL_ERROR "no test ${TEST} ran (exit ${_exit})\n${_out}\n${_err}")
endif()
if(NOT _exit EQUAL 1 OR NOT _out MATCHES "\\[  FAILED  \\] 1 test, listed below")
  message(FATAL_ERROR "survived ${TEST} (exit ${_exit})\n${_out}\n${_err}")
endif()
if(_err MATCHES "libmxproof_hip:")
  message(FATAL_ERROR "the machine stopped instead of giving a wrong result\n${_err}")
endif()
if(EXPLAINED)
  string(FIND "${_out}" "${EXPLAINED}" _at)
  if(_at EQUAL -1)
    message(FATAL_ERROR "caught, but the test does not say '${EXPLAINED}'\n${_out}")
  endif()
endif()
message(STATUS "caught by ${TEST} ${EXPLAINED}")
