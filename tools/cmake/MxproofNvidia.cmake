# The NVIDIA platform: `.hip` files are compiled by nvcc, as CUDA; optimized/platform maps HIP's names.

enable_language(CUDA)
find_package(CUDAToolkit 12 REQUIRED)
# Debian 12's CMake does not know that nvcc speaks C++20.
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)

# mxproof_hip_sources(TARGET FILES... ) - add .hip sources to a target.
function(mxproof_hip_sources target)
  # Layout objects are constexpr host code that kernels call too. Warning 554 is about MatrixView's conversion to a
  # view of constants, which a view of constants does not need.
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA
    COMPILE_OPTIONS "--expt-relaxed-constexpr;-diag-suppress=554")
  target_sources(${target} PRIVATE ${ARGN})
endfunction()
