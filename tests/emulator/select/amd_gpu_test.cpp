#include "emulator/select/amd_gpu.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;

// A pretended driver: a device file and a topology of nodes with these target versions.
class FakeKfd {
 public:
  explicit FakeKfd(const std::vector<long>& versions) {
    std::ofstream(paths_.device) << "";
    for (size_t i = 0; i < versions.size(); ++i) {
      const auto node = paths_.topology / std::to_string(i);
      std::filesystem::create_directories(node);
      std::ofstream(node / "properties")
          << "cpu_cores_count 0\ngfx_target_version " << versions[i] << "\nvendor_id 4098\n";
    }
  }
  const KfdPaths& paths() const { return paths_; }

 private:
  TempFolder root_;
  KfdPaths paths_{.device = root_.path() / "kfd", .topology = root_.path() / "nodes"};
};

TEST(FindAmdGpu, FindsItBesideOthers) {
  EXPECT_TRUE(find_amd_gpu(FakeKfd({0, 90402}).paths()).ok());
  EXPECT_TRUE(find_amd_gpu(FakeKfd({0, 90402, 90500}).paths()).ok());
}

TEST(FindAmdGpu, OthersAreNotTaken) {
  // A CPU, an MI250X and an RDNA 3, which has the higher number.
  const Status status = find_amd_gpu(FakeKfd({0, 90010, 110000}).paths());
  EXPECT_EQ(status.code(), StatusCode::refused);
  EXPECT_THAT(status.message(), HasSubstr("no gfx950 or gfx942 in"));
}

TEST(FindAmdGpu, NoDriverIsNamed) {
  const Status status = find_amd_gpu({.device = "/dev/no-such-kfd", .topology = "/sys/nowhere"});
  EXPECT_EQ(status.code(), StatusCode::refused);
  EXPECT_THAT(status.message(), HasSubstr("/dev/no-such-kfd: No such file"));
}

}  // namespace
}  // namespace mxproof::emulator
