// One set of names for cuBLASLt and hipBLASLt, whose interfaces agree but for the prefix.
#pragma once

#if defined(MXPROOF_WITH_CUBLASLT)

#include <cublasLt.h>
#include <library_types.h>

#define MXPROOF_BLASLT(name) cublasLt##name
#define MXPROOF_BLASLT_ENUM(name) CUBLASLT_##name
using BlasStatus = cublasStatus_t;
inline constexpr auto kBlasSuccess = CUBLAS_STATUS_SUCCESS;
inline constexpr auto kBlasTranspose = CUBLAS_OP_T;
inline constexpr auto kBlasComputeF32 = CUBLAS_COMPUTE_32F;
inline constexpr auto kTypeBf16 = CUDA_R_16BF;
inline constexpr auto kTypeF32 = CUDA_R_32F;
inline constexpr const char* kBlasName = "cublaslt_bf16";

#elif defined(MXPROOF_WITH_HIPBLASLT)

#include <hipblaslt/hipblaslt.h>

#define MXPROOF_BLASLT(name) hipblasLt##name
#define MXPROOF_BLASLT_ENUM(name) HIPBLASLT_##name
using BlasStatus = hipblasStatus_t;
inline constexpr auto kBlasSuccess = HIPBLAS_STATUS_SUCCESS;
inline constexpr auto kBlasTranspose = HIPBLAS_OP_T;
inline constexpr auto kBlasComputeF32 = HIPBLAS_COMPUTE_32F;
inline constexpr auto kTypeBf16 = HIP_R_16BF;
inline constexpr auto kTypeF32 = HIP_R_32F;
inline constexpr const char* kBlasName = "hipblaslt_bf16";

#endif
