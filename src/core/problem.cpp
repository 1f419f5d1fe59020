#include "fcbio/problem.hpp"

#include <fmt/format.h>

#include "fcbio/error.hpp"

namespace fcbio {
namespace {

constexpr double kStartOperations = 2e8;  // about a tenth of a second

}  // namespace

Problem::Problem(Function upper, Function lower, ConvexSetPtr domain, Vector start)
    : upper_(std::move(upper)),
      lower_(std::move(lower)),
      domain_(std::move(domain)),
      given_start_(std::move(start)),
      start_(given_start_) {
  if (upper_.parts().empty() || lower_.parts().empty() || !domain_)
    throw InvalidArgument("expected an upper function, a lower function and a domain, found an empty one");
  const Index n = upper_.dimension();
  if (lower_.dimension() != n || domain_->dimension() != n || start_.size() != n)
    throw InvalidArgument(
        fmt::format("expected one dimension for all parts of the problem, found upper {}, lower {}, domain {}, "
                    "start {}; make them agree",
                    n, lower_.dimension(), domain_->dimension(), start_.size()));
  if (!start_.allFinite()) throw InvalidArgument("expected a finite start, found NaN or infinity in it");
  OperationBudget budget(kStartOperations);
  project_start(budget);
}

void Problem::project_start(Watch& watch) {
  Scratch scratch(watch);
  domain_->project(start_, scratch);
  start_is_projected_ = !watch.is_over(0.0);
}

Problem::Problem(Function upper, Function lower, ConvexSetPtr domain)
    : Problem(upper, std::move(lower), std::move(domain), Vector::Zero(upper.dimension())) {}

}  // namespace fcbio
