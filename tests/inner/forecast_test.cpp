// How much longer: exact for gaps that fall geometrically, from whatever they are seen.
#include "inner/forecast.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fcbio {
namespace {

TEST(Forecast, IsExactForGeometricFall) {
  Forecast forecast;
  forecast.begin(7.0);
  const auto gap = [](double spent) { return 100.0 * std::pow(10.0, -(spent - 7.0) / 50.0); };
  for (double spent = 7.0; spent <= 107.0; spent += 1.0) forecast.note(spent, gap(spent), 1e-6);
  EXPECT_NEAR(forecast.remaining(), 300.0, 1e-6);  // 100 -> 1 took 100, 1 -> 1e-6 is three times that
}

TEST(Forecast, LooksAtTheSecondHalf) {
  Forecast forecast;
  forecast.begin(0.0);
  double gap = 1.0;
  for (int spent = 1; spent <= 2000; ++spent) {
    gap *= spent <= 900 ? 0.9 : 0.99;
    forecast.note(spent, gap, gap * 1e-2);
  }
  EXPECT_NEAR(forecast.remaining(), std::log(1e-2) / std::log(0.99), 25.0);
}

TEST(Forecast, KnowsNothingWithoutAFall) {
  Forecast forecast;
  forecast.begin(0.0);
  EXPECT_EQ(forecast.remaining(), kInfinity);
  forecast.note(1.0, 5.0, 1.0);
  EXPECT_EQ(forecast.remaining(), kInfinity);
  for (int spent = 2; spent < 500; ++spent) forecast.note(spent, 5.0, 1.0);
  EXPECT_EQ(forecast.remaining(), kInfinity);
  forecast.note(500.0, std::nan(""), 1.0);
  EXPECT_EQ(forecast.remaining(), kInfinity);
}

TEST(Forecast, IsOverWhereTheGapIsSmallEnough) {
  Forecast forecast;
  forecast.begin(0.0);
  forecast.note(1.0, 1.0, 1e-3);
  forecast.note(2.0, 1e-4, 1e-3);
  EXPECT_EQ(forecast.remaining(), 0.0);
  forecast.begin(2.0);
  EXPECT_EQ(forecast.remaining(), kInfinity);
}

}  // namespace
}  // namespace fcbio
