#include "emulator/loader/kernel.hpp"

#include <algorithm>
#include <iterator>

namespace mxproof::emulator {
namespace {

struct KindName {
  ValueKind kind;
  std::string_view name;
};

constexpr KindName kKindNames[] = {
    {ValueKind::by_value, "by_value"},
    {ValueKind::global_buffer, "global_buffer"},
    {ValueKind::dynamic_shared_pointer, "dynamic_shared_pointer"},
    {ValueKind::hidden_block_count_x, "hidden_block_count_x"},
    {ValueKind::hidden_block_count_y, "hidden_block_count_y"},
    {ValueKind::hidden_block_count_z, "hidden_block_count_z"},
    {ValueKind::hidden_group_size_x, "hidden_group_size_x"},
    {ValueKind::hidden_group_size_y, "hidden_group_size_y"},
    {ValueKind::hidden_group_size_z, "hidden_group_size_z"},
    {ValueKind::hidden_remainder_x, "hidden_remainder_x"},
    {ValueKind::hidden_remainder_y, "hidden_remainder_y"},
    {ValueKind::hidden_remainder_z, "hidden_remainder_z"},
    {ValueKind::hidden_global_offset_x, "hidden_global_offset_x"},
    {ValueKind::hidden_global_offset_y, "hidden_global_offset_y"},
    {ValueKind::hidden_global_offset_z, "hidden_global_offset_z"},
    {ValueKind::hidden_grid_dims, "hidden_grid_dims"},
    {ValueKind::hidden_none, "hidden_none"},
    {ValueKind::hidden_printf_buffer, "hidden_printf_buffer"},
    {ValueKind::hidden_hostcall_buffer, "hidden_hostcall_buffer"},
    {ValueKind::hidden_multigrid_sync_arg, "hidden_multigrid_sync_arg"},
    {ValueKind::hidden_heap_v1, "hidden_heap_v1"},
    {ValueKind::hidden_default_queue, "hidden_default_queue"},
    {ValueKind::hidden_completion_action, "hidden_completion_action"},
    {ValueKind::hidden_dynamic_lds_size, "hidden_dynamic_lds_size"},
    {ValueKind::hidden_private_base, "hidden_private_base"},
    {ValueKind::hidden_shared_base, "hidden_shared_base"},
    {ValueKind::hidden_queue_ptr, "hidden_queue_ptr"},
};

}  // namespace

std::string_view value_kind_name(ValueKind kind) {
  const auto* row = std::ranges::find(kKindNames, kind, &KindName::kind);
  return row == std::end(kKindNames) ? "unknown" : row->name;
}

ValueKind value_kind_from_name(std::string_view name) {
  const auto* row = std::ranges::find(kKindNames, name, &KindName::name);
  return row == std::end(kKindNames) ? ValueKind::unknown : row->kind;
}

}  // namespace mxproof::emulator
