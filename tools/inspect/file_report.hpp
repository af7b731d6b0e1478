// What is in a code object, a bundle or a HIP program, as JSON: the one source of both outputs of
// `mxproof inspect`.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "common/status.hpp"

namespace mxproof {

/// {"kind", "bundles": [{"compressed", "entries": [{"id", "bytes"}]}],
///  "code_objects": [{"target", "kernels": [{"name", "registers", ..., "arguments",
///  "unknown_instructions"}]}], "refused": [...]}
/// Code for other processors is listed by its id alone; `refused` says why a code object did not load.
/// Errors: bad_input when the file is none of those or is malformed.
Expected<nlohmann::ordered_json> report_file(std::span<const std::byte> file);

/// Takes out all kernels but those whose name, mangled or not, contains `name`.
void keep_kernels(nlohmann::ordered_json& report, const std::string& name);

/// True when a kernel of the report holds an instruction that the machine does not know.
bool has_unknown_instructions(const nlohmann::ordered_json& report);

/// The report for people. `hidden` shows the arguments that the launcher fills in too.
std::string to_text(const nlohmann::ordered_json& report, bool hidden);

/// "f(float*, int)" for "_Z1fPfi"; the name itself when it is not mangled.
std::string demangled(const std::string& name);

}  // namespace mxproof
