// Long runs from the command line: killed, interrupted, out of time, and gone on with to the same bits.
#include <gmock/gmock.h>
#include <signal.h>

#include <random>
#include <sstream>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Checkpoint : public CliTest {
 protected:
  Arguments solve(const Arguments& more) const {
    return Arguments{"solve", problem_, "--engine", "accelerated", "--eps-f", "1e-8", "--eps-g", "1e-8"} + more;
  }
  /// A solve that no clock decides about, and does not end by itself.
  Arguments endless(const Arguments& more) {
    if (!exists("endless")) generate("nemirovski", "endless", {"--quiet"});
    return Arguments{"solve", "endless/PROBLEM.toml", "--engine", "level", "--eps-f", "1e-9", "--eps-g", "1e-9"} +
           more;
  }
  /// All of a result but its seconds, and the digest, which is over them too.
  std::string bits(const std::string& name) const {
    nlohmann::json result = read_json(name);
    result.erase("seconds");
    result.erase("digest");
    return result.dump();
  }
  /// A checkpoint of the accelerated solve, after some of its iterations.
  std::string some_checkpoint(const std::string& name = "some.fck") const {
    const Outcome outcome = run(solve({"--checkpoint", name, "--max-iterations", "100", "--quiet"}));
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    return read(name);
  }
  /// Lines of a trace without their seconds.
  std::vector<std::string> lines(const std::string& name) const {
    std::vector<std::string> list;
    std::istringstream stream(read(name));
    for (std::string line; std::getline(stream, line);) {
      nlohmann::json json = nlohmann::json::parse(line);
      json.erase("seconds");
      list.push_back(json.dump());
    }
    return list;
  }

  const std::string problem_ = generate("logistic-pair", "p");
};

TEST_F(Checkpoint, AfterALimitASolveGoesOnToTheSameBitsAndTheSameTrace) {
  ASSERT_EQ(run(solve({"-o", "whole.json", "--trace", "whole.jsonl"})).exit_code, 0);
  const Outcome stopped = run(solve({"-o", "a.json", "--checkpoint", "c.fck", "--max-iterations", "150"}));
  EXPECT_EQ(stopped.exit_code, 3);
  EXPECT_THAT(stopped.out, HasSubstr("wrote c.fck, to go on with --resume c.fck"));
  const Outcome resumed = run(solve({"-o", "b.json", "--resume", "c.fck", "--trace", "b.jsonl"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(bits("b.json"), bits("whole.json"));
  const std::vector<std::string> all = lines("whole.jsonl"), rest = lines("b.jsonl");
  ASSERT_LT(rest.size(), all.size());
  EXPECT_TRUE(std::equal(rest.rbegin(), rest.rend(), all.rbegin()));
  expect_verified(problem_, "b.json");
}

TEST_F(Checkpoint, KilledAgainAndAgainItGoesOnToTheSameBits) {
  const Arguments engines[] = {{"--engine", "accelerated"}, {"--engine", "bundle-level"}, {"--engine", "race"}};
  std::mt19937_64 random(11);
  int killed = 0;
  for (const Arguments& engine : engines) {
    const Arguments common = Arguments{"solve", problem_, "--eps-f", "1e-8", "--eps-g", "1e-8"} + engine;
    SCOPED_TRACE(engine.back());
    ASSERT_EQ(run(common + Arguments{"-o", "whole.json"}).exit_code, 0);
    std::filesystem::remove(path("c.fck"));
    Outcome outcome;
    for (int attempt = 0; attempt < 12; ++attempt) {
      const std::string before = exists("c.fck") ? read("c.fck") : "";
      const auto looks = static_cast<int>(random() % 8);
      int changed = 0;
      outcome = run_until(
          common + Arguments{"-o", "r.json", "--checkpoint", "c.fck", "--checkpoint-every", "0"} +
              (before.empty() ? Arguments{} : Arguments{"--resume", "c.fck"}),
          [&] { return exists("c.fck") && read("c.fck") != before && ++changed > looks; }, SIGKILL);
      if (outcome.exit_code != 128 + SIGKILL) break;
      ++killed;
      EXPECT_FALSE(exists("r.json"));
    }
    if (outcome.exit_code == 128 + SIGKILL) outcome = run(common + Arguments{"-o", "r.json", "--resume", "c.fck"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(bits("r.json"), bits("whole.json"));
    std::filesystem::remove(path("r.json"));
  }
  EXPECT_GE(killed, 1);
}

TEST_F(Checkpoint, SignalsAndTheTimeLimitWriteResultAndCheckpoint) {
  for (const int signal_number : {SIGINT, SIGTERM}) {
    const std::string name = signal_number == SIGINT ? "int" : "term";
    const Arguments arguments =
        endless({"-o", name + ".json", "--checkpoint", name + ".fck", "--checkpoint-every", "0.01"});
    const Outcome outcome = run_until(
        arguments, [&] { return exists(name + ".fck"); }, signal_number);
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("wrote " + name + ".fck"));
    const std::int64_t before = read_json(name + ".json")["work"]["iterations"];
    const Arguments resumed = endless(
        {"-o", name + ".json", "--resume", name + ".fck", "--max-iterations", std::to_string(before + 10)});
    EXPECT_EQ(run(resumed).exit_code, 3);
    EXPECT_EQ(read_json(name + ".json")["work"]["iterations"], before + 10);
  }
  const Outcome late = run(endless({"-o", "late.json", "--checkpoint", "late.fck", "--time-limit", "2"}));
  EXPECT_EQ(late.exit_code, 3) << late.err;
  EXPECT_EQ(read_json("late.json")["status"], "time_limit");
  EXPECT_THAT(late.out, HasSubstr("wrote late.fck"));
  // The clock goes on, too: there is no time left.
  const Outcome still = run(endless({"--resume", "late.fck", "--time-limit", "1", "-o", "still.json"}));
  EXPECT_EQ(still.exit_code, 3) << still.err;
  EXPECT_LE(read_json("still.json")["work"]["iterations"], read_json("late.json")["work"]["iterations"]);
}

TEST_F(Checkpoint, DamagedOnesAreRefusedAndNothingIsWritten) {
  const std::string good = some_checkpoint();
  const auto refused = [&](const std::string& bytes, const std::vector<std::string>& fragments) {
    write("bad.fck", bytes);
    expect_refused(solve({"--resume", "bad.fck", "-o", "r.json", "--checkpoint", "bad.fck", "--trace", "t.jsonl"}),
                   fragments);
    EXPECT_EQ(read("bad.fck"), bytes);
  };
  const std::string again = "leave --resume out to begin again";
  for (const std::size_t size : {std::size_t{20}, std::size_t{64}, good.size() / 2, good.size() - 1})
    refused(good.substr(0, size), {"bad.fck: expected", std::to_string(size) + " bytes: it was cut short", again});
  refused(good + "x", {"bad.fck: expected " + std::to_string(good.size()) + " bytes, as its header says"});
  std::mt19937_64 random(5);
  for (int i = 0; i < 30; ++i) {
    std::string flipped = good;
    const std::size_t at = i < 12 ? static_cast<std::size_t>(i) + 8 : 8 + random() % (good.size() - 8);
    flipped[at] = static_cast<char>(flipped[at] ^ static_cast<char>(1 << random() % 8));
    SCOPED_TRACE("byte " + std::to_string(at));
    refused(flipped, {"bad.fck: expected"});
  }
  std::string other_order = good, later = good;
  std::reverse(other_order.begin() + 8, other_order.begin() + 12);
  refused(other_order, {"a checkpoint in the byte order of this machine, found the other byte order"});
  later[12] = 9;
  refused(later, {"version 1 of the form of checkpoints, found version 9; resume with the program that wrote it"});
  expect_refused(solve({"--resume", "p/PROBLEM.toml"}),
                 {"p/PROBLEM.toml: expected a checkpoint of fcbio, found another kind of file"});
  expect_refused(solve({"--resume", "absent.fck"}),
                 {"absent.fck: expected a readable checkpoint", again.substr(0, 6)});
}

TEST_F(Checkpoint, ThoseOfAnotherSolveAreRefused) {
  some_checkpoint();
  const std::string other = generate("logistic-pair", "other", {"--seed", "2"});
  const Arguments resume{"--resume", "some.fck"};
  expect_refused(
      Arguments{"solve", other, "--engine", "accelerated", "--eps-f", "1e-8", "--eps-g", "1e-8"} + resume,
      {"some.fck: expected a checkpoint of problem '", "', found one of '", "resume with the same problem"});
  expect_refused(
      {"solve", problem_, "--engine", "newton", "--eps-f", "1e-8", "--eps-g", "1e-8", "--resume", "some.fck"},
      {"of options 'engine = newton", "found one of 'engine = accelerated", "the same options"});
  expect_refused(
      {"solve", problem_, "--engine", "accelerated", "--eps-f", "1e-7", "--eps-g", "1e-8", "--resume", "some.fck"},
      {"of accuracy '1e-07, 1e-08', found one of '1e-08, 1e-08'", "the same accuracy"});
  expect_refused(solve({"--method", "fcbio-vr"}) + resume, {"--engine"});
  expect_refused({"solve", problem_, "--method", "fcbio-vr", "--resume", "some.fck"},
                 {"of method 'fcbio-vr', found one of 'fcbio'"});
  expect_refused({"solve", problem_, "--method", "bi-sg", "--checkpoint", "new.fck", "--max-iterations", "5"},
                 {"method 'bi-sg' keeps no checkpoints", "take one of the methods that do: fcbio, fcbio-sm"});
}

TEST_F(Checkpoint, WhereNoneCanBeWrittenTheResultIs) {
  const Outcome full = run(solve({"--checkpoint", "/dev/full", "--checkpoint-every", "0", "-o", "r.json"}));
  EXPECT_EQ(full.exit_code, 0) << full.err;
  EXPECT_THAT(full.err,
              AllOf(HasSubstr("warning: no checkpoint was written: /dev/full"), HasSubstr("No space left")));
  EXPECT_EQ(std::count(full.err.begin(), full.err.end(), '\n'), 1) << "told once";
  expect_verified(problem_, "r.json");
  const Outcome stopped = run(solve({"--checkpoint", "/proc/none.fck", "--max-iterations", "50", "-o", "s.json"}));
  EXPECT_EQ(stopped.exit_code, 3);
  EXPECT_THAT(stopped.out, HasSubstr("note: no checkpoint was written: /proc/none.fck"));
  EXPECT_TRUE(exists("s.json"));
}

TEST_F(Checkpoint, NamesThatCannotBeMeantAreRefusedAtOnce) {
  write("notes.txt", "mine");
  expect_refused(solve({"--checkpoint", "notes.txt"}), {"another kind of file, which would be lost"});
  EXPECT_EQ(read("notes.txt"), "mine");
  expect_refused(solve({"--checkpoint", "absent/c.fck"}), {"an existing directory 'absent'"});
  expect_refused(solve({"--checkpoint", "p"}), {"expected a file name, found a directory"});
  expect_refused(solve({"--checkpoint", "r.json", "-o", "r.json"}), {"is also --output"});
  expect_refused(solve({"--checkpoint-every", "5"}), {"--checkpoint-every: found no --checkpoint"});
  expect_refused(solve({"--checkpoint", "c.fck", "--checkpoint-every", "-1"}), {"--checkpoint-every"});
}

TEST_F(Checkpoint, AnEarlierAnswerIsAStartForAnyAccuracy) {
  ASSERT_EQ(run(solve({"-o", "first.json", "--refine", "0"})).exit_code, 0);
  const std::int64_t passes = read_json("first.json")["work"]["certified_after"];
  ASSERT_EQ(run(solve({"--start", "first.json", "-o", "again.json"})).exit_code, 0);
  const nlohmann::json again = read_json("again.json");
  EXPECT_LT(again["work"]["certified_after"], std::min<std::int64_t>(passes, 30))
      << "the witness proves it at once";
  expect_verified(problem_, "again.json");

  const Arguments finer{"solve", problem_, "--engine", "accelerated", "--eps-f", "1e-9", "--eps-g", "1e-11"};
  ASSERT_EQ(run(finer + Arguments{"--start", "first.json", "-o", "finer.json"}).exit_code, 0);
  ASSERT_EQ(run(finer + Arguments{"-o", "cold.json"}).exit_code, 0);
  EXPECT_LT(read_json("finer.json")["work"]["certified_after"], read_json("cold.json")["work"]["certified_after"]);
  expect_verified(problem_, "finer.json");

  // A checkpoint knows what its solve began with.
  EXPECT_EQ(
      run(finer + Arguments{"--start", "first.json", "--checkpoint", "c.fck", "--max-iterations", "3"}).exit_code,
      3);
  expect_refused(finer + Arguments{"--resume", "c.fck"},
                 {"a checkpoint of start 'of the problem', found one of 'answer"});
  ASSERT_EQ(run(finer + Arguments{"--start", "first.json", "--resume", "c.fck", "-o", "r.json"}).exit_code, 0);
  EXPECT_EQ(bits("r.json"), bits("finer.json"));

  const std::string other = generate("logistic-pair", "other", {"--seed", "2"});
  expect_refused({"solve", other, "--start", "first.json"},
                 {"first.json: expected an answer of the problem with fingerprint", "found one of"});
  std::string forged = read("first.json");
  forged.replace(forged.find("\"multiplier\":") + 13, 1, " 9");
  write("forged.json", forged);
  expect_refused(solve({"--start", "forged.json"}), {"forged.json: expected an intact result"});
}

TEST_F(Checkpoint, ATraceCanBeFollowed) {
  const Arguments arguments = endless({"-o", "r.json", "--trace", "t.jsonl"});
  std::string seen;
  const Outcome outcome = run_until(
      arguments,
      [&] {
        if (!exists("t.jsonl")) return false;
        seen = read("t.jsonl");
        return !seen.empty();
      },
      SIGTERM);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(seen.back(), '\n') << "whole lines only";
  EXPECT_EQ(read("t.jsonl").substr(0, seen.size()), seen);
}

TEST_F(Checkpoint, ALineOnATerminalTellsSpeedAndMemory) {
  const Outcome shown = run_on_terminal(endless({"--max-passes", "4000000"}));
  EXPECT_EQ(shown.exit_code, 3);
  EXPECT_THAT(shown.err, AllOf(HasSubstr(" passes at "), HasSubstr("/s "), HasSubstr(" MB ")));
}

TEST_F(Checkpoint, HelpTellsHowToGoOn) {
  const Outcome help = run({"solve", "--help"});
  EXPECT_THAT(help.out, AllOf(HasSubstr("--checkpoint-every"), HasSubstr("--resume run.fck"),
                              HasSubstr("--start result.json")));
}

}  // namespace
}  // namespace fcbio::cli_test
