// Turns the arguments of HIP's structured copy calls into work.
#pragma once

#include <cstddef>

#include "emulator/runtime/copy.hpp"
#include "emulator/runtime/runtime.hpp"

namespace mxproof::emulator {

/// hipMemcpy3DParms; arrays are not supported.
Outcome copy_3d(const hipMemcpy3DParms* params, CopyWork* work);
/// The same the other way, for hipGraphMemcpyNodeGetParams.
hipMemcpy3DParms to_params(const CopyWork& work);

/// `size` bytes to or from byte `offset` of a device variable. Errors: hipErrorInvalidSymbol, and
/// hipErrorInvalidValue when that leaves the variable.
Outcome copy_to_symbol(Runtime& runtime, const void* symbol, const void* from, size_t size, size_t offset,
                       hipMemcpyKind kind, CopyWork* work);
Outcome copy_from_symbol(Runtime& runtime, void* to, const void* symbol, size_t size, size_t offset,
                         hipMemcpyKind kind, CopyWork* work);

/// hipMemsetParams of graph nodes.
Outcome fill_of(const hipMemsetParams* params, FillWork* work);
hipMemsetParams to_params(const FillWork& work);

}  // namespace mxproof::emulator
