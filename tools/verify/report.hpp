// What `mxproof verify` shows: the table, the notes below it, and the JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/report/table.hpp"
#include "optimized/device/info.hpp"
#include "tools/verify/options.hpp"
#include "tools/verify/run_path.hpp"

namespace mxproof {

/// The line above the table: what the inputs are and by which rules they are judged.
std::string verify_heading(const VerifyOptions& options);

/// Shapes and paths settle the widths, so that rows can be printed as they come.
Table make_verify_table(const std::vector<GemmShape>& shapes, const std::string& device, bool colour);

/// The cells of one row.
std::vector<TableCell> verify_cells(const VerifyRow& row, const std::string& device);

/// For every row that did not pass or is not bit-equal: why, with the first differing outputs and their bits,
/// and the command that repeats it. Empty when there is nothing to say.
std::string verify_notes(const std::vector<VerifyRow>& rows, const VerifyOptions& options);

/// "10 of 10 pass (10 bit-equal) on gfx950 (emulated)"
std::string verify_summary(const std::vector<VerifyRow>& rows, const std::string& device);

/// True when something ran and all of it passed.
bool all_pass(const std::vector<VerifyRow>& rows);

/// {"results": [one object a row], "build": {version, commit, ..., device, driver}, "inputs": {...}}. Bits
/// are strings such as "0x3f80"; counts are integers, also for a row that did not run (zero, with verdict and
/// message).
nlohmann::json verify_json(const std::vector<VerifyRow>& rows, const DeviceInfo& device,
                           const VerifyOptions& options);

}  // namespace mxproof
