#include "bench/optimized/route_work.hpp"

#include "optimized/device/check.hpp"

namespace mxproof::bench {
namespace {

class RouteWork final : public ProductWork {
 public:
  RouteWork(std::shared_ptr<const Operands> operands, Plan plan)
      : ProductWork(std::move(operands)), plan_(std::move(plan)) {}

  Status prepare() {
    MXPROOF_RETURN_IF_ERROR(make_outputs());
    for (int set = 0; set < sets(); ++set) {
      GemmPointers pointers;
      pointers.a = operands().a(set).operand(LayoutTag::bf16_rows);
      operands().weights(set).set(pointers);
      pointers.c = c(set).operand(LayoutTag::bf16_rows);
      pointers_.push_back(pointers);
    }
    auto sequence = plan_.launches(pointers_.front());
    if (!sequence) return sequence.status();
    launches_ = static_cast<int>(sequence->size());
    return {};
  }

  Status enqueue(int set, hipStream_t stream) const override {
    return plan_.enqueue(pointers_[static_cast<size_t>(set)], stream);
  }
  int launches() const override { return launches_; }

 private:
  Plan plan_;
  std::vector<GemmPointers> pointers_;
  int launches_ = 0;
};

}  // namespace

Expected<std::unique_ptr<Work>> make_route_work(const GemmRequest& request,
                                                std::shared_ptr<const Operands> operands) {
  auto plan = Plan::make(request);
  if (!plan) return plan.status();
  auto work = std::make_unique<RouteWork>(std::move(operands), std::move(*plan));
  MXPROOF_RETURN_IF_ERROR(work->prepare());
  return std::unique_ptr<Work>(std::move(work));
}

Expected<std::unique_ptr<Work>> make_route_work(Route route, std::shared_ptr<const Operands> operands) {
  GemmRequest request;
  request.shape = operands->shape();
  request.route = route;
  return make_route_work(request, std::move(operands));
}

}  // namespace mxproof::bench
