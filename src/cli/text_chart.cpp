#include "cli/text_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fcbio::cli {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool drawable(const std::pair<double, double>& point) {
  return point.first > 0.0 && point.second > 0.0 && std::isfinite(point.first) && std::isfinite(point.second);
}

struct Axis {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    low = std::min(low, std::log10(value));
    high = std::max(high, std::log10(value));
  }
  void widen() {
    if (high - low >= 1e-9) return;
    low -= 0.5;
    high += 0.5;
  }
  std::size_t cell(double value, std::size_t cells) const {
    const double share = (std::log10(value) - low) / (high - low);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(cells - 1)));
  }
};

}  // namespace

std::string text_chart(const std::vector<ChartLine>& lines, const ChartText& text) {
  Axis x, y;
  for (const ChartLine& line : lines)
    for (const auto& point : line.points)
      if (drawable(point)) x.include(point.first), y.include(point.second);
  if (x.low > x.high) return "";
  x.widen();
  y.widen();

  std::vector<std::string> grid(text.height, std::string(text.width, ' '));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char letter = kLetters[i % kLetters.size()];
    for (const auto& point : lines[i].points) {
      if (!drawable(point)) continue;
      char& cell = grid[text.height - 1 - y.cell(point.second, text.height)][x.cell(point.first, text.width)];
      if (cell == ' ') cell = letter;
    }
  }
  std::string out = fmt::format("{}\n", text.title);
  for (std::size_t row = 0; row < text.height; ++row) {
    const double share = static_cast<double>(text.height - 1 - row) / static_cast<double>(text.height - 1);
    const bool labelled = row % 5 == 0 || row + 1 == text.height;
    const std::string label =
        labelled ? fmt::format("{:.0e}", std::pow(10.0, y.low + share * (y.high - y.low))) : "";
    out += fmt::format("{:>8} |{}\n", label, grid[row]);
  }
  out += fmt::format("{:>8} +{}\n", "", std::string(text.width, '-'));
  const std::string left = fmt::format("{:.3g}", std::pow(10.0, x.low));
  const std::string right = fmt::format("{:.3g}", std::pow(10.0, x.high));
  const std::size_t room = text.width - std::min(text.width, left.size() + right.size());
  out += fmt::format("{:>8}  {}{:^{}}{}\n", "", left, text.horizontal, room, right);
  std::string legend;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string item = fmt::format("{} {}", kLetters[i % kLetters.size()], lines[i].name);
    const std::size_t last_break = legend.rfind('\n') == std::string::npos ? 0 : legend.rfind('\n') + 1;
    if (!legend.empty()) legend += legend.size() - last_break + item.size() > text.width ? "\n" : "   ";
    legend += item;
  }
  for (std::size_t at = 0; at <= legend.size();) {
    const std::size_t end = std::min(legend.find('\n', at), legend.size());
    out += fmt::format("{:>8}  {}\n", "", legend.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace fcbio::cli
