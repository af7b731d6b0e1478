#include "emulator/watch/uninit_register.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mxproof::emulator {
namespace {

uint64_t bit(int lane) {
  return uint64_t{1} << lane;
}

/// One instruction and what its registers hold.
class Check {
 public:
  Check(const Instruction& inst, const OperandUse& operands, uint64_t lanes, const Wave& wave,
        WatchSet watchers, RegisterShadow& shadow, const Reporter& reporter)
      : inst_(inst),
        operands_(operands),
        lanes_(lanes),
        wave_(wave),
        watchers_(watchers),
        shadow_(shadow),
        reporter_(reporter) {}

  void run() {
    switch (operands_.flow) {
      case Flow::compute:
        return compute();
      case Flow::wide:
        return wide();
      case Flow::copy:
        return copy();
      case Flow::select:
        return select();
      case Flow::swap:
      case Flow::swap16:
      case Flow::swap32:
        return swap();
      case Flow::mask:
        return define_results();
      case Flow::to_lane:
        return to_lane();
      case Flow::from_lane:
        return from_lane();
    }
  }

  /// What a store to global memory stores.
  void use_data() { use(operands_.read[kData], operands_.bytes_used[kData]); }

 private:
  static constexpr size_t kData = 1;

  /// `name` holds nothing that was written, in `lane` (-1: a scalar).
  void report(const std::string& name, const Origin& origin, bool has_origin, int lane) {
    const Watcher watcher = has_origin ? origin.watcher : Watcher::uninit_register;
    if (!watchers_.has(watcher)) return;
    if (!has_origin || origin.load == nullptr) {
      reporter_.report(watcher, inst_, wave_.index_in_group, lane, std::nullopt, [&] {
        const std::string copied =
            !has_origin ? ""
                        : fmt::format(", a copy of {}",
                                      origin.is_scalar ? scalar_name(origin.row) : vector_name(origin.row));
        return fmt::format("uses {}{}, which was never written{}", name, copied,
                           lane < 0 ? "" : " in this lane");
      });
      return;
    }
    reporter_.report(watcher, inst_, wave_.index_in_group, lane, origin.address, [&] {
      const char* space = watcher == Watcher::uninit_lds      ? "LDS byte"
                          : watcher == Watcher::uninit_global ? "address"
                                                              : "scratch byte";
      const std::string by = origin.lane < 0 ? "" : fmt::format(" (lane {})", origin.lane);
      return fmt::format("uses {}, which {} loaded from {} 0x{:x}{}, where nobody has written", name,
                         reporter_.name_of(*origin.load), space, origin.address, by);
    });
  }

  void report_vector(uint16_t row, uint64_t undefined) {
    const Origin origin = shadow_.origin(row);
    const int lane = std::countr_zero(undefined);
    shadow_.define(row, undefined);
    report(vector_name(row), origin, (origin.lanes & bit(lane)) != 0, lane);
  }

  void use(const RegisterRange& range, uint32_t bytes) {
    for (uint16_t i = 0; i < range.count; ++i) {
      const auto row = static_cast<uint16_t>(range.first + i);
      if (const uint64_t undefined = shadow_.undefined(row, bytes) & lanes_; undefined != 0)
        report_vector(row, undefined);
    }
  }

  void use_scalars() {
    const ScalarSet undefined = shadow_.undefined_scalar() & operands_.scalar_reads;
    if (undefined.none()) return;
    shadow_.define_scalar(undefined, true);
    size_t reg = 0;
    while (!undefined.test(reg)) ++reg;
    const Origin& origin = shadow_.scalar_origin(reg);
    report(scalar_name(reg), origin, origin.load != nullptr, -1);
  }

  /// What a vector register gets from the scalars that the instruction reads.
  Origin origin_of_scalars(const ScalarSet& undefined) const {
    for (size_t reg = 0; reg < undefined.size(); ++reg) {
      if (undefined.test(reg) && shadow_.scalar_origin(reg).load != nullptr)
        return shadow_.scalar_origin(reg);
    }
    for (size_t reg = 0; reg < undefined.size(); ++reg) {
      if (undefined.test(reg))
        return {nullptr, static_cast<uint16_t>(reg), kAllLanes, 0, 0, Watcher::uninit_register, true};
    }
    return {};
  }

  /// Loads define their registers when what they load is known.
  void define_results() {
    if (operands_.memory == MemoryUse::none) {
      for (const RegisterRange& range : {operands_.write, operands_.write2}) {
        for (uint16_t i = 0; i < range.count; ++i)
          shadow_.define(static_cast<uint16_t>(range.first + i), lanes_);
      }
    }
    if (operands_.scalar_writes.any()) shadow_.define_scalar(operands_.scalar_writes, true);
  }

  void compute() {
    const bool is_spill = inst_.row->instruction_class == InstructionClass::scratch ||
                          operands_.memory == MemoryUse::lds || operands_.is_flat_store;
    for (size_t i = 0; i < operands_.reads; ++i) {
      if (!(is_spill && operands_.is_data[i])) use(operands_.read[i], operands_.bytes_used[i]);
    }
    if (lanes_ != 0 || operands_.reads == 0) use_scalars();
    define_results();
  }

  void wide() {
    ByteLanes upper{};
    Origin origin;
    for (size_t i = 0; i < operands_.reads; ++i) {
      const RegisterRange& range = operands_.read[i];
      use({range.first, std::min<uint8_t>(range.count, 1)}, kAllBytes);
      if (range.count < 2) continue;
      const auto row = static_cast<uint16_t>(range.first + 1);
      const uint64_t undefined = shadow_.undefined(row) & lanes_;
      if (undefined == 0) continue;
      for (uint64_t& byte : upper) byte |= undefined;
      origin = origin_of_copy(row);
    }
    if (lanes_ != 0) use_scalars();
    define_results();
    if (upper[0] != 0) assign(static_cast<uint16_t>(operands_.write.first + 1), upper, origin);
  }

  void copy() {
    const bool from_vector = inst_.src[0].kind == SourceKind::vector;
    const ScalarSet scalars = shadow_.undefined_scalar() & operands_.scalar_reads;
    if (inst_.dst_scalar) {
      if (scalars.any()) {
        shadow_.set_undefined_scalar(operands_.scalar_writes, origin_of_scalars(scalars));
      } else {
        shadow_.define_scalar(operands_.scalar_writes, true);
      }
      return;
    }
    for (uint16_t i = 0; i < operands_.write.count; ++i) {
      const auto to = static_cast<uint16_t>(operands_.write.first + i);
      if (from_vector) {
        const auto from =
            static_cast<uint16_t>(operands_.read[0].first + std::min<int>(i, operands_.read[0].count - 1));
        assign(to, moved(shadow_.undefined_bytes(from)), origin_of_copy(from));
      } else {
        assign(to, every_byte(scalars.any() ? kAllLanes : 0), origin_of_scalars(scalars));
      }
    }
  }

  /// What a copy of `row` comes from.
  Origin origin_of_copy(uint16_t row) const {
    const Origin& origin = shadow_.origin(row);
    if ((origin.lanes & shadow_.undefined(row)) != 0) return origin;
    return {nullptr, row, kAllLanes, 0, 0, Watcher::uninit_register};
  }

  static ByteLanes every_byte(uint64_t lanes) { return {lanes, lanes, lanes, lanes}; }

  /// DPP permutes lanes on the way.
  ByteLanes moved(const ByteLanes& undefined) const {
    if (inst_.dpp == nullptr) return undefined;
    ByteLanes result{};
    for (int lane = 0; lane < kLanes; ++lane) {
      const int source = inst_.dpp->source[lane];
      if (source < 0 || (wave_.exec() >> source & 1U) == 0) continue;
      for (size_t i = 0; i < 4; ++i) result[i] |= (undefined[i] >> source & 1U) << lane;
    }
    return result;
  }

  void assign(uint16_t row, const ByteLanes& undefined, const Origin& origin) {
    ByteLanes bytes = undefined;
    const ByteLanes& old = shadow_.undefined_bytes(row);
    for (size_t i = 0; i < 4 && operands_.keeps_old_part; ++i) bytes[i] |= old[i];
    const Origin copy = origin;  // may be the row's own
    shadow_.assign(row, lanes_, bytes, copy);
  }

  void select() {
    use_scalars();
    const uint64_t mask = read_scalar64(wave_, inst_.src[2]);
    ByteLanes undefined{};
    Origin origin;
    for (int i = 0; i < 2; ++i) {
      if (inst_.src[i].kind != SourceKind::vector) continue;
      const uint16_t from = inst_.src[i].reg;
      const uint64_t chosen = i == 0 ? ~mask : mask;
      const ByteLanes bytes = i == 0 ? moved(shadow_.undefined_bytes(from)) : shadow_.undefined_bytes(from);
      for (size_t k = 0; k < 4; ++k) undefined[k] |= bytes[k] & chosen;
      if ((shadow_.undefined(from) & chosen & lanes_) != 0) origin = origin_of_copy(from);
    }
    assign(inst_.dst, undefined, origin);
  }

  void swap() {
    const uint16_t d = inst_.dst;
    const uint16_t s = inst_.src[0].reg;
    ByteLanes to_d = shadow_.undefined_bytes(s);
    ByteLanes to_s = shadow_.undefined_bytes(d);
    const Origin origin_d = origin_of_copy(d);
    const Origin origin_s = origin_of_copy(s);
    if (operands_.flow == Flow::swap) {
      shadow_.assign(d, lanes_, to_d, origin_s);
      shadow_.assign(s, lanes_, to_s, origin_d);
      return;
    }
    const int distance = operands_.flow == Flow::swap16 ? 16 : 32;
    uint64_t upper = 0;
    for (int lane = 0; lane < kLanes; ++lane) upper |= (lane & distance) != 0 ? bit(lane) : 0;
    for (uint64_t& byte : to_d) byte <<= distance;
    for (uint64_t& byte : to_s) byte >>= distance;
    shadow_.assign(d, lanes_ & upper, to_d, origin_s);
    shadow_.assign(s, lanes_ & (upper >> distance), to_s, origin_d);
  }

  void to_lane() {
    const uint64_t lane = bit(chosen_lane(inst_, wave_));
    const ScalarSet undefined = shadow_.undefined_scalar() & operands_.scalar_reads;
    shadow_.assign(inst_.dst, lane, every_byte(undefined.any() ? lane : 0), origin_of_scalars(undefined));
  }

  void from_lane() {
    const uint64_t lane = bit(chosen_lane(inst_, wave_));
    const uint16_t row = inst_.src[0].reg;
    const bool is_vector = inst_.src[0].kind == SourceKind::vector;
    if (is_vector && (shadow_.undefined(row) & lane) != 0) {
      shadow_.set_undefined_scalar(operands_.scalar_writes, shadow_.origin(row));
    } else {
      shadow_.define_scalar(operands_.scalar_writes, true);
    }
  }

  const Instruction& inst_;
  const OperandUse& operands_;
  uint64_t lanes_;
  const Wave& wave_;
  WatchSet watchers_;
  RegisterShadow& shadow_;
  const Reporter& reporter_;
};

}  // namespace

std::string vector_name(uint16_t row) {
  return row < kFirstAgpr ? fmt::format("v{}", row) : fmt::format("a{}", row - kFirstAgpr);
}

std::string scalar_name(size_t reg) {
  switch (reg) {
    case kVcc:
      return "vcc_lo";
    case kVcc + 1:
      return "vcc_hi";
    case kM0:
      return "m0";
    case kExec:
      return "exec_lo";
    case kExec + 1:
      return "exec_hi";
    default:
      return fmt::format("s{}", reg);
  }
}

void check_undefined(const Instruction& inst, const OperandUse& operands, uint64_t lanes, const Wave& wave,
                     WatchSet watchers, RegisterShadow& shadow, const Reporter& reporter) {
  Check(inst, operands, lanes, wave, watchers, shadow, reporter).run();
}

void check_stored(const Instruction& inst, const OperandUse& operands, uint64_t lanes, const Wave& wave,
                  WatchSet watchers, RegisterShadow& shadow, const Reporter& reporter) {
  Check(inst, operands, lanes, wave, watchers, shadow, reporter).use_data();
}

}  // namespace mxproof::emulator
