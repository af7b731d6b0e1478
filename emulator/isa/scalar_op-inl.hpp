// How one small function becomes a scalar instruction.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "emulator/isa/build.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {

template <class T>
T read_scalar(const Wave& w, const Source& source) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(read_scalar64(w, source));
  } else {
    return static_cast<T>(read_scalar32(w, source));
  }
}

template <class T>
void write_scalar(Wave& w, uint16_t reg, T value) {
  if constexpr (sizeof(T) == 8) {
    w.set_scalar64(reg, static_cast<uint64_t>(value));
  } else {
    w.sgpr[reg] = static_cast<uint32_t>(value);
  }
}

template <class T>
constexpr OperandType scalar_type() {
  return sizeof(T) == 8 ? OperandType::b64 : OperandType::b32;
}

template <auto F>
struct Scalar;

/// Without SCC, or SCC alone when R is bool.
template <class R, class... A, R (*F)(A...)>
struct Scalar<F> {
  static constexpr OperandType kResult = std::is_same_v<R, bool> ? OperandType::none : scalar_type<R>();
  static constexpr std::array<OperandType, 4> kSources = {scalar_type<A>()...};
  static void run(const Instruction& inst, Wave& w) { run(inst, w, std::index_sequence_for<A...>()); }
  template <size_t... I>
  static void run(const Instruction& inst, Wave& w, std::index_sequence<I...>) {
    if constexpr (std::is_same_v<R, bool>) {
      w.scc = F(read_scalar<A>(w, inst.src[I])...);
    } else {
      write_scalar<R>(w, inst.dst, F(read_scalar<A>(w, inst.src[I])...));
    }
  }
};

template <class R, class... A, R (*F)(bool&, A...)>
struct Scalar<F> {
  static constexpr OperandType kResult = scalar_type<R>();
  static constexpr std::array<OperandType, 4> kSources = {scalar_type<A>()...};
  static void run(const Instruction& inst, Wave& w) { run(inst, w, std::index_sequence_for<A...>()); }
  template <size_t... I>
  static void run(const Instruction& inst, Wave& w, std::index_sequence<I...>) {
    bool scc = w.scc;
    const R value = F(scc, read_scalar<A>(w, inst.src[I])...);
    write_scalar<R>(w, inst.dst, value);
    w.scc = scc;
  }
};

template <auto F>
constexpr Row scalar_row(std::string_view name, Builder build = &build_scalar) {
  return {
      name, &Scalar<F>::run, build, InstructionClass::scalar_alu, Scalar<F>::kResult, Scalar<F>::kSources};
}
template <class T>
T with_scc(bool& scc, T value) {
  scc = value != 0;
  return value;
}

constexpr Row scalar_handler(std::string_view name, Handler run, OperandType result, OperandType source) {
  return {name, run, &build_scalar, InstructionClass::scalar_alu, result, {source}};
}
constexpr Row one32(std::string_view name, Handler run) {
  return scalar_handler(name, run, OperandType::b32, OperandType::b32);
}
constexpr Row one64(std::string_view name, Handler run) {
  return scalar_handler(name, run, OperandType::b64, OperandType::b64);
}

}  // namespace mxproof::emulator

#define SCALAR(name) scalar_row<&name>(#name)
#define SCALAR_IMMEDIATE(name) scalar_row<&name>(#name, &build_scalar_immediate)
