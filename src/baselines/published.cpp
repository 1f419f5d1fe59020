#include "baselines/published.hpp"

namespace fcbio {

MethodInfo published_method(const MethodText& text, std::vector<OptionInfo> options, Misfit misfit,
                            std::shared_ptr<const MethodBody> body) {
  MethodInfo info;
  info.name = text.name;
  info.summary = text.summary;
  info.needs = text.needs;
  info.guarantee = text.guarantee;
  info.zero_respecting = text.zero_respecting;
  info.options = std::move(options);
  info.misfit = std::move(misfit);
  info.check_options = [body](const OptionValues& values) { body->check(values); };
  info.run = [body](const Problem& problem, const SolveOptions& given, Monitor& monitor) {
    return body->run(problem, given, monitor);
  };
  return info;
}

}  // namespace fcbio
