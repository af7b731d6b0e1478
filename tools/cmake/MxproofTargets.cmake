# How a room declares what it builds: the same warnings, sanitizers and include root everywhere.

add_library(mxproof_options INTERFACE)
target_include_directories(mxproof_options INTERFACE ${CMAKE_SOURCE_DIR})
set(_warnings -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wno-implicit-int-float-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(REMOVE_ITEM _warnings -Wno-implicit-int-float-conversion)
  # g++ 12 finds an overflow in fmt's headers that is none.
  list(APPEND _warnings -Wno-stringop-overflow)
endif()
if(MXPROOF_WERROR)
  list(APPEND _warnings -Werror)
endif()
foreach(_warning IN LISTS _warnings)
  target_compile_options(mxproof_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${_warning}>)
endforeach()
# A reference whose bits matter never lets the compiler contract or reassociate.
target_compile_options(mxproof_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
if(MXPROOF_SANITIZE)
  target_compile_options(mxproof_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                   -fno-omit-frame-pointer)
  target_link_options(mxproof_options INTERFACE -fsanitize=address,undefined)
endif()

# mxproof_library(NAME SOURCES... ) - a static library of one room.
function(mxproof_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC mxproof_options)
endfunction()

# mxproof_test(NAME SOURCES... LINK libs...) - one GoogleTest program; its cases become ctest cases.
function(mxproof_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest GTest::gmock mxproof_options)
  if(NOT "${arg_LINK}" MATCHES "mxproof_test_main")
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 NO_PRETTY_TYPES NO_PRETTY_VALUES
                       PROPERTIES LABELS "${arg_LABELS}")
endfunction()
