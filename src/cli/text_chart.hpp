// A chart for people without a browser: letters in a grid, both axes logarithmic.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fcbio::cli {

struct ChartLine {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< in order of x; those not positive or not finite are skipped
};

struct ChartText {
  std::string title;
  std::string horizontal;  ///< name of the x axis
  std::size_t width = 72;  ///< of the grid
  std::size_t height = 16;
};

/// Every line gets a letter; where several lines meet, the first of them is shown.
/// Empty when no line has a point.
std::string text_chart(const std::vector<ChartLine>& lines, const ChartText& text);

}  // namespace fcbio::cli
