#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "common/array/file.hpp"
#include "tests/tools/run_program.hpp"

namespace mxproof {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSample = MXPROOF_SAMPLES "/sample_o3.co";
constexpr int kCount = 130;

std::string temp(const std::string& name) {
  return testing::TempDir() + "run_" + name;
}

// x[i] = i as FILE.npy.
std::string counting_file() {
  Array array{Dtype::f32, {kCount}, std::vector<std::byte>(kCount * sizeof(float))};
  for (int i = 0; i < kCount; ++i) {
    const auto value = static_cast<float>(i);
    std::memcpy(array.bytes.data() + i * sizeof(float), &value, sizeof(float));
  }
  const std::string name = temp("x.npy");
  EXPECT_TRUE(write_array(name, array).ok());
  return name;
}

std::vector<float> read_floats(const std::string& name) {
  const auto array = read_array(name);
  EXPECT_TRUE(array.ok()) << array.status().message();
  std::vector<float> values(array->bytes.size() / sizeof(float));
  std::memcpy(values.data(), array->bytes.data(), array->bytes.size());
  return values;
}

// `plain` in sample_kernels.hip: out[i] = in[i] * scale for i < count.
std::vector<std::string> plain(const std::vector<std::string>& args) {
  std::vector<std::string> all = {"run", kSample, "--device", "emulator", "--kernel", "plain", "--grid", "3"};
  for (const std::string& arg : args) {
    all.emplace_back("--arg");
    all.push_back(arg);
  }
  return all;
}

// The same without arguments, and with other flags.
std::vector<std::string> kernel_plain(const std::vector<std::string>& flags) {
  std::vector<std::string> all = {"run", kSample, "--device", "emulator", "--kernel", "plain"};
  all.insert(all.end(), flags.begin(), flags.end());
  return all;
}

TEST(Run, ReadsAndWritesFiles) {
  const std::string y = temp("y.npy");
  std::remove(y.c_str());
  const ProgramResult result =
      run_mxproof(plain({"out:f32:2x65:" + y, "in:" + counting_file(), "0.5", "120"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("gfx950 (emulated)"));
  EXPECT_THAT(result.out, HasSubstr("f32 [2, 65]"));
  const std::vector<float> values = read_floats(y);
  ASSERT_EQ(values.size(), static_cast<size_t>(kCount));
  for (int i = 0; i < 120; ++i) ASSERT_EQ(values[i], 0.5F * static_cast<float>(i)) << i;
  for (int i = 120; i < kCount; ++i)
    ASSERT_TRUE(values[i] != values[i]) << "not written, so still poison: " << i;
}

TEST(Run, ArgumentsByPositionAndInPlace) {
  const std::string z = temp("z.npy");
  const std::string x = counting_file();
  const ProgramResult result =
      run_mxproof(plain({"3=i32:130", "2=hex:000000c0", "1=in:" + x, "0=inout:" + x + "," + z}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_floats(z)[77], -154.0F);
  EXPECT_EQ(read_floats(x)[77], 77.0F) << "the first file is left alone";
}

TEST(Run, BuffersHaveTheTypesOfKernels) {
  for (const char* type :
       {"i8", "u8", "i16", "u16", "f16", "bf16", "i32", "u32", "f32", "i64", "u64", "f64"}) {
    const std::string in = temp("typed_in.npy");
    const std::string out = temp("typed_out.npy");
    const Dtype dtype = find_dtype(type)->dtype;
    Array array{dtype, {2, 8}, std::vector<std::byte>(static_cast<size_t>(16 * dtype_bits(dtype) / 8))};
    for (size_t i = 0; i < array.bytes.size(); ++i) array.bytes[i] = std::byte(3 * i);
    ASSERT_TRUE(write_array(in, array).ok());
    const ProgramResult result = run_mxproof(plain(
        {"inout:" + in + "," + out, std::string("out:") + type + ":3x4:" + temp("poison.npy"), "1.0", "0"}));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto back = read_array(out);
    ASSERT_TRUE(back.ok()) << back.status().message();
    EXPECT_EQ(back->dtype, dtype) << type;
    EXPECT_EQ(back->bytes, array.bytes) << type;
    const auto poison = read_array(temp("poison.npy"));
    ASSERT_TRUE(poison.ok()) << poison.status().message();
    EXPECT_EQ(poison->dtype, dtype) << type;
    EXPECT_EQ(poison->shape, (std::vector<int64_t>{3, 4})) << type;
  }
}

/// Its metadata has names.
TEST(Run, AKernelWrittenInAssemblyTakesArgumentsByName) {
  const std::string x = counting_file();
  const std::string y = temp("sum.npy");
  const ProgramResult result = run_mxproof({"run", MXPROOF_ASSEMBLY, "--device", "emulator", "--kernel",
                                            "saxpy", "--grid", "3", "--arg", "count=129", "--arg", "a=0.25",
                                            "--arg", "y=inout:" + x + "," + y, "--arg", "x=in:" + x});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<float> sums = read_floats(y);
  for (int i = 0; i < kCount; ++i) ASSERT_EQ(sums[i], static_cast<float>(i) * (i < 129 ? 1.25F : 1.0F)) << i;
}

TEST(Run, AFailingKernelIsReported) {
  const std::string y = temp("not_written.npy");
  std::remove(y.c_str());
  const ProgramResult result =
      run_mxproof(plain({"out:f32:130:" + y, "in:" + counting_file(), "0.5", "131"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("kernel plain at pc"));
  EXPECT_THAT(result.err, HasSubstr("past the end of the allocation"));
  EXPECT_FALSE(std::ifstream(y).good());
}

/// The sample with other bits in its ELF header's e_flags, which name the processor.
std::string for_processor(uint32_t flags) {
  constexpr std::streamoff kFlags = 48;
  const std::string file = temp("other.co");
  std::filesystem::copy_file(kSample, file, std::filesystem::copy_options::overwrite_existing);
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(kFlags);
  stream.write(reinterpret_cast<const char*>(&flags), sizeof(flags));
  return file;
}

TEST(Run, ACodeObjectForAnotherProcessorIsBadInputAsForInspect) {
  for (const auto& [what, flags] : {std::pair{"processor 0x3f", 0x53fU},  // gfx90a
                                    {"processor 0x41", 0x41U},            // gfx1100
                                    {"xnack+", 0x74fU}}) {
    const std::string file = for_processor(flags);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"run", file, "--device", "emulator", "--kernel", "plain"},
          {"inspect", file}}) {
      const ProgramResult result = run_mxproof(arguments);
      EXPECT_EQ(result.exit_code, 2) << arguments[0] << " " << what;
      EXPECT_THAT(result.err, HasSubstr(file));
      EXPECT_THAT(result.err, HasSubstr(what)) << arguments[0];
      EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    }
  }
}

TEST(Run, BadInputIsOneLine) {
  const std::string x = counting_file();
  struct {
    std::vector<std::string> arguments;
    const char* message;
  } const cases[] = {
      {{"run", kSample, "--device", "emulator"}, "say --kernel; there are: plain, packed"},
      {{"run", kSample, "--device", "emulator", "--kernel", "nothing"},
       "no kernel nothing; there are: plain"},
      {{"run", "/no/such.co", "--device", "emulator"}, "/no/such.co: No such file"},
      {{"run", kSample, "--grid", "1,2,3,4"}, "--grid 1,2,3,4: must be"},
      {{"run", kSample, "--block", "0"}, "--block 0: must be"},
      {kernel_plain({"--block", "1025"}), "--block 1025 --lds 0: kernel plain: work-groups of 1025"},
      {kernel_plain({"--block", "32,32,2"}), "work-groups of 2048 work-items, at most 1024 are allowed"},
      {kernel_plain({"--lds", "200000"}), "--lds 200000: kernel plain: 200"},
      {kernel_plain({"--grid", "4294967295,2"}), "--grid 4294967295,2"},
      {plain({}), "argument 0 (global_buffer, 8 bytes) is not given"},
      {plain({"null", "null", "0.5"}), "argument 3 (by_value, 4 bytes) is not given"},
      {plain({"null", "null", "0.5", "1", "2"}), "--arg 2: the kernel takes 4 arguments"},
      {plain({"0=null", "0=null"}), "argument 0 is given twice"},
      {plain({"scale=1"}), "no argument named 'scale' (its metadata has no names: use positions)"},
      {plain({"3"}), "the kernel takes a pointer there"},
      {plain({"2=in:" + x}), "no buffer"},
      {plain({"in:/no/such.npy"}), "/no/such.npy"},
      {plain({"out:f32:y.npy"}), "must be out:TYPE:SHAPE:FILE"},
      {plain({"out:f99:4:y.npy"}), "'f99' is no element type; there are f32, f16"},
      {plain({"out:f32:4x:y.npy"}), "the shape is not like 16x512"},
      {plain({"2=hex:00"}), "2 hex digits for an argument of 4 bytes"},
      {plain({"2=hex:0000000g"}), "not all hex digits"},
  };
  for (const auto& c : cases) {
    const ProgramResult result = run_mxproof(c.arguments);
    EXPECT_EQ(result.exit_code, 2) << c.message << " | " << result.err;
    EXPECT_THAT(result.err, HasSubstr(c.message));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
}

}  // namespace
}  // namespace mxproof
