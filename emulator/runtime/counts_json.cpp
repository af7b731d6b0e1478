#include "emulator/runtime/counts_json.hpp"

#include <nlohmann/json.hpp>

#include "emulator/runtime/environment.hpp"
#include "emulator/runtime/occupancy.hpp"

namespace mxproof::emulator {
namespace {

using Json = nlohmann::ordered_json;

Json instructions(const LaunchReport& report) {
  Json json = Json::object();
  for (size_t i = 0; i < kInstructionClasses; ++i) {
    json[instruction_class_name(static_cast<InstructionClass>(i))] = report.by_class[i];
  }
  return json;
}

Json matrix(const LaunchReport& report) {
  Json json = Json::object();
  for (const MatrixCount& count : report.by_matrix) {
    json[count.kind] = {{"executed", count.executed}, {"flop", count.flop}};
  }
  return json;
}

/// `redundant`: sectors asked for again, by the same instruction's other executions or by others.
Json sectors(uint64_t requested, uint64_t distinct) {
  return {{"requested", requested}, {"distinct", distinct}, {"redundant", requested - distinct}};
}

Json global(const GlobalCounts& counts) {
  return {{"load_bytes", counts.load_bytes},
          {"store_bytes", counts.store_bytes},
          {"scalar_load_bytes", counts.scalar_load_bytes},
          {"load_sectors", sectors(counts.load_sectors, counts.distinct_load_sectors)},
          {"store_sectors", sectors(counts.store_sectors, counts.distinct_store_sectors)}};
}

Json lds(const LdsCounts& counts) {
  return {{"read_bytes", counts.read_bytes},
          {"write_bytes", counts.write_bytes},
          {"accesses", counts.accesses},
          {"cycles", counts.cycles},
          {"conflict_cycles", counts.conflict_cycles}};
}

Json resources(const Kernel& kernel, const LaunchShape& shape) {
  const uint32_t lanes = shape.block[0] * shape.block[1] * shape.block[2];
  const uint32_t waves = (lanes + kWaveLanes - 1) / kWaveLanes;
  const int groups = groups_per_compute_unit(kernel, lanes, shape.dynamic_lds);
  return {{"vgprs", kernel.vgpr_count},
          {"agprs", kernel.agpr_count},
          {"allocated_vgprs", kernel.descriptor.allocated_vgprs()},
          {"sgprs", kernel.sgpr_count},
          {"lds_bytes", kernel.descriptor.lds_bytes + shape.dynamic_lds},
          {"scratch_bytes_a_lane", kernel.descriptor.private_bytes},
          {"groups_per_compute_unit", groups},
          {"waves_per_simd", static_cast<double>(waves) * groups / kSimds}};
}

}  // namespace

std::string counts_line(const Kernel& kernel, const LaunchShape& shape, const LaunchReport& report,
                        double host_seconds) {
  Json line;
  line["kernel"] = kernel.name;
  line["device"] = claimed_chip().device_name;
  line["grid"] = shape.grid;
  line["block"] = shape.block;
  line["dynamic_lds"] = shape.dynamic_lds;
  line["host_seconds"] = host_seconds;
  line["groups"] = report.groups;
  line["waves"] = report.waves;
  line["wave_instructions"] = report.wave_instructions;
  line["by_class"] = instructions(report);
  line["matrix"] = matrix(report);
  line["global"] = global(report.accesses.global);
  line["lds"] = lds(report.accesses.lds);
  line["resources"] = resources(kernel, shape);
  line["modelled_us"] = report.modelled.us();
  line["modelled"] = {{"memory_us", report.modelled.memory_us},
                      {"matrix_us", report.modelled.matrix_us},
                      {"vector_us", report.modelled.vector_us},
                      {"lds_us", report.modelled.lds_us}};
  for (const MnemonicCount& count : report.by_mnemonic) line["by_mnemonic"][count.mnemonic] = count.executed;
  return line.dump();
}

}  // namespace mxproof::emulator
