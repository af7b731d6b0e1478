// Metadata notes written here with another msgpack writer than the one that reads them.
#include "emulator/loader/metadata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

namespace mxproof::emulator {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json good() {
  return {{"amdhsa.version", {1, 2}},
          {"amdhsa.target", "amdgcn-amd-amdhsa--gfx950"},
          {"amdhsa.kernels",
           {{{".name", "k"},
             {".symbol", "k.kd"},
             {".kernarg_segment_size", 16},
             {".kernarg_segment_align", 8},
             {".wavefront_size", 64},
             {".vgpr_count", 12},
             {".agpr_count", 4},
             {".sgpr_count", 20},
             {".max_flat_workgroup_size", 256},
             {".args",
              {{{".name", "out"}, {".offset", 0}, {".size", 8}, {".value_kind", "global_buffer"}},
               {{".name", "n"}, {".offset", 8}, {".size", 4}, {".value_kind", "by_value"}}}}}}}};
}

Expected<Metadata> read(const json& value) {
  const std::vector<uint8_t> bytes = json::to_msgpack(value);
  const std::string_view note(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return read_metadata(std::span(&note, 1));
}

TEST(Metadata, ReadsEveryField) {
  Expected<Metadata> metadata = read(good());
  ASSERT_TRUE(metadata.ok()) << metadata.status().message();
  EXPECT_EQ(metadata->target_id, "amdgcn-amd-amdhsa--gfx950");
  ASSERT_EQ(metadata->kernels.size(), 1U);
  const Kernel& kernel = metadata->kernels[0];
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.symbol, "k.kd");
  EXPECT_EQ(kernel.kernarg_bytes, 16U);
  EXPECT_EQ(kernel.kernarg_alignment, 8U);
  EXPECT_EQ(kernel.vgpr_count, 12U);
  EXPECT_EQ(kernel.agpr_count, 4U);
  EXPECT_EQ(kernel.sgpr_count, 20U);
  EXPECT_EQ(kernel.max_workgroup_size, 256U);
  ASSERT_EQ(kernel.args.size(), 2U);
  EXPECT_EQ(kernel.args[1].name, "n");
  EXPECT_EQ(kernel.args[1].offset, 8U);
  EXPECT_EQ(kernel.args[1].size, 4U);
  EXPECT_EQ(kernel.args[1].value_kind, ValueKind::by_value);
}

TEST(Metadata, KeepsTheSpellingOfAnUnknownKind) {
  json value = good();
  value["amdhsa.kernels"][0][".args"][1][".value_kind"] = "hidden_from_the_future";
  Expected<Metadata> metadata = read(value);
  ASSERT_TRUE(metadata.ok());
  EXPECT_EQ(metadata->kernels[0].args[1].value_kind, ValueKind::unknown);
  EXPECT_EQ(metadata->kernels[0].args[1].value_kind_text, "hidden_from_the_future");
}

struct Fault {
  const char* name;
  std::function<void(json&)> apply;
  const char* message;
};

class MetadataFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(MetadataFaults, AreNamed) {
  json value = good();
  GetParam().apply(value);
  Expected<Metadata> metadata = read(value);
  ASSERT_FALSE(metadata.ok());
  EXPECT_EQ(metadata.status().code(), StatusCode::bad_input);
  EXPECT_THAT(metadata.status().message(), HasSubstr(GetParam().message));
}

json& kernel(json& value) {
  return value["amdhsa.kernels"][0];
}

INSTANTIATE_TEST_SUITE_P(
    Metadata, MetadataFaults,
    ::testing::Values(
        Fault{"NotAMap", [](json& v) { v = 7; }, "root is not a map"},
        Fault{"NoVersion", [](json& v) { v.erase("amdhsa.version"); }, "version"},
        Fault{"NewVersion", [](json& v) { v["amdhsa.version"][0] = 2; }, "version"},
        Fault{"KernelsNoArray", [](json& v) { v["amdhsa.kernels"] = "k"; }, "not an array"},
        Fault{"KernelNoMap", [](json& v) { kernel(v) = 3; }, "kernel 0 is not a map"},
        Fault{"NoName", [](json& v) { kernel(v).erase(".name"); }, "has no .name"},
        Fault{"NameIsANumber", [](json& v) { kernel(v)[".name"] = 1; }, ".name is not a string"},
        Fault{"NameWithEscape", [](json& v) { kernel(v)[".name"] = "k\x1b[2J"; }, "control character"},
        Fault{"TwoOfAName", [](json& v) { v["amdhsa.kernels"].push_back(kernel(v)); }, "twice"},
        Fault{"HugeKernarg", [](json& v) { kernel(v)[".kernarg_segment_size"] = 1ULL << 40; },
              "not an integer in"},
        Fault{"NegativeSize", [](json& v) { kernel(v)[".kernarg_segment_size"] = -8; }, "not an integer in"},
        Fault{"AlignmentThree", [](json& v) { kernel(v)[".kernarg_segment_align"] = 3; }, "power of two"},
        Fault{"ArgPastTheEnd", [](json& v) { kernel(v)[".args"][1][".offset"] = 13; }, "bytes 13 to 17"},
        Fault{"ArgWithoutKind", [](json& v) { kernel(v)[".args"][0].erase(".value_kind"); },
              "has no .value_kind"},
        Fault{"RequiredSizeOfTwo", [](json& v) { kernel(v)[".reqd_workgroup_size"] = {1, 2}; },
              "3 elements"}),
    [](const auto& test) { return test.param.name; });

TEST(Metadata, DeepNestingIsAnErrorNotAnOverflow) {
  const std::string bomb(1 << 20, '\x91');  // arrays of one array of one array ...
  const std::string_view note = bomb;
  Expected<Metadata> metadata = read_metadata(std::span(&note, 1));
  ASSERT_FALSE(metadata.ok());
  EXPECT_THAT(metadata.status().message(), HasSubstr("nested"));
}

TEST(Metadata, ACountWithoutElementsIsAnErrorNotAnAllocation) {
  const std::string_view bomb("\xdd\xff\xff\xff\xff", 5);  // an array of 2^32 - 1
  ASSERT_FALSE(read_metadata(std::span(&bomb, 1)).ok());
}

TEST(Metadata, NotesArePutTogether) {
  json first = good();
  json second = good();
  kernel(second)[".name"] = "other";
  const auto pack = [](const json& value) {
    const std::vector<uint8_t> bytes = json::to_msgpack(value);
    return std::string(bytes.begin(), bytes.end());
  };
  const auto names = [&]() -> std::string {
    const std::string one = pack(first);
    const std::string two = pack(second);
    const std::array<std::string_view, 2> notes = {one, two};
    const Expected<Metadata> metadata = read_metadata(notes);
    if (!metadata) return metadata.status().message();
    std::string names;
    for (const Kernel& k : metadata->kernels) names += k.name + " ";
    return names;
  };
  EXPECT_EQ(names(), "k other ");
  kernel(second)[".name"] = "k";
  EXPECT_THAT(names(), HasSubstr("kernel k twice"));
  kernel(second)[".name"] = "other";
  second["amdhsa.target"] = "amdgcn-amd-amdhsa--gfx90a";
  EXPECT_THAT(names(), HasSubstr("gfx90a"));
}

}  // namespace
}  // namespace mxproof::emulator
