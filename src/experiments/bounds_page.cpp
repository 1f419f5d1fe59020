#include "experiments/bounds_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace fcbio::experiments {
namespace {

constexpr double kWidth = 860.0, kHeight = 430.0;
constexpr double kLeft = 64.0, kRight = 20.0, kTop = 34.0, kBottom = 50.0;  // margins
constexpr std::size_t kColours = 8;

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Work against the lower bound</title>
<style>
:root { color-scheme: light dark; --page: #f6f6f3; --card: #fff; --ink: #1c2126; --muted: #667078; --line: #dcdfe0;
  --ruled-out: #e4e6e7; --run-0: #0072b2; --run-1: #d55e00; --run-2: #009e73; --run-3: #b8599a; --run-4: #b88300;
  --run-5: #3a9bd9; --run-6: #6b4fa0; --run-7: #4d4d4d; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #14171a; --card: #1c2125; --ink: #e6e9ea;
  --muted: #98a3aa; --line: #353c42; --ruled-out: #353b40; --run-0: #4ba8e0; --run-1: #f08a4b; --run-2: #35c79b;
  --run-3: #e39ac6; --run-4: #e6b422; --run-5: #9bd3f5; --run-6: #b39ddb; --run-7: #c9ced1; } }
body { margin: 0 auto; max-width: 940px; padding: 24px; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 8px; }
h2 { font-size: 1.05rem; margin: 18px 0 6px; overflow-wrap: anywhere; }
p { max-width: 80ch; color: var(--muted); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 14px 18px;
  margin: 16px 0; overflow-x: auto; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--ink); font-size: 12px; }
svg .quiet { fill: var(--muted); } svg .grid { stroke: var(--line); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 6px 0 0; padding: 0; list-style: none;
  font-size: 0.9rem; } .legend i { display: inline-block; width: 1.4em; height: 0; border-top: 3px solid;
  vertical-align: middle; margin-right: 0.5em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.92rem; }
th, td { text-align: right; padding: 3px 12px; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--muted); font-weight: 550; }
</style></head><body>
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

/// From -log10(accuracy) and log10(gradients) to the picture.
class Frame {
 public:
  explicit Frame(const BoundsExperiment& experiment) {
    for (const BoundCurve& curve : experiment.curves) {
      for (const BoundPoint& point : curve.points) {
        x_low_ = std::min(x_low_, -std::log10(point.accuracy));
        x_high_ = std::max(x_high_, -std::log10(point.accuracy));
        most_ = std::max({most_, point.judged(), point.bound});
      }
    }
    y_high_ = std::ceil(std::log10(static_cast<double>(most_)) + 0.05);
    if (x_high_ - x_low_ < 0.5) x_low_ -= 0.25, x_high_ += 0.25;
  }
  bool empty() const { return most_ == 0; }
  double x(double accuracy) const {
    return kLeft + (-std::log10(accuracy) - x_low_) / (x_high_ - x_low_) * (kWidth - kLeft - kRight);
  }
  double y(double count) const {
    return kHeight - kBottom - std::log10(count) / y_high_ * (kHeight - kTop - kBottom);
  }
  std::string axes() const {
    std::string out;
    for (double decade = 0.0; decade <= y_high_; decade += 1.0) {
      const double at = y(std::pow(10.0, decade));
      out += fmt::format(
          "<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
          "<text class=\"quiet\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
          kLeft, kWidth - kRight, at, at, kLeft - 8.0, at + 4.0, std::pow(10.0, decade));
    }
    for (double decade = std::ceil(x_low_ - 1e-9); decade <= x_high_ + 1e-9; decade += 1.0)
      out += fmt::format("<text class=\"quiet\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.0e}</text>\n",
                         x(std::pow(10.0, -decade)), kHeight - kBottom + 20.0, std::pow(10.0, -decade));
    return out + fmt::format(
                     "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">accuracy, eps</text>"
                     "<text x=\"8\" y=\"18\">gradients of the chain</text>\n",
                     kWidth - kRight, kHeight - 8.0);
  }

 private:
  double x_low_ = kInfinity, x_high_ = -kInfinity, y_high_ = 1.0;
  std::int64_t most_ = 0;
};

using Places = std::vector<std::pair<double, double>>;

std::string points_text(const Places& places) {
  std::string out;
  for (const auto& place : places) out += fmt::format("{:.1f},{:.1f} ", place.first, place.second);
  return out;
}

std::string line(const Frame& frame, const BoundCurve& curve, std::size_t index) {
  Places places;
  std::string out;
  for (const BoundPoint& point : curve.points) {
    if (point.judged() == 0) continue;
    places.emplace_back(frame.x(point.accuracy), frame.y(static_cast<double>(point.judged())));
    out += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"var(--run-{})\"><title>{}\n"
        "eps {:.3g}: {} gradients, bound {}</title></circle>\n",
        places.back().first, places.back().second, index % kColours, escaped(curve.contestant.label),
        point.accuracy, point.judged(), point.bound);
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"var(--run-{})\" stroke-width=\"2\"/>\n{}",
                     points_text(places), index % kColours, out);
}

std::string chart(const BoundsExperiment& experiment) {
  const Frame frame(experiment);
  if (frame.empty()) return "<p>Nothing was measured.</p>\n";
  const auto longest =
      std::max_element(experiment.curves.begin(), experiment.curves.end(),
                       [](const auto& a, const auto& b) { return a.points.size() < b.points.size(); });
  Places bound;
  for (const BoundPoint& point : longest->points)
    bound.emplace_back(frame.x(point.accuracy), frame.y(static_cast<double>(point.bound)));
  Places region = bound;
  region.emplace_back(bound.back().first, frame.y(1.0));
  region.emplace_back(bound.front().first, frame.y(1.0));
  std::string out = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"gradients against accuracy\">\n", kWidth, kHeight);
  out += fmt::format("<polygon points=\"{}\" fill=\"var(--ruled-out)\"/>\n", points_text(region));
  out += frame.axes();
  out += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"var(--muted)\" stroke-width=\"1.5\"/>\n",
                     points_text(bound));
  out += fmt::format(
      "<text class=\"quiet\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">no zero-respecting method can be "
      "here</text>\n",
      bound.back().first - 10.0, frame.y(1.0) - 12.0);
  for (std::size_t i = experiment.curves.size(); i-- > 0;) out += line(frame, experiment.curves[i], i);
  out += "</svg>\n<ul class=\"legend\">";
  for (std::size_t i = 0; i < experiment.curves.size(); ++i)
    out += fmt::format("<li><i style=\"border-color: var(--run-{})\"></i>{}</li>", i % kColours,
                       escaped(experiment.curves[i].contestant.label));
  return out + "</ul>\n";
}

std::string table(const BoundCurve& curve, double expected) {
  std::string out = fmt::format("<h2>{}</h2>\n<table><thead><tr>", escaped(curve.contestant.label));
  for (const char* name :
       {"accuracy", "bound", "longest round", "rounds", "gradients in all", "first weak point", "ratio"})
    out += fmt::format("<th>{}</th>", name);
  out += "</tr></thead><tbody>\n";
  const auto shown = [](bool known, std::int64_t count) { return known ? fmt::format("{}", count) : "-"; };
  for (const BoundPoint& point : curve.points)
    out += fmt::format(
        "<tr><td>{:.3g}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        point.accuracy, point.bound, shown(point.in_rounds, point.longest_round),
        shown(point.in_rounds, point.rounds), point.gradients,
        shown(point.first_weak.has_value(), point.first_weak.value_or(0)),
        point.judged() > 0
            ? fmt::format("{:.2f}", static_cast<double>(point.judged()) / static_cast<double>(point.bound))
            : "-");
  out += "</tbody></table>\n";
  if (curve.exponent)
    out += fmt::format("<p>Fitted exponent {:.3f}; lower bound {:g}.</p>\n", *curve.exponent, expected);
  return out;
}

}  // namespace

std::string to_html(const BoundsExperiment& experiment) {
  const bool smooth = experiment.family == theory::Family::smooth;
  std::string out(kHead);
  out += fmt::format("<h1>Work against the lower bound: the {} chain</h1>\n", smooth ? "smooth" : "Lipschitz");
  out += fmt::format(
      "<p>Every point is another problem, the worst one for its accuracy: the {} level is Nesterov's chain on the "
      "ball of radius {:g}, the other level is 0. No zero-respecting method can do with fewer gradients than {}. "
      "Methods in rounds are judged by their longest round, others by their first weak point.{}</p>\n",
      experiment.chain == Level::upper ? "upper" : "lower", experiment.radius,
      smooth ? "D sqrt(3 L / (32 eps)) - 1" : "(C D / (2 eps) - 1)^2 - 1",
      experiment.interrupted ? " The measurement was interrupted." : "");
  out += "<div class=\"card\">" + chart(experiment) + "</div>\n<div class=\"card\">";
  for (const BoundCurve& curve : experiment.curves) out += table(curve, experiment.expected_exponent());
  out += "</div>\n";
  if (!experiment.left_out.empty()) {
    out += "<h2>Left out</h2>\n<ul>";
    for (const report::LeftOut& who : experiment.left_out)
      out += fmt::format("<li><b>{}</b> {}</li>\n", escaped(who.name), escaped(who.why));
    out += "</ul>\n";
  }
  return out + "</body></html>\n";
}

}  // namespace fcbio::experiments
