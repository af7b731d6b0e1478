#include "emulator/machine/program.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

#include "emulator/decode/assembly_text.hpp"
#include "emulator/isa/build.hpp"
#include "emulator/isa/host_address.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {
namespace {

/// For what cannot be run; stops the wave when it is reached, and only then.
void unknown_instruction(const Instruction& inst, Wave& w) {
  w.fault(inst, inst.row == nullptr ? "this instruction is not known to the machine"
                                    : "this form of the instruction is not modelled");
}
/// Hardware drops what is written there and reads another register; whoever wrote the code wanted neither.
void beyond_registers(const Instruction& inst, Wave& w) {
  w.fault(inst, "uses a vector register beyond those that the kernel's descriptor allocates");
}
void end_of_code(const Instruction& inst, Wave& w) {
  w.fault(inst, "runs past the end of the code");
}
/// Joins a segment to code that had been decoded before it.
void continue_elsewhere(const Instruction& inst, Wave& w) {
  ++w.executed[inst.target->index];
  --w.executed[inst.index];  // the marker itself is no instruction
  w.run_start = inst.target->index;
  w.pc = inst.target;
}

bool is_within(uint16_t first, int count, const RegisterLimits& limits) {
  return first < kFirstAgpr ? first + count <= limits.vgprs : first - kFirstAgpr + count <= limits.agprs;
}
bool is_within(const Instruction& inst, const RegisterLimits& limits) {
  for (const Source& source : inst.src)
    if (source.kind == SourceKind::vector && !is_within(source.reg, source.rows, limits)) return false;
  return inst.dst == kNone || inst.dst_scalar || is_within(inst.dst, inst.dst_rows, limits);
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find(' '));
}

bool ends_straight_code(std::string_view mnemonic) {
  return mnemonic == "s_endpgm" || mnemonic == "s_endpgm_saved" || mnemonic == "s_branch" ||
         mnemonic == "s_setpc_b64";
}
bool has_branch_target(std::string_view mnemonic) {
  const bool conditional =
      mnemonic.starts_with("s_cbranch_") && !mnemonic.ends_with("fork") && !mnemonic.ends_with("join");
  return conditional || mnemonic == "s_branch" || mnemonic == "s_call_b64";
}

}  // namespace

/// Owns constants and decorations. Equal constants are shared.
class Program::Arena final : public InstructionArena {
 public:
  const uint32_t* constant(uint64_t value) override {
    if (const auto found = constants_.find(value); found != constants_.end()) return found->second;
    auto& rows = rows_.emplace_back();
    rows.value.fill(0);
    std::fill_n(rows.value.begin(), kLanes, static_cast<uint32_t>(value));
    std::fill_n(rows.value.begin() + kLanes, kLanes, static_cast<uint32_t>(value >> 32));
    return constants_[value] = rows.value.data();
  }
  const SourceDecoration* keep(const SourceDecoration& decoration) override {
    return &source_decorations_.emplace_back(decoration);
  }
  const ResultDecoration* keep(const ResultDecoration& decoration) override {
    return &result_decorations_.emplace_back(decoration);
  }
  const Dpp* keep(const Dpp& dpp) override { return &dpps_.emplace_back(dpp); }

 private:
  struct alignas(64) Rows {
    std::array<uint32_t, 2 * kLanes> value;
  };
  std::deque<Rows> rows_;
  std::unordered_map<uint64_t, const uint32_t*> constants_;
  std::deque<SourceDecoration> source_decorations_;
  std::deque<ResultDecoration> result_decorations_;
  std::deque<Dpp> dpps_;
};

RegisterLimits register_limits(const KernelDescriptor& descriptor) {
  const uint32_t registers = std::min<uint32_t>(descriptor.allocated_vgprs(), kVectorRegisters);
  const uint32_t vgprs = std::min<uint32_t>({registers, descriptor.first_agpr(), kFirstAgpr});
  return {static_cast<uint16_t>(vgprs),
          static_cast<uint16_t>(std::min<uint32_t>(registers - vgprs, kFirstAgpr))};
}

Program::Program(std::span<const std::byte> code, Disassembler disassembler, RegisterLimits limits)
    : base_(device(code.data())),
      code_(code.begin(), code.end()),
      disassembler_(std::move(disassembler)),
      limits_(limits),
      arena_(std::make_unique<Arena>()),
      capacity_(static_cast<uint32_t>(code.size() / 4 * 2 + 2)) {}

Program::~Program() = default;

bool Program::holds(uint64_t address) const {
  return address >= base_ && address - base_ < code_.size() && address % 4 == 0 &&
         code_.size() - (address - base_) >= 4;
}

bool Program::matches(std::span<const std::byte> code) const {
  return device(code.data()) == base_ && code.size() == code_.size() &&
         std::memcmp(code.data(), code_.data(), code.size()) == 0;
}

Expected<std::shared_ptr<Program>> Program::decode(std::span<const std::byte> code, uint64_t entry,
                                                   RegisterLimits limits) {
  auto disassembler = Disassembler::create();
  if (!disassembler.ok()) return disassembler.status();
  std::shared_ptr<Program> program(new Program(code, std::move(*disassembler), limits),
                                   std::default_delete<Program>());
  if (!program->holds(entry)) return Status::bad_input("the kernel's entry lies outside its code");
  program->entry_ = program->at(entry);
  return program;
}

const Instruction* Program::at(uint64_t address) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = by_address_.find(address); found != by_address_.end()) return found->second;
  }
  const std::unique_lock lock(mutex_);
  if (!holds(address)) return nullptr;
  if (!by_address_.contains(address)) {
    discover(address);
    link_new_segments();
  }
  return by_address_.at(address);
}

/// Disassembles everything that can be reached from `address` by falling through and by direct branches.
void Program::discover(uint64_t address) {
  std::vector<uint64_t> pending = {address};
  while (!pending.empty()) {
    uint64_t pc = pending.back();
    pending.pop_back();
    while (holds(pc) && !raw_.contains(pc)) {
      const size_t offset = pc - base_;
      const auto decoded = disassembler_.disassemble(std::span(code_).subspan(offset), pc);
      Raw raw{decoded.text, decoded.size};
      if (raw.size == 0 || offset + raw.size > code_.size()) raw = Raw{"(not an instruction)", 4};
      raw_[pc] = raw;
      fresh_.insert(pc);
      const std::string_view mnemonic = first_word(raw.text);
      if (has_branch_target(mnemonic)) pending.push_back(branch_target(pc, raw));
      if (ends_straight_code(mnemonic) || decoded.size == 0) break;
      pc += raw.size;
    }
  }
}

uint64_t Program::branch_target(uint64_t address, const Raw& raw) const {
  uint32_t word = 0;
  std::memcpy(&word, &code_[address - base_], sizeof word);
  return address + raw.size + static_cast<uint64_t>(int64_t{static_cast<int16_t>(word & 0xffffU)} * 4);
}

/// Makes instructions of what `discover` found: runs of consecutive code become segments.
void Program::link_new_segments() {
  const size_t first_new = segments_.size();
  for (auto it = fresh_.begin(); it != fresh_.end();) {
    auto& segment = segments_.emplace_back();
    uint64_t pc = *it;
    while (it != fresh_.end() && *it == pc) {
      const Raw& raw = raw_.at(pc);
      segment.push_back(make_instruction(pc, raw));
      segment.back().index = next_index_++;
      pc += raw.size;
      ++it;
    }
    Instruction end;
    end.run = &end_of_code;
    end.pc = pc;
    end.index = next_index_++;
    segment.push_back(end);
    segment.shrink_to_fit();
    for (size_t i = 0; i + 1 < segment.size(); ++i) by_address_[segment[i].pc] = &segment[i];
  }
  fresh_.clear();
  // Only now are the addresses of all instructions known.
  for (size_t s = first_new; s < segments_.size(); ++s) {
    auto& segment = segments_[s];
    for (size_t i = 0; i + 1 < segment.size(); ++i) {
      Instruction& instruction = segment[i];
      const Raw& raw = raw_.at(instruction.pc);
      if (!has_branch_target(first_word(raw.text))) continue;
      const auto target = by_address_.find(branch_target(instruction.pc, raw));
      if (target == by_address_.end()) {
        instruction.run = &end_of_code;  // jumps out of the code
      } else {
        instruction.target = target->second;
      }
    }
    Instruction& end = segment.back();
    if (const auto next = by_address_.find(end.pc); next != by_address_.end()) {
      end.run = &continue_elsewhere;
      end.target = next->second;
    }
  }
}

Instruction Program::make_instruction(uint64_t address, const Raw& raw) {
  Instruction instruction;
  instruction.pc = address;
  instruction.size = raw.size;
  instruction.run = &unknown_instruction;
  std::array<uint32_t, 5> words{};
  std::memcpy(words.data(), &code_[address - base_], std::min<size_t>(raw.size, sizeof words));
  const auto text = parse_assembly(raw.text);
  if (!text.ok()) return instruction;
  const Row* row = nullptr;
  // Modifiers that make another operation of an instruction have rows of their own.
  if (text->has("clamp")) row = find_row(text->mnemonic + " clamp");
  if (text->has("lds")) row = find_row(text->mnemonic + " lds");
  if (row == nullptr) row = find_row(text->mnemonic);
  if (row == nullptr) return instruction;
  instruction.row = row;
  instruction.extra = row->extra;
  instruction.complete = row->complete;
  instruction.complete_lds = row->complete_lds;
  const BuildContext context{*text, std::span(words).first(raw.size / 4), *row, *arena_};
  if (!row->build(context, instruction).ok()) return instruction;
  instruction.run = is_within(instruction, limits_) ? row->run : &beyond_registers;
  has_global_atomics_ |= row->instruction_class == InstructionClass::global_memory &&
                         row->name.find("_atomic_") != std::string_view::npos;
  return instruction;
}

bool Program::can_run(const Instruction& instruction) {
  return instruction.run != &unknown_instruction;
}

std::string Program::text_of(const Instruction& instruction) const {
  const std::shared_lock lock(mutex_);
  const auto found = raw_.find(instruction.pc);
  return found == raw_.end() ? "(end of code)" : found->second.text;
}

uint32_t Program::size() const {
  const std::shared_lock lock(mutex_);
  return next_index_;
}

}  // namespace mxproof::emulator
