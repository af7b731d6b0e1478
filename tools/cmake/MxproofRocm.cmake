# A machine with ROCm 7 or newer: CMake's own HIP language. Nobody has run this preset on such a machine yet; what has
# been checked is that the sources compile with the headers of a newer HIP, and that a machine without ROCm is told so.

set(_advice "The preset 'rocm' needs ROCm 7 or newer, whose compiler knows gfx950 (set CMAKE_PREFIX_PATH, or ROCM_PATH in the environment, if it is not in /opt/rocm). Without ROCm use the preset 'default', which needs Debian packages alone and runs the same kernels.")
# Not the system's folders: Debian's hip-config.cmake stops with an error of its own, as hipcc is not part of Debian.
find_package(hip QUIET CONFIG NO_DEFAULT_PATH
  PATHS ${CMAKE_PREFIX_PATH} $ENV{CMAKE_PREFIX_PATH} $ENV{ROCM_PATH} /opt/rocm)
if(NOT hip_FOUND)
  message(FATAL_ERROR "No HIP was found. ${_advice}")
endif()
if(hip_VERSION VERSION_LESS 7)
  message(FATAL_ERROR "HIP ${hip_VERSION} was found (${hip_DIR}), which does not know gfx950. ${_advice}")
endif()

if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)
  set(CMAKE_HIP_ARCHITECTURES gfx950 gfx942)
endif()
set(CMAKE_HIP_STANDARD 20)
set(CMAKE_HIP_STANDARD_REQUIRED ON)
set(CMAKE_HIP_EXTENSIONS OFF)
enable_language(HIP)
set(MXPROOF_HIP_ARCHITECTURES ${CMAKE_HIP_ARCHITECTURES})

# mxproof_hip_sources(TARGET FILES... ) - add .hip sources to a target.
function(mxproof_hip_sources target)
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE HIP)
  target_sources(${target} PRIVATE ${ARGN})
endfunction()
