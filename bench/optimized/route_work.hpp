// A route of the system, called as a user calls it: through its plan.
#pragma once

#include "bench/optimized/product_work.hpp"
#include "optimized/plan/plan.hpp"

namespace mxproof::bench {

/// The plan of `request`, whose shape is that of the operands. Refused where the plan is.
Expected<std::unique_ptr<Work>> make_route_work(const GemmRequest& request,
                                                std::shared_ptr<const Operands> operands);

/// The plan of `route`, with the router's tile where its table names this route. Refused where the route is.
Expected<std::unique_ptr<Work>> make_route_work(Route route, std::shared_ptr<const Operands> operands);

}  // namespace mxproof::bench
