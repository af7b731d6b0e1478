#include "emulator/runtime/device_properties.hpp"

#include <algorithm>
#include <cassert>
#include <climits>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "emulator/runtime/occupancy.hpp"

namespace mxproof::emulator {
namespace {

// Common to MI300X and MI355X. Sources: AMD's data sheets (HBM: 8192 bits) and CDNA 3's and 4's documents (L2
// 4 MB in each of 8 dies, of which a program sees one).
constexpr int kMemoryBusBits = 8192;
constexpr int kL2Bytes = 4 << 20;
constexpr int kTimerKhz = 100'000;  // s_memrealtime
constexpr int kMajor = 9;
constexpr int kWaves = static_cast<int>(kSimds * kMaxWavesPerSimd);
constexpr int kResidentLanes = kWaves * static_cast<int>(kWaveLanes);
constexpr int kRegistersPerUnit = static_cast<int>(kSimds * kRegistersPerLane * kWaveLanes);
constexpr int kRegistersPerGroup = 65536;  // as HIP reports for this family
constexpr int kPitchAlignment = 256;
constexpr int kPciBus = 1;

hipDeviceArch_t arch_flags() {
  hipDeviceArch_t arch{};
  arch.hasGlobalInt32Atomics = 1;
  arch.hasGlobalFloatAtomicExch = 1;
  arch.hasSharedInt32Atomics = 1;
  arch.hasSharedFloatAtomicExch = 1;
  arch.hasFloatAtomicAdd = 1;
  arch.hasGlobalInt64Atomics = 1;
  arch.hasSharedInt64Atomics = 1;
  arch.hasDoubles = 1;
  arch.hasWarpVote = 1;
  arch.hasWarpBallot = 1;
  arch.hasWarpShuffle = 1;
  arch.hasThreadFenceSystem = 1;
  arch.has3dGrid = 1;
  return arch;
}

// Into a field that holds more than enough for it.
template <size_t kSize>
void set_text(char (&field)[kSize], std::string_view text) {
  assert(text.size() < kSize);
  text.copy(field, kSize - 1);
}

// Fields that both layouts have. What is not set is 0: textures, surfaces, several devices, cooperative
// launch.
template <class Properties>
Properties common_properties(uint64_t total_bytes, const Chip& chip) {
  Properties p;
  std::memset(&p, 0, sizeof(p));
  set_text(p.name, chip.device_name);
  set_text(p.gcnArchName, chip.target);
  p.totalGlobalMem = total_bytes;
  p.sharedMemPerBlock = chip.lds_bytes;
  p.regsPerBlock = kRegistersPerGroup;
  p.warpSize = kWaveLanes;
  p.maxThreadsPerBlock = kMaxGroupLanes;
  for (int& size : p.maxThreadsDim) size = kMaxGroupLanes;
  p.maxGridSize[0] = INT_MAX;
  p.maxGridSize[1] = 65536;
  p.maxGridSize[2] = 65536;
  p.clockRate = chip.clock_khz;
  p.memoryClockRate = chip.memory_clock_khz;
  p.memoryBusWidth = kMemoryBusBits;
  p.totalConstMem = INT_MAX;
  p.major = kMajor;
  p.minor = chip.minor;
  p.multiProcessorCount = chip.compute_units;
  p.l2CacheSize = kL2Bytes;
  p.maxThreadsPerMultiProcessor = kResidentLanes;
  p.clockInstructionRate = kTimerKhz;
  p.arch = arch_flags();
  p.pciBusID = kPciBus;
  p.maxSharedMemoryPerMultiProcessor = chip.lds_bytes;
  p.canMapHostMemory = 1;
  p.memPitch = INT_MAX;
  p.textureAlignment = kPitchAlignment;
  p.texturePitchAlignment = kPitchAlignment;
  p.ECCEnabled = 1;
  p.isLargeBar = 1;
  p.managedMemory = 1;
  p.directManagedMemAccessFromHost = 1;
  return p;
}

struct Attribute {
  int attribute;
  int value;
};

// Those that differ from chip to chip; false for others.
bool chip_attribute(int attribute, const Chip& chip, int* value) {
  switch (attribute) {
    case hipDeviceAttributeClockRate:
      *value = chip.clock_khz;
      return true;
    case hipDeviceAttributeMemoryClockRate:
      *value = chip.memory_clock_khz;
      return true;
    case hipDeviceAttributeComputeCapabilityMinor:
      *value = chip.minor;
      return true;
    case hipDeviceAttributeMultiprocessorCount:
    case hipDeviceAttributePhysicalMultiProcessorCount:
      *value = chip.compute_units;
      return true;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeSharedMemPerBlockOptin:
    case hipDeviceAttributeSharedMemPerMultiprocessor:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(chip.lds_bytes);
      return true;
    default:
      return false;
  }
}

constexpr Attribute kAttributes[] = {
    {hipDeviceAttributeEccEnabled, 1},
    {hipDeviceAttributeCanMapHostMemory, 1},
    {hipDeviceAttributeCanUseHostPointerForRegisteredMem, 1},
    {hipDeviceAttributeComputeMode, hipComputeModeDefault},
    {hipDeviceAttributeConcurrentKernels, 0},
    {hipDeviceAttributeConcurrentManagedAccess, 0},
    {hipDeviceAttributeCooperativeLaunch, 0},
    {hipDeviceAttributeCooperativeMultiDeviceLaunch, 0},
    {hipDeviceAttributeDirectManagedMemAccessFromHost, 1},
    {hipDeviceAttributeIntegrated, 0},
    {hipDeviceAttributeIsMultiGpuBoard, 0},
    {hipDeviceAttributeKernelExecTimeout, 0},
    {hipDeviceAttributeL2CacheSize, kL2Bytes},
    {hipDeviceAttributeComputeCapabilityMajor, kMajor},
    {hipDeviceAttributeManagedMemory, 1},
    {hipDeviceAttributeMaxBlocksPerMultiProcessor, kWaves},
    {hipDeviceAttributeMaxBlockDimX, kMaxGroupLanes},
    {hipDeviceAttributeMaxBlockDimY, kMaxGroupLanes},
    {hipDeviceAttributeMaxBlockDimZ, kMaxGroupLanes},
    {hipDeviceAttributeMaxGridDimX, INT_MAX},
    {hipDeviceAttributeMaxGridDimY, 65536},
    {hipDeviceAttributeMaxGridDimZ, 65536},
    {hipDeviceAttributeMaxThreadsPerBlock, kMaxGroupLanes},
    {hipDeviceAttributeMaxThreadsPerMultiProcessor, kResidentLanes},
    {hipDeviceAttributeMaxPitch, INT_MAX},
    {hipDeviceAttributeMemoryBusWidth, kMemoryBusBits},
    {hipDeviceAttributePageableMemoryAccess, 0},
    {hipDeviceAttributePageableMemoryAccessUsesHostPageTables, 0},
    {hipDeviceAttributePciBusId, kPciBus},
    {hipDeviceAttributePciDeviceId, 0},
    {hipDeviceAttributePciDomainID, 0},
    {hipDeviceAttributeMaxRegistersPerBlock, kRegistersPerGroup},
    {hipDeviceAttributeMaxRegistersPerMultiprocessor, kRegistersPerUnit},
    {hipDeviceAttributeStreamPrioritiesSupported, 0},
    {hipDeviceAttributeTextureAlignment, kPitchAlignment},
    {hipDeviceAttributeTexturePitchAlignment, kPitchAlignment},
    {hipDeviceAttributeTotalConstantMemory, INT_MAX},
    {hipDeviceAttributeUnifiedAddressing, 1},
    {hipDeviceAttributeWarpSize, kWaveLanes},
    {hipDeviceAttributeMemoryPoolsSupported, 0},
    {hipDeviceAttributeClockInstructionRate, kTimerKhz},
    {hipDeviceAttributeIsLargeBar, 1},
    {hipDeviceAttributeAsicRevision, 0},
    {hipDeviceAttributeCanUseStreamWaitValue, 0},
    {hipDeviceAttributeImageSupport, 0},
    {hipDeviceAttributeFineGrainSupport, 1},
};

}  // namespace

hipDeviceProp_t properties_r0000(uint64_t total_bytes, const Chip& chip) {
  return common_properties<hipDeviceProp_t>(total_bytes, chip);
}

hipDeviceProp_tR0600 properties_r0600(uint64_t total_bytes, const Chip& chip) {
  auto p = common_properties<hipDeviceProp_tR0600>(total_bytes, chip);
  p.sharedMemPerMultiprocessor = chip.lds_bytes;
  p.sharedMemPerBlockOptin = chip.lds_bytes;
  p.regsPerMultiprocessor = kRegistersPerUnit;
  p.unifiedAddressing = 1;
  p.maxBlocksPerMultiProcessor = kWaves;
  p.hostRegisterSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  const std::string uuid = std::string("mxproof-") + chip.arch + "-0";
  std::memcpy(p.uuid.bytes, uuid.data(), std::min(uuid.size(), sizeof(p.uuid.bytes)));
  return p;
}

bool device_attribute(int attribute, uint64_t total_bytes, const Chip& chip, int* value) {
  if (chip_attribute(attribute, chip, value)) return true;
  if (attribute == hipDeviceAttributeTotalGlobalMem) {
    *value = static_cast<int>(std::min<uint64_t>(total_bytes, INT_MAX));
    return true;
  }
  const auto* row = std::ranges::find(kAttributes, attribute, &Attribute::attribute);
  if (row == std::end(kAttributes)) return false;
  *value = row->value;
  return true;
}

}  // namespace mxproof::emulator
