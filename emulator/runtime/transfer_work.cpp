#include "emulator/runtime/transfer_work.hpp"

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

CopySide side_of(const hipPitchedPtr& pointer, const hipPos& position) {
  CopySide side{.pitch = pointer.pitch, .slice = pointer.pitch * pointer.ysize};
  side.base =
      static_cast<std::byte*>(pointer.ptr) + position.z * side.slice + position.y * side.pitch + position.x;
  return side;
}

Outcome find_part(Runtime& runtime, const void* symbol, size_t size, size_t offset, void** part) {
  Symbol found;
  MXPROOF_RETURN_IF_NOT_OK(runtime.registry.find_symbol(symbol, &found));
  if (offset > found.size || size > found.size - offset) {
    return invalid(fmt::format("{} bytes at byte {} of a variable of {}", size, offset, found.size));
  }
  *part = static_cast<std::byte*>(found.address) + offset;
  return {};
}

}  // namespace

Outcome copy_3d(const hipMemcpy3DParms* params, CopyWork* work) {
  if (params == nullptr) return invalid("no parameters");
  if (params->srcArray != nullptr || params->dstArray != nullptr) return unsupported("arrays");
  if (params->srcPtr.ptr == nullptr || params->dstPtr.ptr == nullptr) return invalid("a null pointer");
  *work = {.to = side_of(params->dstPtr, params->dstPos),
           .from = side_of(params->srcPtr, params->srcPos),
           .width = params->extent.width,
           .height = params->extent.height,
           .depth = params->extent.depth,
           .kind = params->kind};
  return {};
}

hipMemcpy3DParms to_params(const CopyWork& work) {
  const auto pitched = [&](const CopySide& side) -> hipPitchedPtr {
    const size_t pitch = side.pitch == 0 ? work.width : side.pitch;
    const size_t rows = pitch == 0 || side.slice == 0 ? work.height : side.slice / pitch;
    return {.ptr = side.base, .pitch = pitch, .xsize = work.width, .ysize = rows};
  };
  hipMemcpy3DParms params{};
  params.dstPtr = pitched(work.to);
  params.srcPtr = pitched(work.from);
  params.extent = {work.width, work.height, work.depth};
  params.kind = work.kind;
  return params;
}

Outcome copy_to_symbol(Runtime& runtime, const void* symbol, const void* from, size_t size, size_t offset,
                       hipMemcpyKind kind, CopyWork* work) {
  void* part = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(find_part(runtime, symbol, size, offset, &part));
  *work = CopyWork::linear(part, from, size, kind);
  return {};
}

Outcome copy_from_symbol(Runtime& runtime, void* to, const void* symbol, size_t size, size_t offset,
                         hipMemcpyKind kind, CopyWork* work) {
  void* part = nullptr;
  MXPROOF_RETURN_IF_NOT_OK(find_part(runtime, symbol, size, offset, &part));
  *work = CopyWork::linear(to, part, size, kind);
  return {};
}

Outcome fill_of(const hipMemsetParams* params, FillWork* work) {
  if (params == nullptr) return invalid("no parameters");
  *work = {.base = params->dst,
           .pitch = params->pitch,
           .value = params->value,
           .element_size = params->elementSize,
           .width = params->width,
           .height = params->height};
  return {};
}

hipMemsetParams to_params(const FillWork& work) {
  return {.dst = work.base,
          .elementSize = work.element_size,
          .height = work.height,
          .pitch = work.pitch,
          .value = work.value,
          .width = work.width};
}

}  // namespace mxproof::emulator
