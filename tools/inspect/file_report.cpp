#include "tools/inspect/file_report.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "emulator/loader/code_object.hpp"
#include "emulator/loader/fat_binary.hpp"
#include "emulator/machine/unknown.hpp"
#include "emulator/runtime/occupancy.hpp"

namespace mxproof {
namespace {

using emulator::CodeObject;
using emulator::FatBinary;
using emulator::Kernel;
using nlohmann::ordered_json;

const char* kind_text(FatBinary::Kind kind) {
  switch (kind) {
    case FatBinary::Kind::code_object:
      return "code object";
    case FatBinary::Kind::bundle:
      return "offload bundle";
    case FatBinary::Kind::host_binary:
      return "HIP program";
  }
  return "";
}

ordered_json report_argument(const emulator::KernelArg& argument) {
  ordered_json report;
  report["offset"] = argument.offset;
  report["size"] = argument.size;
  report["kind"] = argument.value_kind_text;
  report["hidden"] = emulator::is_hidden(argument.value_kind);
  if (!argument.name.empty()) report["name"] = argument.name;
  if (!argument.type_name.empty()) report["type"] = argument.type_name;
  return report;
}

Expected<ordered_json> report_kernel(const CodeObject& code_object, const Kernel& kernel) {
  ordered_json report;
  report["name"] = kernel.name;
  report["demangled"] = demangled(kernel.name);
  report["vgprs"] = kernel.vgpr_count;
  report["agprs"] = kernel.agpr_count;
  report["sgprs"] = kernel.sgpr_count;
  report["vgpr_spills"] = kernel.vgpr_spills;
  report["sgpr_spills"] = kernel.sgpr_spills;
  report["lds_bytes"] = kernel.descriptor.lds_bytes;
  report["scratch_bytes_a_lane"] = kernel.descriptor.private_bytes;
  report["kernarg_bytes"] = kernel.kernarg_bytes;
  report["preloaded_kernarg_dwords"] = kernel.descriptor.preload_dwords();
  report["max_work_group"] = kernel.max_workgroup_size;
  report["waves_per_simd"] =
      std::min(emulator::kMaxWavesPerSimd, emulator::kRegistersPerLane / kernel.descriptor.allocated_vgprs());
  report["code_bytes"] = kernel.code_bytes;
  report["arguments"] = ordered_json::array();
  for (const emulator::KernelArg& argument : kernel.args)
    report["arguments"].push_back(report_argument(argument));
  auto unknown = emulator::unknown_instructions(code_object, kernel);
  if (!unknown) return unknown.status();
  report["unknown_instructions"] = ordered_json::array();
  for (const emulator::UnknownInstruction& instruction : *unknown) {
    report["unknown_instructions"].push_back(
        {{"address", fmt::format("{:#x}", instruction.vaddr)}, {"text", instruction.text}});
  }
  return report;
}

Expected<ordered_json> report_code_object(const CodeObject& code_object) {
  ordered_json report;
  report["target"] = code_object.target_id().empty() ? code_object.target() : code_object.target_id();
  report["kernels"] = ordered_json::array();
  for (const Kernel& kernel : code_object.kernels()) {
    Expected<ordered_json> one = report_kernel(code_object, kernel);
    if (!one) return one.status();
    report["kernels"].push_back(*std::move(one));
  }
  report["variables"] = ordered_json::array();
  for (const emulator::Variable& variable : code_object.variables())
    report["variables"].push_back({{"name", variable.name}, {"bytes", variable.size}});
  return report;
}

std::string argument_text(size_t index, const ordered_json& argument) {
  return fmt::format("      {:3}  offset {:4}  size {:3}  {}{}{}\n", index,
                     argument["offset"].get<unsigned>(), argument["size"].get<unsigned>(),
                     argument["kind"].get<std::string>(),
                     argument.contains("type") ? "  " + argument["type"].get<std::string>() : "",
                     argument.contains("name") ? "  " + argument["name"].get<std::string>() : "");
}

std::string kernel_text(const ordered_json& kernel, bool hidden) {
  const auto number = [&](const char* key) { return kernel[key].get<uint64_t>(); };
  std::string text = fmt::format("\n  kernel {}\n", kernel["name"].get<std::string>());
  if (kernel["demangled"] != kernel["name"])
    text += fmt::format("    {}\n", kernel["demangled"].get<std::string>());
  text += fmt::format("    registers   {} VGPRs, {} AGPRs, {} SGPRs; {} and {} spilled; {} waves per SIMD\n",
                      number("vgprs"), number("agprs"), number("sgprs"), number("vgpr_spills"),
                      number("sgpr_spills"), number("waves_per_simd"));
  text += fmt::format(
      "    memory      {} bytes of LDS, {} of scratch a lane, {} of arguments ({} dwords preloaded)\n",
      number("lds_bytes"), number("scratch_bytes_a_lane"), number("kernarg_bytes"),
      number("preloaded_kernarg_dwords"));
  text += fmt::format("    work-group  at most {} work-items\n", number("max_work_group"));
  size_t index = 0;
  size_t left_out = 0;
  std::string arguments;
  for (const ordered_json& argument : kernel["arguments"]) {
    if (argument["hidden"].get<bool>() && !hidden) {
      ++left_out;
    } else {
      arguments += argument_text(index++, argument);
    }
  }
  text += fmt::format("    arguments   {}{}\n{}", index,
                      left_out == 0 ? "" : fmt::format(" ({} more are filled in by the launcher)", left_out),
                      arguments);
  const ordered_json& unknown = kernel["unknown_instructions"];
  if (!unknown.empty())
    text += fmt::format("    {} instructions that the emulator does not know\n", unknown.size());
  for (const ordered_json& instruction : unknown) {
    text += fmt::format("      {:>8}  {}\n", instruction["address"].get<std::string>(),
                        instruction["text"].get<std::string>());
  }
  return text;
}

}  // namespace

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

Expected<ordered_json> report_file(std::span<const std::byte> file) {
  const Expected<FatBinary> binary = FatBinary::parse(file);
  if (!binary) return binary.status();
  ordered_json report;
  report["kind"] = kind_text(binary->kind());
  report["bundles"] = ordered_json::array();
  report["code_objects"] = ordered_json::array();
  report["refused"] = ordered_json::array();
  for (const emulator::Bundle& bundle : binary->bundles()) {
    if (binary->kind() != FatBinary::Kind::code_object) {
      ordered_json entries = ordered_json::array();
      for (const emulator::BundledObject& object : bundle.objects)
        entries.push_back({{"id", object.id}, {"bytes", object.bytes.size()}});
      report["bundles"].push_back({{"compressed", bundle.is_compressed}, {"entries", entries}});
    }
    const emulator::BundledObject* best = bundle.best_for(emulator::kGfx950);
    if (best == nullptr) continue;
    const Expected<CodeObject> code_object = CodeObject::load(best->bytes);
    if (!code_object) {
      if (binary->kind() == FatBinary::Kind::code_object) return code_object.status();
      report["refused"].push_back(code_object.status().message());
      continue;
    }
    Expected<ordered_json> one = report_code_object(*code_object);
    if (!one) return one.status();
    report["code_objects"].push_back(*std::move(one));
  }
  return report;
}

void keep_kernels(ordered_json& report, const std::string& name) {
  for (ordered_json& code_object : report["code_objects"]) {
    ordered_json kept = ordered_json::array();
    for (ordered_json& kernel : code_object["kernels"]) {
      const bool is_meant = kernel["name"].get<std::string>().find(name) != std::string::npos ||
                            kernel["demangled"].get<std::string>().find(name) != std::string::npos;
      if (is_meant) kept.push_back(std::move(kernel));
    }
    code_object["kernels"] = std::move(kept);
  }
}

bool has_unknown_instructions(const ordered_json& report) {
  for (const ordered_json& code_object : report["code_objects"]) {
    for (const ordered_json& kernel : code_object["kernels"]) {
      if (!kernel["unknown_instructions"].empty()) return true;
    }
  }
  return false;
}

std::string to_text(const ordered_json& report, bool hidden) {
  std::string text = report["kind"].get<std::string>() + "\n";
  for (const ordered_json& bundle : report["bundles"]) {
    text += fmt::format("\n{}bundle\n", bundle["compressed"].get<bool>() ? "compressed " : "");
    for (const ordered_json& entry : bundle["entries"])
      text += fmt::format("  {}  {} bytes\n", entry["id"].get<std::string>(), entry["bytes"].get<size_t>());
  }
  for (const ordered_json& code_object : report["code_objects"]) {
    text += fmt::format("\ncode object for {}, {} kernels\n", code_object["target"].get<std::string>(),
                        code_object["kernels"].size());
    for (const ordered_json& kernel : code_object["kernels"]) text += kernel_text(kernel, hidden);
    if (code_object["variables"].empty()) continue;
    text += "\n  variables\n";
    for (const ordered_json& variable : code_object["variables"])
      text += fmt::format("    {}  {} bytes\n", variable["name"].get<std::string>(),
                          variable["bytes"].get<size_t>());
  }
  for (const ordered_json& why : report["refused"])
    text += fmt::format("\nnot loaded: {}\n", why.get<std::string>());
  return text;
}

}  // namespace mxproof
