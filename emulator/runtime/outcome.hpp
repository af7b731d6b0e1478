// What a HIP call came to, inside of this library.
#pragma once

#include <hip/hip_runtime_api.h>

#include <string>
#include <utility>

namespace mxproof::emulator {

/// HIP's error code, and for an error a sentence for people that the call prints to stderr. The sentence is
/// empty where programs ask on purpose, such as for the attributes of a pointer that may be the host's.
class [[nodiscard]] Outcome {
 public:
  Outcome() = default;
  Outcome(hipError_t code, std::string message = {}) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == hipSuccess; }
  hipError_t code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  hipError_t code_ = hipSuccess;
  std::string message_;
};

/// hipErrorInvalidValue with a sentence.
inline Outcome invalid(std::string message) {
  return {hipErrorInvalidValue, std::move(message)};
}

/// hipErrorNotSupported with a sentence that names what is not supported.
inline Outcome unsupported(std::string message) {
  return {hipErrorNotSupported, std::move(message)};
}

}  // namespace mxproof::emulator

/// Returns the error of an Outcome expression from the enclosing function.
#define MXPROOF_RETURN_IF_NOT_OK(expression)                                                  \
  do {                                                                                        \
    if (::mxproof::emulator::Outcome mxproof_outcome = (expression); !mxproof_outcome.ok()) { \
      return mxproof_outcome;                                                                 \
    }                                                                                         \
  } while (false)
