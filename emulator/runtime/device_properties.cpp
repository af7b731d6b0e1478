#include "emulator/runtime/device_properties.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <iterator>

#include "emulator/runtime/occupancy.hpp"

namespace mxproof::emulator {
namespace {

// MI355X. Sources: AMD's data sheet (CUs, clock, HBM3E: 8192 bits, 8 TB/s) and CDNA 4's documents (LDS, L2 4
// MB in each of 8 dies, of which a program sees one).
constexpr int kMemoryClockKhz = 2'000'000;
constexpr int kMemoryBusBits = 8192;
constexpr int kL2Bytes = 4 << 20;
constexpr int kTimerKhz = 100'000;  // s_memrealtime
constexpr int kMajor = 9;
constexpr int kMinor = 5;
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

// Fields that both layouts have. What is not set is 0: textures, surfaces, several devices, cooperative
// launch.
template <class Properties>
Properties common_properties(uint64_t total_bytes) {
  Properties p;
  std::memset(&p, 0, sizeof(p));
  std::strcpy(p.name, kDeviceName);
  std::strcpy(p.gcnArchName, kArchName);
  p.totalGlobalMem = total_bytes;
  p.sharedMemPerBlock = kLdsBytes;
  p.regsPerBlock = kRegistersPerGroup;
  p.warpSize = kWaveLanes;
  p.maxThreadsPerBlock = kMaxGroupLanes;
  for (int& size : p.maxThreadsDim) size = kMaxGroupLanes;
  p.maxGridSize[0] = INT_MAX;
  p.maxGridSize[1] = 65536;
  p.maxGridSize[2] = 65536;
  p.clockRate = kClockKhz;
  p.memoryClockRate = kMemoryClockKhz;
  p.memoryBusWidth = kMemoryBusBits;
  p.totalConstMem = INT_MAX;
  p.major = kMajor;
  p.minor = kMinor;
  p.multiProcessorCount = kComputeUnits;
  p.l2CacheSize = kL2Bytes;
  p.maxThreadsPerMultiProcessor = kResidentLanes;
  p.clockInstructionRate = kTimerKhz;
  p.arch = arch_flags();
  p.pciBusID = kPciBus;
  p.maxSharedMemoryPerMultiProcessor = kLdsBytes;
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

constexpr Attribute kAttributes[] = {
    {hipDeviceAttributeEccEnabled, 1},
    {hipDeviceAttributeCanMapHostMemory, 1},
    {hipDeviceAttributeCanUseHostPointerForRegisteredMem, 1},
    {hipDeviceAttributeClockRate, kClockKhz},
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
    {hipDeviceAttributeComputeCapabilityMinor, kMinor},
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
    {hipDeviceAttributeMemoryClockRate, kMemoryClockKhz},
    {hipDeviceAttributeMultiprocessorCount, kComputeUnits},
    {hipDeviceAttributePageableMemoryAccess, 0},
    {hipDeviceAttributePageableMemoryAccessUsesHostPageTables, 0},
    {hipDeviceAttributePciBusId, kPciBus},
    {hipDeviceAttributePciDeviceId, 0},
    {hipDeviceAttributePciDomainID, 0},
    {hipDeviceAttributeMaxRegistersPerBlock, kRegistersPerGroup},
    {hipDeviceAttributeMaxRegistersPerMultiprocessor, kRegistersPerUnit},
    {hipDeviceAttributeMaxSharedMemoryPerBlock, kLdsBytes},
    {hipDeviceAttributeSharedMemPerBlockOptin, kLdsBytes},
    {hipDeviceAttributeSharedMemPerMultiprocessor, kLdsBytes},
    {hipDeviceAttributeStreamPrioritiesSupported, 0},
    {hipDeviceAttributeTextureAlignment, kPitchAlignment},
    {hipDeviceAttributeTexturePitchAlignment, kPitchAlignment},
    {hipDeviceAttributeTotalConstantMemory, INT_MAX},
    {hipDeviceAttributeUnifiedAddressing, 1},
    {hipDeviceAttributeWarpSize, kWaveLanes},
    {hipDeviceAttributeMemoryPoolsSupported, 0},
    {hipDeviceAttributeClockInstructionRate, kTimerKhz},
    {hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, kLdsBytes},
    {hipDeviceAttributeIsLargeBar, 1},
    {hipDeviceAttributeAsicRevision, 0},
    {hipDeviceAttributeCanUseStreamWaitValue, 0},
    {hipDeviceAttributeImageSupport, 0},
    {hipDeviceAttributePhysicalMultiProcessorCount, kComputeUnits},
    {hipDeviceAttributeFineGrainSupport, 1},
};

}  // namespace

hipDeviceProp_t properties_r0000(uint64_t total_bytes) {
  return common_properties<hipDeviceProp_t>(total_bytes);
}

hipDeviceProp_tR0600 properties_r0600(uint64_t total_bytes) {
  auto p = common_properties<hipDeviceProp_tR0600>(total_bytes);
  p.sharedMemPerMultiprocessor = kLdsBytes;
  p.sharedMemPerBlockOptin = kLdsBytes;
  p.regsPerMultiprocessor = kRegistersPerUnit;
  p.unifiedAddressing = 1;
  p.maxBlocksPerMultiProcessor = kWaves;
  p.hostRegisterSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  std::memcpy(p.uuid.bytes, "mxproof-gfx950-0", sizeof(p.uuid.bytes));
  return p;
}

bool device_attribute(int attribute, uint64_t total_bytes, int* value) {
  if (attribute == hipDeviceAttributeTotalGlobalMem) {
    *value = static_cast<int>(std::min<uint64_t>(total_bytes, INT_MAX));
    return true;
  }
  const auto* row = std::ranges::find(kAttributes, attribute, &Attribute::attribute);
  if (row == std::end(kAttributes)) return false;
  *value = row->value;
  return true;
}

bool is_hip6_program() {
  static const bool is_newer = [] {
    for (const char* name : {"libamdhip64.so.6", "libamdhip64.so.7"}) {
      if (void* library = ::dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) {
        ::dlclose(library);
        return true;
      }
    }
    return false;
  }();
  return is_newer;
}

}  // namespace mxproof::emulator
