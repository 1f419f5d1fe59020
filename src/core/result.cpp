#include "fcbio/result.hpp"

namespace fcbio {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::certified:
      return "certified";
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::time_limit:
      return "time_limit";
    case Status::work_limit:
      return "work_limit";
    case Status::interrupted:
      return "interrupted";
    case Status::stalled:
      return "stalled";
    case Status::not_finite:
      return "not_finite";
    case Status::not_convex:
      return "not_convex";
  }
  return "stalled";
}

std::string_view to_string(Evidence evidence) {
  switch (evidence) {
    case Evidence::proved:
      return "proved";
    case Evidence::estimated:
      return "estimated";
    case Evidence::none:
      return "none";
  }
  return "none";
}

std::string_view to_string(HolderSource source) { return source == HolderSource::computed ? "computed" : "told"; }

}  // namespace fcbio
