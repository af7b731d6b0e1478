# cmake -P script: writes build_info.cpp from its template when the commit or the state of the checkout changed.
# Wants MXPROOF_{SOURCE,TEMPLATE,OUTPUT} and the values that the template names. Where there is no checkout (an archive
# of the sources), the environment variable MXPROOF_COMMIT may say what it is an archive of.
set(MXPROOF_COMMIT unknown)
set(MXPROOF_DIRTY false)
find_program(_git git)
if(_git)
  execute_process(COMMAND ${_git} -C ${MXPROOF_SOURCE} rev-parse HEAD OUTPUT_VARIABLE _commit RESULT_VARIABLE _failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT _failed)
    set(MXPROOF_COMMIT ${_commit})
    execute_process(COMMAND ${_git} -C ${MXPROOF_SOURCE} status --porcelain --untracked-files=no
                    OUTPUT_VARIABLE _changes ERROR_QUIET)
    if(NOT _changes STREQUAL "")
      set(MXPROOF_DIRTY true)
    endif()
  elseif(DEFINED ENV{MXPROOF_COMMIT})
    set(MXPROOF_COMMIT $ENV{MXPROOF_COMMIT})
  endif()
endif()
configure_file(${MXPROOF_TEMPLATE} ${MXPROOF_OUTPUT} @ONLY)
