// A gfx950 code object loaded into memory: the ELF file's segments at their mutual distances, relocated, with
// its kernels and variables found. Hostile files give a `Status`, never a crash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.hpp"
#include "emulator/loader/chip.hpp"
#include "emulator/loader/kernel.hpp"

namespace mxproof::emulator {

class Image;

/// A part of the loaded image that came from one PT_LOAD segment. Bytes are zero past those of the file.
struct Segment {
  uint64_t address = 0;  ///< Host address, which is the device address.
  uint64_t size = 0;     ///< Bytes in memory.
  uint64_t vaddr = 0;    ///< Address in the file's own numbering, as objdump prints it.
  bool writable = false;
  bool executable = false;
};

/// A variable (`__device__`, `__constant__`) of the code object.
struct Variable {
  std::string name;
  uint64_t address = 0;  ///< Host address, which is the device address.
  uint64_t size = 0;     ///< Bytes.
};

/// A function of the code object, for naming program counters.
struct Function {
  std::string name;
  uint64_t address = 0;  ///< Host address, which is the device address.
  uint64_t size = 0;     ///< Bytes; 0 when the file does not say.
};

/// A loaded code object. Movable; its addresses stay valid for its lifetime, also across a move.
class CodeObject {
 public:
  /// Loads an AMDGPU ELF file (e_machine 224) for gfx950. The bytes are copied; `elf` may go away afterwards.
  /// Errors: bad_input when the file is malformed (the message names the part), refused when it is well
  /// formed but not for gfx950 or needs something that is not modelled.
  static Expected<CodeObject> load(std::span<const std::byte> elf, const Chip& chip = kGfx950);

  CodeObject(CodeObject&&) noexcept;
  CodeObject& operator=(CodeObject&&) noexcept;
  ~CodeObject();

  /// The processor, "gfx950".
  const std::string& target() const { return target_; }
  /// The whole target id of the metadata, such as "amdgcn-amd-amdhsa--gfx950:xnack-"; empty when it has none.
  const std::string& target_id() const { return target_id_; }

  /// Every kernel, in the metadata's order.
  const std::vector<Kernel>& kernels() const { return kernels_; }
  /// The kernel of that name; nullptr when there is none. Lives as long as this object.
  const Kernel* find(std::string_view name) const;

  const std::vector<Variable>& variables() const { return variables_; }
  /// The variable of that name; nullptr when there is none.
  const Variable* find_variable(std::string_view name) const;

  /// Functions in ascending address order, kernels included.
  const std::vector<Function>& functions() const { return functions_; }

  /// Loaded parts in ascending address order.
  const std::vector<Segment>& segments() const { return segments_; }
  /// The loaded bytes from the first segment to the end of the last.
  std::span<std::byte> image() const;
  /// The address in the file's numbering (what objdump prints) of an address of the image.
  uint64_t to_vaddr(uint64_t address) const;

 private:
  CodeObject();

  std::string target_;
  std::string target_id_;
  std::vector<Kernel> kernels_;
  std::vector<Variable> variables_;
  std::vector<Function> functions_;
  std::vector<Segment> segments_;
  std::unique_ptr<Image> image_;
};

}  // namespace mxproof::emulator
