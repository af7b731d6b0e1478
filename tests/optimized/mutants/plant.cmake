# cmake -DMUTANTS=mutants.json -DINDEX=n -DKEY=edits|assembly_edits -DFROM=file -DTO=file -P plant.cmake
# Copies FROM to TO with the mutant's edits. An edit that finds nothing to change is an error: the mutant is stale.

file(READ ${MUTANTS} _json)
file(READ ${FROM} _text)
string(JSON _count LENGTH "${_json}" ${INDEX} ${KEY})
math(EXPR _last "${_count} - 1")
foreach(_edit RANGE ${_last})
  string(JSON _old GET "${_json}" ${INDEX} ${KEY} ${_edit} 0)
  string(JSON _new GET "${_json}" ${INDEX} ${KEY} ${_edit} 1)
  string(FIND "${_text}" "${_old}" _position)
  if(_position EQUAL -1)
    string(JSON _id GET "${_json}" ${INDEX} id)
    message(FATAL_ERROR "mutant ${_id}: '${_old}' is not in ${FROM}")
  endif()
  string(REPLACE "${_old}" "${_new}" _text "${_text}")
endforeach()
file(WRITE ${TO} "${_text}")
