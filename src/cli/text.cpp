// See text.hpp.
#include "cli/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fcbio::cli {
namespace {

constexpr Index kShownCoordinates = 8;

std::string line(const char* label, const std::string& text) { return fmt::format("{:<16}{}\n", label, text); }

std::string bound_line(const std::optional<double>& bound) { return bound ? number(*bound) : "not known"; }

std::string shown_point(const Vector& x) {
  std::string text = "(";
  for (Index j = 0; j < x.size(); ++j) text += fmt::format("{}{:.8g}", j == 0 ? "" : ", ", x[j]);
  return text + ")";
}

std::string upper_sentence(double excess, const std::optional<double>& deficit, double asked) {
  const char* best = "the least value of f among all minimisers of g";
  if (deficit && excess >= 0.0)
    return fmt::format("f(x) is at most {:.6g} above and at most {:.6g} below {} (asked {:g} either way)", excess,
                       *deficit, best, asked);
  if (deficit)
    return fmt::format("f(x) is between {:.6g} and {:.6g} below {} (asked: at most {:g} either way)", -excess,
                       *deficit, best, asked);
  if (excess < 0.0)
    return fmt::format(
        "f(x) is at least {:.6g} below {} (asked: at most {:g} above): the slack in g buys upper value", -excess,
        best, asked);
  return fmt::format(
      "f(x) is at most {:.6g} above {} (asked {:g}; it may also lie below, as slack in g buys upper value)",
      excess, best, asked);
}

std::string error_bound_sentence(const HolderBound& holder, HolderSource source) {
  return fmt::format(
      " From below this rests on the error bound (beta/alpha) dist^alpha <= g - g*, alpha {:g}, beta {:.6g}, with "
      "|f'| at most {:.6g}: {}.",
      holder.alpha, holder.beta, holder.gradient_bound,
      source == HolderSource::computed ? "computed" : "told, not proved");
}

/// One digit, rounded down.
double one_digit_below(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)));
  return unit * std::max(1.0, std::floor(value / unit));
}

// f* - f(x) is about multiplier * slack, and the multiplier grows like a power of the slack when that falls, 1/2 at
// most where v(c) falls like the root of c - g*: then the slack must shrink with the square.
std::string slack_sentence(const Result& result) {
  const Certificate& known = result.certificate;
  const double mu = result.witness.multiplier, asked = asked_of(result).upper;
  const double slack = std::max(0.0, known.lower_gap.value_or(0.0)), worth = mu * slack;
  if (!known.upper_excess || known.upper_deficit || result.accuracy.tight || !(worth > 0.0)) return {};
  const std::string rate =
      fmt::format(" At the multiplier {:.3g} the slack of {:.3g} in g buys about {:.3g} of f", mu, slack, worth);
  if (worth <= asked) return rate + ", no more than was asked: f(x) is near f*.";
  const double needed = slack * (asked / worth) * (asked / worth);
  if (!(needed > kEpsilon * std::abs(result.lower_value)))
    return rate + ", and no accuracy in g that double precision holds would bring that to what was asked.";
  return fmt::format("{}; --eps-g {:g} would bring that to the {:g} asked.", rate, one_digit_below(needed), asked);
}

}  // namespace

std::string short_number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.6g}", value); }

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.10g}", value); }

std::string signed_number(const std::optional<double>& value) {
  constexpr double kTiny = 1e-300;  // what rounding up leaves of 0
  return value ? fmt::format("{:+.6g}", std::abs(*value) < kTiny ? 0.0 : *value) : "not known";
}

std::string wrap(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (column > 0 && column + 1 + word.size() > width) {
      out += '\n';
      column = 0;
    }
    out += column == 0 ? std::string(indent, ' ') : " ";
    column += (column == 0 ? indent : 1) + word.size();
    out += word;
  }
  return out + "\n";
}

std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string out;
  for (const auto& [name, text] : rows)
    out += fmt::format("  {:<{}}{}", name, width, wrap(text, width + 4).substr(width + 2));
  return out;
}

std::string left_out_in_words(const std::vector<report::LeftOut>& left_out) {
  if (left_out.empty()) return "";
  std::vector<std::pair<std::string, std::string>> rows;
  for (const report::LeftOut& who : left_out) rows.emplace_back(who.name, who.why);
  return "\nLeft out:\n" + two_columns(rows);
}

std::string describe_options(const std::vector<OptionInfo>& options) {
  if (options.empty()) return "  none\n";
  std::vector<std::pair<std::string, std::string>> rows;
  for (const OptionInfo& option : options)
    rows.emplace_back(option.name,
                      fmt::format("{} [{}; default {}]", option.help, option.range, option.default_value));
  return two_columns(rows);
}

std::string maximum_in_words(const Result& result, const PerLevel<bool>& maximized) {
  std::string words;
  const auto add = [&words](const char* name, double value, const std::optional<double>& bound,
                            const char* among) {
    words +=
        line(fmt::format("maximum -{}", name).c_str(),
             fmt::format("{}{}   (what is maximised; {} is its negative)", number(-value),
                         bound ? fmt::format(", and no {} has more than {}", among, number(-*bound)) : "", name));
  };
  if (maximized.upper)
    add("f", result.upper_value, result.certificate.upper_lower_bound, "solution of the lower level");
  if (maximized.lower) add("g", result.lower_value, result.certificate.lower_lower_bound, "point of Z");
  return words;
}

std::string certificate_in_words(const Result& result) {
  const Accuracy asked = asked_of(result);
  const Certificate& known = result.certificate;
  if (!known.upper_excess && !known.lower_gap) return "Nothing is proved about this point.\n";
  const bool upper_proved = known.upper_excess && known.evidence != Evidence::estimated;
  std::string words;
  const std::string proved =
      known.premises.empty() ? "Proved" : fmt::format("Proved if {}", fmt::join(known.premises, ", and if "));
  if (known.lower_gap)
    words = fmt::format("{}: g(x) is at most {:.6g} above the least value of g on Z (asked {:g})", proved,
                        *known.lower_gap, asked.lower);
  if (known.upper_excess) {
    if (upper_proved)
      words += known.lower_gap ? ", and " : proved + ": ";
    else
      words += known.lower_gap ? ". Estimated, not proved: " : "Estimated, not proved: ";
    words += upper_sentence(*known.upper_excess, known.upper_deficit, asked.upper);
  }
  words += ".";
  if (known.lower_lower_bound)
    words += fmt::format(" No point of Z has g below {}.", number(*known.lower_lower_bound));
  if (known.upper_lower_bound && upper_proved)
    words += fmt::format(" No minimiser of g has f below {}.", number(*known.upper_lower_bound));
  if (known.tight_level && known.tight_excess)
    words += fmt::format(" Tight: every point of Z with g at most {} has f at least f(x) {} {:.6g}.",
                         number(*known.tight_level), *known.tight_excess > 0.0 ? "-" : "+",
                         std::abs(*known.tight_excess));
  if (known.upper_deficit && known.holder) words += error_bound_sentence(*known.holder, known.holder_source);
  words += slack_sentence(result);
  if (!known.lower_gap) words += " Nothing is proved about g(x) - g*.";
  if (!known.upper_excess)
    words += known.evidence == Evidence::estimated
                 ? " That f(x) is near f* rests on the method's own rule; it is not proved."
                 : " Nothing is proved about f(x) - f*.";
  return wrap(words, 0);
}

std::string summary(const Result& result, std::optional<double> read_seconds) {
  const Accuracy asked = asked_of(result);
  const Certificate& known = result.certificate;
  std::string out;
  out +=
      line("status", std::string(to_string(result.status)) +
                         (result.status == Status::converged ? "   (by the method's own rule: not proved)" : ""));
  if (!result.message.empty()) out += line("", result.message);
  out += line("method", result.engine.empty() ? result.method : result.method + " (" + result.engine + ")");
  out += line("f(x)", number(result.upper_value));
  out += line("g(x)", number(result.lower_value));
  out += line("f(x) - f* <=", fmt::format("{}   (asked {:g}; signed: negative means below f*)",
                                          signed_number(known.upper_excess), asked.upper));
  if (result.accuracy.absolute)
    out += line(
        "f(x) - f* >=",
        fmt::format("{}   (asked {:g})",
                    known.upper_deficit ? signed_number(-*known.upper_deficit) : signed_number({}), -asked.upper));
  out += line("g(x) - g* <=", fmt::format("{}   (asked {:g})", signed_number(known.lower_gap), asked.lower));
  if (known.tight_level)
    out += line("f(x) - v(c) <=", fmt::format("{}   (asked {:g}; v(c): least f where g <= c = {:.6g})",
                                              signed_number(known.tight_excess), asked.upper, *known.tight_level));
  out += line("f* >=", bound_line(known.upper_lower_bound));
  out += line("g* >=", bound_line(known.lower_lower_bound));
  out += line("evidence", std::string(to_string(known.evidence)));
  out += line("multiplier", short_number(result.witness.multiplier));
  out += line("work", fmt::format("{} iterations, {} passes ({} upper, {} lower), {} projections",
                                  result.work.iterations, result.work.passes(), result.work.upper_passes,
                                  result.work.lower_passes, result.work.projections));
  if (const auto& after = result.work.certified_after; after && *after < result.work.passes())
    out += line("certified after", fmt::format("{} passes; the others brought it nearer to the solution", *after));
  out += line("seconds",
              fmt::format("{}{:.3g} solve", read_seconds ? fmt::format("{:.3g} read, ", *read_seconds) : "",
                          result.solve_seconds));
  if (result.x.size() <= kShownCoordinates) out += line("x", shown_point(result.x));
  return out;
}

}  // namespace fcbio::cli
