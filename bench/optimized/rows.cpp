#include "bench/optimized/rows.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "bench/optimized/floor.hpp"
#include "bench/optimized/kernel_work.hpp"
#include "bench/optimized/lazy.hpp"
#include "bench/optimized/operands.hpp"
#include "bench/optimized/peers.hpp"
#include "bench/optimized/route_work.hpp"
#include "bench/optimized/row_runner.hpp"
#include "common/shapes/shape_list.hpp"

namespace mxproof::bench {
namespace {

using LazyOperands = Lazy<std::shared_ptr<const Operands>>;
using MakeWork = std::function<Expected<std::unique_ptr<Work>>(std::shared_ptr<const Operands>)>;

/// All rows of one shape.
class ShapeRows {
 public:
  ShapeRows(const GemmShape& shape, const RowsConfig& config) : shape_(shape), config_(config) {
    sets_ = config.counts != nullptr ? 1 : rotating_sets(product_bytes(shape), config.facts.cache_bytes);
    operands_ = std::make_shared<LazyOperands>(
        [shape, sets = sets_, seed = config.seed] { return Operands::make(shape, sets, seed); });
  }

  void add(std::string path, Kind kind, double bytes, double flop, const MakeWork& make) const {
    const auto make_work = [operands = operands_, make]() -> Expected<std::unique_ptr<Work>> {
      auto& made = operands->get();
      if (!made) return made.status();
      return make(*made);
    };
    // All sets together must not fit the cache, or a loop over them is not cold.
    const bool can_be_cold = bytes * sets_ >= 2.0 * static_cast<double>(config_.facts.cache_bytes);
    register_work({std::move(path), to_string(shape_), kind, bytes, flop, can_be_cold, make_work},
                  config_.facts, config_.counts);
  }

  void add_all() const {
    const double flop =
        2.0 * static_cast<double>(shape_.m) * static_cast<double>(shape_.n) * static_cast<double>(shape_.k);
    const auto bytes = static_cast<double>(product_bytes(shape_));
    for (const Route route : kRoutes) {
      add(std::string(route_name(route)), Kind::route, bytes, flop,
          [route](auto operands) { return make_route_work(route, std::move(operands)); });
    }
    for (const KernelInfo& kernel : kKernels) {
      add(std::string(kernel.name), Kind::kernel, static_cast<double>(kernel_bytes(kernel, shape_)),
          (kernel.flags & kMultiplies) != 0 ? flop : 0,
          [id = kernel.id](auto operands) { return make_kernel_work(id, std::move(operands)); });
    }
    if (config_.counts != nullptr) return;  // Counts of a peer mean nothing beside ours.
    add("stream_floor", Kind::floor, bytes, 0, [units = config_.compute_units](auto operands) {
      return make_stream_floor(std::move(operands), units);
    });
    for (const Peer& peer : peers()) {
      add(std::string(peer.name), Kind::peer, static_cast<double>(peer.bytes(shape_)), flop,
          [make = peer.make](auto operands) { return make(std::move(operands)); });
    }
  }

 private:
  GemmShape shape_;
  const RowsConfig& config_;
  int sets_;
  std::shared_ptr<LazyOperands> operands_;
};

}  // namespace

void register_rows(const RowsConfig& config) {
  for (const GemmShape& shape : config.shapes) ShapeRows(shape, config).add_all();
  if (config.counts != nullptr) return;
  register_work({"empty_launch", "any", Kind::floor, 0, 0, /*can_be_cold=*/false,
                 []() -> Expected<std::unique_ptr<Work>> { return make_empty_launch(); }},
                config.facts, nullptr);
}

}  // namespace mxproof::bench
