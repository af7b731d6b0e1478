#include "emulator/runtime/error_text.hpp"

#include <algorithm>
#include <iterator>

namespace mxproof::emulator {
namespace {

struct ErrorText {
  hipError_t code;
  const char* name;
  const char* text;
};

#define MXPROOF_ERROR(code, text) {code, #code, text}
constexpr ErrorText kErrors[] = {
    MXPROOF_ERROR(hipSuccess, "no error"),
    MXPROOF_ERROR(hipErrorInvalidValue, "invalid argument"),
    MXPROOF_ERROR(hipErrorOutOfMemory, "out of memory"),
    MXPROOF_ERROR(hipErrorNotInitialized, "initialization error"),
    MXPROOF_ERROR(hipErrorDeinitialized, "driver shutting down"),
    MXPROOF_ERROR(hipErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
    MXPROOF_ERROR(hipErrorProfilerNotInitialized, "profiler is not initialized"),
    MXPROOF_ERROR(hipErrorProfilerAlreadyStarted, "profiler already started"),
    MXPROOF_ERROR(hipErrorProfilerAlreadyStopped, "profiler already stopped"),
    MXPROOF_ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    MXPROOF_ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    MXPROOF_ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    MXPROOF_ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    MXPROOF_ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    MXPROOF_ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    MXPROOF_ERROR(hipErrorMissingConfiguration, "call to a kernel without a configuration"),
    MXPROOF_ERROR(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    MXPROOF_ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    MXPROOF_ERROR(hipErrorNoDevice, "no ROCm-capable device is detected"),
    MXPROOF_ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    MXPROOF_ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    MXPROOF_ERROR(hipErrorInvalidContext, "invalid device context"),
    MXPROOF_ERROR(hipErrorContextAlreadyCurrent, "context is already current context"),
    MXPROOF_ERROR(hipErrorMapFailed, "mapping of buffer object failed"),
    MXPROOF_ERROR(hipErrorUnmapFailed, "unmapping of buffer object failed"),
    MXPROOF_ERROR(hipErrorArrayIsMapped, "array is mapped"),
    MXPROOF_ERROR(hipErrorAlreadyMapped, "resource already mapped"),
    MXPROOF_ERROR(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"),
    MXPROOF_ERROR(hipErrorAlreadyAcquired, "resource already acquired"),
    MXPROOF_ERROR(hipErrorNotMapped, "resource not mapped"),
    MXPROOF_ERROR(hipErrorNotMappedAsArray, "resource not mapped as array"),
    MXPROOF_ERROR(hipErrorNotMappedAsPointer, "resource not mapped as pointer"),
    MXPROOF_ERROR(hipErrorECCNotCorrectable, "uncorrectable ECC error encountered"),
    MXPROOF_ERROR(hipErrorUnsupportedLimit, "limit is not supported on this architecture"),
    MXPROOF_ERROR(hipErrorContextAlreadyInUse,
                  "exclusive-thread device already in use by a different thread"),
    MXPROOF_ERROR(hipErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    MXPROOF_ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    MXPROOF_ERROR(hipErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    MXPROOF_ERROR(hipErrorInvalidSource, "device kernel image is invalid"),
    MXPROOF_ERROR(hipErrorFileNotFound, "file not found"),
    MXPROOF_ERROR(hipErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    MXPROOF_ERROR(hipErrorSharedObjectInitFailed, "shared object initialization failed"),
    MXPROOF_ERROR(hipErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    MXPROOF_ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    MXPROOF_ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
    MXPROOF_ERROR(hipErrorNotFound, "named symbol not found"),
    MXPROOF_ERROR(hipErrorNotReady, "device not ready"),
    MXPROOF_ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    MXPROOF_ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
    MXPROOF_ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
    MXPROOF_ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    MXPROOF_ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    MXPROOF_ERROR(hipErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    MXPROOF_ERROR(hipErrorContextIsDestroyed, "context is destroyed"),
    MXPROOF_ERROR(hipErrorAssert, "device-side assert triggered"),
    MXPROOF_ERROR(hipErrorHostMemoryAlreadyRegistered,
                  "part or all of the requested memory range is already mapped"),
    MXPROOF_ERROR(hipErrorHostMemoryNotRegistered,
                  "pointer does not correspond to a registered memory region"),
    MXPROOF_ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    MXPROOF_ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    MXPROOF_ERROR(hipErrorNotSupported, "operation not supported"),
    MXPROOF_ERROR(hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    MXPROOF_ERROR(hipErrorStreamCaptureInvalidated,
                  "operation failed due to a previous error during capture"),
    MXPROOF_ERROR(hipErrorStreamCaptureMerge,
                  "operation would result in a merge of separate capture sequences"),
    MXPROOF_ERROR(hipErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    MXPROOF_ERROR(hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    MXPROOF_ERROR(hipErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    MXPROOF_ERROR(hipErrorStreamCaptureImplicit,
                  "operation would make the legacy stream depend on a capturing blocking stream"),
    MXPROOF_ERROR(hipErrorCapturedEvent,
                  "operation not permitted on an event last recorded in a capturing stream"),
    MXPROOF_ERROR(hipErrorStreamCaptureWrongThread,
                  "attempt to terminate a thread-local capture sequence from another thread"),
    MXPROOF_ERROR(
        hipErrorGraphExecUpdateFailure,
        "the graph update was not performed because it included changes which violated constraints"),
    MXPROOF_ERROR(hipErrorUnknown, "unknown error"),
    MXPROOF_ERROR(hipErrorRuntimeMemory, "runtime memory call returned error"),
    MXPROOF_ERROR(hipErrorRuntimeOther, "runtime call other than memory returned error"),
};
#undef MXPROOF_ERROR

const ErrorText& find(hipError_t error) {
  const auto* row = std::ranges::find(kErrors, error, &ErrorText::code);
  return row != std::end(kErrors) ? *row : find(hipErrorUnknown);
}

}  // namespace

const char* error_name(hipError_t error) {
  return find(error).name;
}
const char* error_string(hipError_t error) {
  return find(error).text;
}

}  // namespace mxproof::emulator
