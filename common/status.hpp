// Errors as values: `Status` for calls that only succeed or fail, `Expected<T>` for calls that also return
// something. No exceptions cross a room's border; a broken invariant of our own is an assertion instead.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace mxproof {

/// What kind of failure a `Status` reports. The program maps `bad_input` to exit code 2.
enum class StatusCode {
  ok,
  bad_input,  ///< The caller gave something malformed: a file, a flag, a shape.
  refused,    ///< Well-formed, but outside what this path or device supports.
  device,     ///< A HIP call or the emulated machine reported an error.
  internal,   ///< Our own mistake, reported instead of hidden.
};

/// Success, or a code with one sentence that says what is wrong, where, and what would be right.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {
    assert(code != StatusCode::ok);
  }

  static Status bad_input(std::string message) { return {StatusCode::bad_input, std::move(message)}; }
  static Status refused(std::string message) { return {StatusCode::refused, std::move(message)}; }
  static Status device(std::string message) { return {StatusCode::device, std::move(message)}; }
  static Status internal(std::string message) { return {StatusCode::internal, std::move(message)}; }

  bool ok() const { return code_ == StatusCode::ok; }
  explicit operator bool() const { return ok(); }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::ok;
  std::string message_;
};

/// A value, or the `Status` that says why there is none.
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : state_(std::move(value)) {}
  Expected(Status status) : state_(std::move(status)) {
    assert(!std::get<Status>(state_).ok() && "an Expected without a value needs an error");
  }

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<T>(state_); }
  const T& value() const& { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// The error; an ok `Status` when there is a value.
  Status status() const { return ok() ? Status() : std::get<Status>(state_); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace mxproof
