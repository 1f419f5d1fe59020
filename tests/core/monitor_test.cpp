#include "fcbio/monitor.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace fcbio {
namespace {

TEST(Monitor, CountsIterationsAndStopsAtTheLimit) {
  Monitor monitor(Limits{.iterations = 3});
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(monitor.may_iterate(1));
    monitor.iteration_done({});
  }
  EXPECT_FALSE(monitor.may_iterate(1));
  EXPECT_EQ(monitor.why(), Status::iteration_limit);
  EXPECT_EQ(monitor.work().iterations, 3);
}

TEST(Monitor, KeepsPassesBackForTheProof) {
  Monitor monitor(Limits{.passes = 20});
  const Monitor::Reservation proof(monitor, 6);
  monitor.work().lower_passes = 10;
  EXPECT_TRUE(monitor.may_iterate(4));
  EXPECT_FALSE(monitor.may_iterate(5));
  EXPECT_EQ(monitor.why(), Status::work_limit);
}

TEST(Monitor, ReservationsAddUpAndEndWithTheirOwners) {
  Monitor monitor(Limits{.passes = 20});
  const Monitor::Reservation outer(monitor, 6);
  monitor.start();  // counts begin anew; what is owed stays owed
  {
    const Monitor::Reservation inner(monitor, 4);
    EXPECT_TRUE(monitor.may_spend(10));
    {
      const Monitor::Reservation innermost(monitor, 3);
      EXPECT_TRUE(monitor.may_spend(7));
    }
    EXPECT_TRUE(monitor.may_spend(10));
  }
  EXPECT_TRUE(monitor.may_spend(14));
  EXPECT_FALSE(monitor.may_spend(15));
}

TEST(Monitor, TheFirstReasonToStopStays) {
  Monitor monitor;
  monitor.stop(Status::not_finite);
  monitor.stop(Status::interrupted);
  EXPECT_EQ(monitor.why(), Status::not_finite);
  EXPECT_FALSE(monitor.may_spend(0));
}

TEST(Monitor, StartForgetsTheLastSolve) {
  Monitor monitor(Limits{.iterations = 1});
  monitor.iteration_done({});
  EXPECT_FALSE(monitor.may_iterate(0));
  monitor.start();
  EXPECT_TRUE(monitor.may_iterate(0));
  EXPECT_EQ(monitor.work().iterations, 0);
}

struct LastSeconds final : Observer {
  bool on_progress(const Progress& progress) override {
    seconds = progress.seconds;
    return true;
  }
  double seconds = 0.0;
};

TEST(Monitor, HasOneClockThatStartsAtWhatWasSpentBefore) {
  Monitor monitor(Limits{.seconds = 100.0});
  LastSeconds last;
  monitor.add_observer(last);
  monitor.charge_before(40.0);
  monitor.start();
  monitor.iteration_done({});
  EXPECT_GE(last.seconds, 40.0);
  EXPECT_GE(monitor.seconds(), last.seconds);
  EXPECT_LT(monitor.seconds(), 50.0);
  EXPECT_TRUE(monitor.may_iterate(0));
  monitor.charge_before(100.0);  // the limit is read off the same clock
  EXPECT_FALSE(monitor.may_iterate(0));
  EXPECT_EQ(monitor.why(), Status::time_limit);
}

struct SlowObserver final : Observer {
  bool on_progress(const Progress&) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    return true;
  }
};

TEST(Monitor, TheClockStandsStillWhileObserversRun) {
  Monitor monitor;
  SlowObserver slow;
  monitor.add_observer(slow);
  for (int i = 0; i < 5; ++i) monitor.iteration_done({});
  const double real_time_in_observers = 0.3;
  EXPECT_LT(monitor.seconds(), real_time_in_observers);
}

TEST(Monitor, HonoursTheInterruptFlag) {
  std::atomic<bool> flag{false};
  Monitor monitor(Limits{}, &flag);
  EXPECT_TRUE(monitor.may_iterate(1));
  flag = true;
  EXPECT_FALSE(monitor.may_iterate(1));
  EXPECT_EQ(monitor.why(), Status::interrupted);
}

TEST(Monitor, AsAWatchItStopsForTheProjectionsDone) {
  Monitor monitor(Limits{.projections = 10});
  EXPECT_FALSE(monitor.is_over(1.0, 9));
  EXPECT_TRUE(monitor.may_spend(0));
  EXPECT_FALSE(monitor.is_over(1.0, 1));  // all that are allowed
  EXPECT_FALSE(monitor.gave_up());
  EXPECT_TRUE(monitor.is_over(1.0, 1));
  EXPECT_TRUE(monitor.gave_up());
  EXPECT_EQ(monitor.why(), Status::work_limit);
  EXPECT_EQ(monitor.work().projections, 11);
}

TEST(Monitor, BeforeAnIterationTheProjectionsMustNotBeUsedUp) {
  Monitor monitor(Limits{.projections = 2});
  monitor.is_over(1.0, 2);
  EXPECT_FALSE(monitor.may_iterate(0));
  EXPECT_EQ(monitor.why(), Status::work_limit);
}

TEST(Monitor, AsAWatchItLooksAtTheClockAndTheInterrupt) {
  constexpr double kMany = 1e9;  // operations: a look is due
  Monitor late(Limits{.seconds = 0.0});
  EXPECT_TRUE(late.is_over(kMany));
  EXPECT_EQ(late.why(), Status::time_limit);
  std::atomic<bool> interrupt = false;
  Monitor monitor({}, &interrupt);
  EXPECT_FALSE(monitor.is_over(kMany));
  interrupt = true;
  EXPECT_TRUE(monitor.is_over(kMany));
  EXPECT_EQ(monitor.why(), Status::interrupted);
}

TEST(Monitor, AStopByIterationsCutsNothingShort) {
  Monitor monitor(Limits{.iterations = 0});
  EXPECT_FALSE(monitor.may_iterate(0));
  EXPECT_FALSE(monitor.is_over(1e9, 5));
}

TEST(Monitor, AnAllowanceEndsAndIsForgotten) {
  Monitor monitor(Limits{.iterations = 100, .passes = 100});
  monitor.work().lower_passes = 10;
  monitor.work().iterations = 4;
  {
    const Monitor::Allowance allowance(monitor, 10.0, 50.0);
    EXPECT_TRUE(monitor.may_spend(10));
    EXPECT_FALSE(monitor.may_spend(11));
    EXPECT_TRUE(monitor.stopped());
  }
  EXPECT_FALSE(monitor.stopped());
  EXPECT_TRUE(monitor.may_spend(90));
  {
    const Monitor::Allowance allowance(monitor, kInfinity, 0.0);
    EXPECT_TRUE(monitor.may_spend(90));
    EXPECT_FALSE(monitor.may_iterate(0));
  }
  EXPECT_TRUE(monitor.may_iterate(0));
}

TEST(Monitor, AnAllowanceForgetsNoOtherStop) {
  for (const Status status : {Status::interrupted, Status::time_limit, Status::not_finite}) {
    Monitor monitor;
    {
      const Monitor::Allowance allowance(monitor, 10.0, 10.0);
      monitor.stop(status);
    }
    EXPECT_EQ(monitor.why(), status);
  }
  Monitor limited(Limits{.passes = 5});
  {
    const Monitor::Allowance allowance(limited, 10.0, 10.0);
    EXPECT_FALSE(limited.may_spend(6));
  }
  EXPECT_EQ(limited.why(), Status::work_limit);
}

TEST(Monitor, GraceLeavesAProofItsTimeAndNoMore) {
  Monitor monitor(Limits{.seconds = 0.0, .projections = 0});
  EXPECT_TRUE(monitor.is_over(1e9, 1));
  {
    const Monitor::Grace grace(monitor);
    EXPECT_FALSE(monitor.is_over(1.0, 1000));  // projections of a proof are not limited
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    EXPECT_TRUE(monitor.is_over(1e9));
    EXPECT_TRUE(monitor.gave_up());
  }
  EXPECT_TRUE(monitor.gave_up());
  Monitor unlimited;
  const Monitor::Grace grace(unlimited);
  EXPECT_FALSE(unlimited.is_over(1e9, 1000));
}

TEST(Monitor, GraceForgetsAProofThatWasCutShort) {
  Monitor monitor(Limits{.seconds = 0.0});
  {
    const Monitor::Grace grace(monitor);
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    EXPECT_TRUE(monitor.is_over(1e9));
  }
  EXPECT_FALSE(monitor.gave_up());
}

TEST(Monitor, TheReasonIsThatOfTheFirstStop) {
  Monitor monitor;
  monitor.stop(Status::not_finite, "too large");
  monitor.stop(Status::stalled, "unbounded");
  EXPECT_EQ(monitor.reason(), "too large");
  monitor.start();
  EXPECT_EQ(monitor.reason(), "");
}

}  // namespace
}  // namespace fcbio
