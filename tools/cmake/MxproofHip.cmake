# Single-source HIP with Debian's clang-22 and HIP 5.2 headers: `.hip` files are C++ sources compiled with -x hip.
# No ROCm device library is needed; optimized/platform supplies the three device functions the headers call.

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 20)
  message(FATAL_ERROR "MXPROOF_PLATFORM=amd needs clang 20 or newer as CMAKE_CXX_COMPILER (found "
                      "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}); use the preset 'default', or "
                      "MXPROOF_PLATFORM=cpu for common and reference alone")
endif()
set(MXPROOF_HIP_ARCHITECTURES "gfx950;gfx942" CACHE STRING
    "Chips that the kernels are built for, separated by semicolons; tests of single code objects use the first")
find_path(MXPROOF_HIP_INCLUDE hip/hip_runtime.h REQUIRED)
find_library(MXPROOF_AMDHIP64 amdhip64 REQUIRED)

set(MXPROOF_HIP_COMMON_FLAGS -x hip -nogpulib -mcode-object-version=5 -D__AMDGCN_WAVEFRONT_SIZE=64
    -DMXPROOF_NO_DEVICE_LIBRARY --rocm-path=/usr -Wno-unused-command-line-argument)
# For one code object.
list(GET MXPROOF_HIP_ARCHITECTURES 0 _first)
set(MXPROOF_HIP_FLAGS ${MXPROOF_HIP_COMMON_FLAGS} --offload-arch=${_first})

# mxproof_hip_sources(TARGET FILES... ) - add .hip sources to a target, for all of MXPROOF_HIP_ARCHITECTURES. Sanitizers
# stay out of them: they would instrument device code too.
function(mxproof_hip_sources target)
  list(TRANSFORM MXPROOF_HIP_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE _offload)
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX
    COMPILE_OPTIONS "${MXPROOF_HIP_COMMON_FLAGS};${_offload};-fno-sanitize=all;-Wno-option-ignored")
  target_sources(${target} PRIVATE ${ARGN})
  # The vendor's headers are not ours to mend: no warnings from them.
  target_include_directories(${target} SYSTEM PRIVATE ${MXPROOF_HIP_INCLUDE})
endfunction()

# mxproof_code_object(TARGET OUTPUT SOURCE [FLAGS...]) - compile the device side of a HIP source alone into the
# code object file OUTPUT; building TARGET makes it. Sources need no HIP header unless they include one.
# The list of headers is asked of the compiler proper: for device code alone the driver passes no -MF on.
function(mxproof_code_object target output source)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_CXX_COMPILER} ${MXPROOF_HIP_FLAGS} -std=c++20 -O3 --offload-device-only --no-gpu-bundle-output
            -I${CMAKE_SOURCE_DIR} -MD -MT ${output} -Xclang -dependency-file -Xclang ${output}.d ${ARGN} -o ${output}
            ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    DEPENDS ${source} DEPFILE ${output}.d VERBATIM
    COMMENT "Compiling code object ${source}")
  add_custom_target(${target} DEPENDS ${output})
endfunction()
