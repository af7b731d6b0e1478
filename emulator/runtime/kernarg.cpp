#include "emulator/runtime/kernarg.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

// HIP dispatches every kernel with three dimensions.
constexpr uint64_t kGridDims = 3;

// The value of a hidden argument; false when this kind cannot be given one. Pointers to services that are not
// there (printf, host calls, device heap, queues) are null: a kernel that uses one faults at address 0, and
// one that merely lists them, as at -O0, runs.
bool hidden_value(ValueKind kind, const LaunchShape& shape, uint64_t* value) {
  *value = 0;
  switch (kind) {
    case ValueKind::hidden_block_count_x:
      *value = shape.grid[0];
      return true;
    case ValueKind::hidden_block_count_y:
      *value = shape.grid[1];
      return true;
    case ValueKind::hidden_block_count_z:
      *value = shape.grid[2];
      return true;
    case ValueKind::hidden_group_size_x:
      *value = shape.block[0];
      return true;
    case ValueKind::hidden_group_size_y:
      *value = shape.block[1];
      return true;
    case ValueKind::hidden_group_size_z:
      *value = shape.block[2];
      return true;
    case ValueKind::hidden_grid_dims:
      *value = kGridDims;
      return true;
    case ValueKind::hidden_dynamic_lds_size:
      *value = shape.dynamic_lds;
      return true;
    case ValueKind::hidden_remainder_x:  // grids are whole work-groups
    case ValueKind::hidden_remainder_y:
    case ValueKind::hidden_remainder_z:
    case ValueKind::hidden_global_offset_x:
    case ValueKind::hidden_global_offset_y:
    case ValueKind::hidden_global_offset_z:
    case ValueKind::hidden_none:
    case ValueKind::hidden_printf_buffer:
    case ValueKind::hidden_hostcall_buffer:
    case ValueKind::hidden_multigrid_sync_arg:
    case ValueKind::hidden_heap_v1:
    case ValueKind::hidden_default_queue:
    case ValueKind::hidden_completion_action:
    case ValueKind::hidden_queue_ptr:
      return true;
    default:
      return false;
  }
}

Outcome fill_hidden(const Kernel& kernel, const LaunchShape& shape, std::vector<std::byte>& kernarg) {
  for (const KernelArg& arg : kernel.args) {
    if (!is_hidden(arg.value_kind)) continue;
    uint64_t value = 0;
    if (!hidden_value(arg.value_kind, shape, &value)) {
      return unsupported(fmt::format("kernel {}: argument of kind {}", kernel.name, arg.value_kind_text));
    }
    assert(arg.offset + arg.size <= kernarg.size());
    std::memcpy(kernarg.data() + arg.offset, &value, std::min<size_t>(arg.size, sizeof(value)));
  }
  return {};
}

}  // namespace

std::vector<const KernelArg*> visible_args(const Kernel& kernel) {
  std::vector<const KernelArg*> args;
  for (const KernelArg& arg : kernel.args) {
    if (!is_hidden(arg.value_kind)) args.push_back(&arg);
  }
  return args;
}

Outcome pack_args(const Kernel& kernel, void* const* args, const LaunchShape& shape,
                  std::vector<std::byte>* kernarg) {
  kernarg->assign(kernel.kernarg_bytes, std::byte{0});
  const std::vector<const KernelArg*> visible = visible_args(kernel);
  if (args == nullptr && !visible.empty()) {
    return invalid(fmt::format("kernel {} takes {} arguments, none are given", kernel.name, visible.size()));
  }
  for (size_t i = 0; i < visible.size(); ++i) {
    if (visible[i]->value_kind == ValueKind::unknown) {
      return unsupported(
          fmt::format("kernel {}: argument of kind {}", kernel.name, visible[i]->value_kind_text));
    }
    assert(args != nullptr);
    if (args[i] == nullptr) {
      return invalid(fmt::format("kernel {}: the pointer to argument {} is null", kernel.name, i));
    }
    std::memcpy(kernarg->data() + visible[i]->offset, args[i], visible[i]->size);
  }
  return fill_hidden(kernel, shape, *kernarg);
}

Outcome pack_buffer(const Kernel& kernel, std::span<const std::byte> buffer, const LaunchShape& shape,
                    std::vector<std::byte>* kernarg) {
  size_t needed = 0;
  for (const KernelArg* arg : visible_args(kernel)) {
    if (arg->value_kind == ValueKind::unknown) {
      return unsupported(fmt::format("kernel {}: argument of kind {}", kernel.name, arg->value_kind_text));
    }
    needed = std::max<size_t>(needed, arg->offset + arg->size);
  }
  if (buffer.size() < needed || buffer.size() > kernel.kernarg_bytes) {
    return invalid(fmt::format("kernel {}: an argument buffer of {} bytes; {} to {} would fit", kernel.name,
                               buffer.size(), needed, kernel.kernarg_bytes));
  }
  kernarg->assign(kernel.kernarg_bytes, std::byte{0});
  std::ranges::copy(buffer, kernarg->begin());
  return fill_hidden(kernel, shape, *kernarg);
}

}  // namespace mxproof::emulator
