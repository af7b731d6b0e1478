// What `mxproof profile` shows: the table and the JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/report/table.hpp"
#include "optimized/device/info.hpp"
#include "tools/profile/profile.hpp"
#include "tools/verify/options.hpp"
#include "tools/verify/run_path.hpp"

namespace mxproof {

/// One path over one shape: its verdict, and its profile if the output was right.
struct ProfileRow {
  VerifyRow verified;
  std::optional<PathProfile> profile;
};

/// The table for a GPU or for an emulated device.
Table make_profile_table(const std::vector<GemmShape>& shapes, bool emulated, bool colour);

/// The lines of one path: each step, then the whole call. One line with the verdict if there is no profile.
std::string profile_lines(const Table& table, const ProfileRow& row, bool emulated);

/// What the columns mean, above the table.
std::string profile_heading(const DeviceInfo& device, const VerifyOptions& options, bool emulated);

/// {"results": [{m, n, k, path, plan, verdict, launches, bytes, dispatch_share, steps: [...]}], "build":
/// ...}. Times of a GPU are device_us, enqueue_us and call_us; an emulated device has modelled_us and counts,
/// and none of those.
nlohmann::json profile_json(const std::vector<ProfileRow>& rows, const DeviceInfo& device,
                            const VerifyOptions& options);

}  // namespace mxproof
