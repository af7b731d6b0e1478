# cmake -DSOURCE=repository -DFOLDER=scratch -DNM=nm -DCOMPILE=compiler;flags -P missing_kernel.cmake
# A kernel that is in the list but has no test or no bench: what reads the list must then want a function that is
# nowhere, so that the programs do not link.
file(READ ${SOURCE}/optimized/registry/kernels.def _list)
file(WRITE ${FOLDER}/optimized/registry/kernels.def
     "${_list}MXPROOF_KERNEL(not_there, layouts(bf16_rows), layouts(bf16_rows), 1, 32, kQuantises)\n")
foreach(_case "tests/optimized/registry/every_kernel_test.cpp:check_not_there" "bench/optimized/kernel_work.cpp:make_not_there_work")
  string(REGEX REPLACE "(.*):(.*)" "\\1;\\2" _case ${_case})
  list(POP_FRONT _case _file _function)
  execute_process(COMMAND ${COMPILE} -I${FOLDER} -I${SOURCE} -O0 -c ${SOURCE}/${_file} -o ${FOLDER}/unit.o
                  RESULT_VARIABLE _failed ERROR_VARIABLE _errors)
  if(_failed)
    message(FATAL_ERROR "${_file} does not compile with one more kernel:\n${_errors}")
  endif()
  execute_process(COMMAND ${NM} -u -C ${FOLDER}/unit.o OUTPUT_VARIABLE _undefined COMMAND_ERROR_IS_FATAL ANY)
  if(NOT _undefined MATCHES "${_function}\\(")
    message(FATAL_ERROR "${_file} does without ${_function}: a kernel may be missing from it")
  endif()
  message(STATUS "${_file} needs ${_function}")
endforeach()
