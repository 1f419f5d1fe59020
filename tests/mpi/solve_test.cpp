// fcbio under mpirun: the same answers for any number of ranks, one voice, and an end whatever happens.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <random>
#include <sstream>

#include "mpi/mpirun.hpp"

namespace fcbio::cli_test {
namespace {

using ::testing::HasSubstr;

/// Solves on 1, 2 and 4 ranks, verifies, and compares the digests: bits of everything but seconds and ranks.
class SameBits : public MpiTest {
 protected:
  void expect_same_bits(const std::string& problem, const Arguments& more = {}) const {
    nlohmann::json first;
    for (const int ranks : {1, 2, 4}) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks");
      const std::string result = "on-" + std::to_string(ranks) + "/result.json";
      std::filesystem::create_directories(path(result).parent_path());
      const Outcome outcome = run_ranks(ranks, Arguments{"solve", problem, "-o", result} + more);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
      const nlohmann::json json = read_json(result);
      EXPECT_EQ(json["parallel"], (nlohmann::json{{"ranks", ranks}, {"threads", 1}}));
      EXPECT_EQ(json["status"], "certified");
      if (first.is_null()) first = json;
      EXPECT_EQ(json["work"], first["work"]);
      EXPECT_EQ(json["digest"], first["digest"]);
      expect_verified(problem, result);
    }
    // The mathematics has the same name as for the program by itself.
    EXPECT_EQ(run(Arguments{"solve", problem, "-o", "alone.json", "--quiet"} + more).exit_code, 0);
    const nlohmann::json alone = read_json("alone.json");
    EXPECT_EQ(alone["problem"], first["problem"]);
    EXPECT_EQ(alone["parallel"], (nlohmann::json{{"ranks", 1}, {"threads", 1}}));
  }
};

TEST_F(SameBits, DenseRows) { expect_same_bits(generate("min-norm", "p")); }
TEST_F(SameBits, SparseRows) { expect_same_bits(generate("logistic-pair", "p")); }
TEST_F(SameBits, OnAnL1Ball) { expect_same_bits(generate("fair-logistic", "p")); }
TEST_F(SameBits, Nonsmooth) { expect_same_bits(generate("hinge-l1", "p")); }
TEST_F(SameBits, Composite) {
  expect_same_bits(generate("elastic-net", "p"), {"--eps-f", "1e-2", "--eps-g", "1e-4", "--refine", "0"});
}
TEST_F(SameBits, LogSumExpAndRowsOnOneRank) {  // no sum over rows: all ranks have them all
  write("a.csv", "1,0,0.5\n0,1,-1\n-1,-1,2\n0.5,0.5,0\n");
  write("p.toml",
        "[domain]\nset = \"ball\"\nradius = 2\n[upper]\nfunction = \"squared-norm\"\n"
        "[lower]\nfunction = \"log-sum-exp\"\ndata = \"a.csv\"\n");
  expect_same_bits("p.toml");
}

class Mpirun : public MpiTest {
 protected:
  /// Least squares on sparse rows; large enough to be stopped in the middle with an accuracy that is out of reach.
  void write_rows(const std::string& name, int rows, int cols) const {
    std::mt19937 random(7);
    std::ostringstream text;
    for (int i = 0; i < rows; ++i) {
      text << (random() % 2 == 0 ? 1 : -1);
      for (int j = 1 + static_cast<int>(random() % 7U); j <= cols; j += 1 + static_cast<int>(random() % 7U))
        text << ' ' << j << ':' << static_cast<int>(random() % 200U) - 100;
      text << '\n';
    }
    write(name, text.str());
  }
  void write_problem(const std::string& name, const std::string& data, const std::string& more = {}) const {
    write(name,
          "[domain]\nset = \"ball\"\nradius = 10\n[upper]\nfunction = \"squared-norm\"\n"
          "[lower]\nfunction = \"logistic\"\naverage = true\ndata = \"" +
              data + "\"\n" + more);
  }
  void write_endless_problem() const {
    write_rows("rows.svm", 3000, 300);
    write_problem("endless.toml", "rows.svm", "[accuracy]\nupper = 1e-300\nlower = 1e-300\n");
  }
  static Arguments endless() {
    return {FCBIO_PROGRAM, "solve",    "endless.toml", "-o",           "result.json", "--trace",
            "trace.jsonl", "--engine", "level",        "--time-limit", "60"};
  }
  /// The temporary file of the trace is there, and the handler of rank 1 stands.
  bool solve_has_begun() const {
    const std::vector<std::string> all = files();
    if (std::none_of(all.begin(), all.end(),
                     [](const std::string& name) { return name.find("trace") != std::string::npos; }))
      return false;
    std::ifstream status("/proc/" + std::to_string(process_of_rank(1)) + "/status");
    for (std::string word; status >> word;)
      if (word == "SigCgt:" && status >> word) return (std::stoull(word, nullptr, 16) >> (SIGINT - 1) & 1U) != 0;
    return false;
  }
  pid_t process_of_rank(int rank) const {
    int process = 0;
    std::istringstream(read("pid." + std::to_string(rank))) >> process;
    return process;
  }
};

TEST_F(Mpirun, TextAndBinaryDataGiveTheSameBits) {
  write_rows("rows.svm", 500, 40);
  EXPECT_EQ(run({"convert", "rows.svm", "rows.fcb", "--quiet"}).exit_code, 0);
  write_problem("text.toml", "rows.svm");
  write_problem("binary.toml", "rows.fcb");
  std::string digest;
  for (const auto& [problem, ranks] : {std::pair("text.toml", 1), std::pair("text.toml", 3),
                                       std::pair("binary.toml", 1), std::pair("binary.toml", 3)}) {
    EXPECT_EQ(run_ranks(ranks, {"solve", problem, "-o", "r.json", "--quiet"}).exit_code, 0);
    expect_verified(problem, "r.json");
    const std::string found = read_json("r.json")["digest"];
    if (digest.empty()) digest = found;
    EXPECT_EQ(found, digest) << problem << " on " << ranks;
  }
}

TEST_F(Mpirun, MoreRanksThanRows) {
  write("rows.svm", "1 1:1 2:2\n-1 2:1 3:1\n1 1:0.5\n");
  write_problem("p.toml", "rows.svm");
  for (const int ranks : {2, 5}) {
    EXPECT_EQ(run_ranks(ranks, {"solve", "p.toml", "-o", "r.json"}).exit_code, 0);
    expect_verified("p.toml", "r.json");
    const Arguments again{"solve", "p.toml", "--engine", "accelerated", "-o", "s.json"};
    EXPECT_EQ(run_ranks(ranks, again + Arguments{"--start", "r.json"}).exit_code, 0);
    EXPECT_EQ(run_ranks(ranks, again + Arguments{"--checkpoint", "c.fck", "--max-iterations", "2"}).exit_code, 3);
    EXPECT_EQ(run_ranks(ranks, again + Arguments{"--resume", "c.fck"}).exit_code, 0);
    expect_verified("p.toml", "s.json");
  }
}

TEST_F(Mpirun, OneVoice) {
  const std::string problem = generate("min-norm", "p");
  const auto count = [](const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count(run_ranks(3, {"--version"}).out, "fcbio"), 1U);
  const Outcome solved = run_ranks(
      3, {"solve", problem, "-o", "r.json", "--trace", "t.jsonl", "--solution", "x.csv", "--report", "r.html"});
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_EQ(count(solved.out, "status "), 1U) << solved.out;
  EXPECT_EQ(count(read("t.jsonl"), "\"iteration\":1,"), 1U);
  const Outcome verified = run_ranks(3, {"verify", problem, "r.json"});
  EXPECT_EQ(verified.exit_code, 0);
  EXPECT_EQ(count(verified.out, "verified: all"), 1U) << verified.out;
  const Outcome compared = run_ranks(
      2, {"compare", problem, "--methods", "fcbio,agm-bio", "--max-iterations", "50", "-o", "compare.json"});
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_EQ(count(compared.out, "wrote compare.json"), 1U) << compared.out;
}

TEST_F(Mpirun, RefusesForAllRanksWithOneMessage) {
  const std::string problem = generate("min-norm", "p");
  const std::vector<std::string> before = files();
  expect_refused_by_all(run_ranks(3, {"solve", "nothing.toml", "-o", "r.json"}), {"nothing.toml", "readable"});
  expect_refused_by_all(run_ranks(2, {"solve", problem, "--nonsense"}), {"--nonsense"});
  expect_refused_by_all(run_ranks(2, {"solve", problem, "--engine", "newton", "-o", "r.json"}),
                        {"newton", "on many ranks", "without mpirun", "quasi-newton"});
  expect_refused_by_all(run_ranks(2, {"solve", problem, "--method", "fcbio-vr"}), {"on many ranks"});
  expect_refused_by_all(run_ranks(2, {"verify", problem, "nothing.json"}), {"nothing.json"});
  expect_refused_by_all(run_ranks(2, {"solve", problem, "-o", "no/such/r.json"}), {"no/such"});
  EXPECT_EQ(files(), before);
}

TEST_F(Mpirun, AMistakeInThePartOfOneRank) {
  write_rows("rows.svm", 300, 20);
  write("rows.svm", read("rows.svm") + "1 2:1 x:3\n");
  write_problem("p.toml", "rows.svm");
  const std::vector<std::string> before = files();
  expect_refused_by_all(run_ranks(3, {"solve", "p.toml", "-o", "r.json"}),
                        {"rank 2 of 3: ", "rows.svm:301: ", "x:3"});
  EXPECT_EQ(files(), before);
}

TEST_F(Mpirun, RanksThatSeeDifferentFiles) {
  const std::string problem = generate("logistic-pair", "here/p");
  std::filesystem::copy(path("here"), path("there"), std::filesystem::copy_options::recursive);
  write_rows("here/rows.svm", 200, 10);
  write_problem("here/rows.toml", "rows.svm");
  const std::string rank_1_there = script("there.sh", "[ \"$RANK\" = 1 ] && cd there || cd here");
  const auto solve = [&](const std::string& file) {
    return run_ranks_of(3, rank_1_there, {FCBIO_PROGRAM, "solve", file, "-o", path("r.json").string()});
  };
  expect_refused_by_all(solve("rows.toml"), {"rank 1 of 3: ", "rows.toml"});
  std::filesystem::copy(path("here/rows.toml"), path("there/rows.toml"));
  expect_refused_by_all(solve("rows.toml"), {"rank 1 of 3: ", "rows.svm"});
  write("there/rows.svm", read("here/rows.svm") + "1 1:2\n");
  expect_refused_by_all(solve("rows.toml"), {"rows.svm", "the same file on all ranks", "on rank 1"});
  std::string other = read("here/rows.svm");
  other[other.size() - 2] = other[other.size() - 2] == '1' ? '2' : '1';
  write("there/rows.svm", other);
  expect_refused_by_all(solve("rows.toml"), {"rows.svm", "the same file on all ranks", "on rank 1"});
  write("there/p/PROBLEM.toml", read("there/p/PROBLEM.toml") + "\n");
  expect_refused_by_all(solve("p/PROBLEM.toml"), {"PROBLEM.toml", "the same file on all ranks"});
  EXPECT_FALSE(exists("r.json"));
}

TEST_F(Mpirun, TimeLimit) {
  write_endless_problem();
  const Outcome outcome =
      run_ranks(2, {"solve", "endless.toml", "-o", "result.json", "--engine", "level", "--time-limit", "0.3"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
  EXPECT_EQ(read_json("result.json")["status"], "time_limit");
  expect_verified("endless.toml", "result.json");
}

TEST_F(Mpirun, AnInterruptOfOneRankStopsAll) {
  write_endless_problem();
  const std::string noting = script("noting.sh", "echo $$ > pid.$RANK");
  bool sent = false;
  const auto begun = [&] {  // signals rank 1 once the trace is there; mpirun itself gets no signal
    if (!sent && exists("pid.1") && solve_has_begun()) {
      sent = true;
      ::kill(process_of_rank(1), SIGINT);
    }
    return false;
  };
  const Outcome outcome = run_ranks_of(3, noting, endless(), begun);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.out << outcome.err;
  EXPECT_EQ(read_json("result.json")["status"], "interrupted");
  expect_verified("endless.toml", "result.json");
}

TEST_F(Mpirun, AKilledRankEndsTheJob) {
  write_endless_problem();
  const std::string noting = script("noting.sh", "echo $$ > pid.$RANK");
  std::optional<std::chrono::steady_clock::time_point> killed;
  const auto begun = [&] {
    if (!killed && exists("pid.1") && solve_has_begun()) {
      ::kill(process_of_rank(1), SIGKILL);
      killed = std::chrono::steady_clock::now();
    }
    return false;
  };
  const Outcome outcome = run_ranks_of(3, noting, endless(), begun);
  ASSERT_TRUE(killed.has_value());
  EXPECT_LT(std::chrono::steady_clock::now() - *killed, std::chrono::seconds(10));
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_FALSE(exists("result.json"));
}

/// Results are called r.json, in directories of their own: names of files beside a result are part of its digest.
class Resumed : public Mpirun {
 protected:
  Resumed() {
    for (const char* name : {"whole", "stopped", "resumed"}) std::filesystem::create_directory(path(name));
  }
  void expect_same_bits(const std::string& problem) const {
    const nlohmann::json resumed = read_json("resumed/r.json"), whole = read_json("whole/r.json");
    EXPECT_EQ(resumed["work"], whole["work"]);
    EXPECT_EQ(resumed["parallel"], whole["parallel"]);
    EXPECT_EQ(resumed["digest"], whole["digest"]);
    EXPECT_EQ(read("resumed/x.npy"), read("whole/x.npy"));
    expect_verified(problem, "resumed/r.json");
  }
  static Arguments to(const std::string& name) { return {"-o", name + "/r.json", "--solution", name + "/x.npy"}; }
};

TEST_F(Resumed, AfterALimitRanksGoOnToTheSameBits) {
  const std::string problem = generate("logistic-pair", "p");
  for (const std::string engine : {"accelerated", "quasi-newton", "bundle-level"}) {
    const Arguments solve{"solve", problem, "--engine", engine, "--eps-f", "1e-6", "--eps-g", "1e-6"};
    for (const int ranks : {2, 4}) {
      SCOPED_TRACE(engine + " on " + std::to_string(ranks) + " ranks");
      ASSERT_EQ(run_ranks(ranks, solve + to("whole")).exit_code, 0);
      const Outcome stopped =
          run_ranks(ranks, solve + to("stopped") + Arguments{"--checkpoint", "c.fck", "--max-iterations", "7"});
      EXPECT_EQ(stopped.exit_code, 3) << stopped.err;
      EXPECT_THAT(stopped.out, HasSubstr("wrote c.fck, to go on with --resume c.fck"));
      const Outcome resumed = run_ranks(ranks, solve + to("resumed") + Arguments{"--resume", "c.fck"});
      EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
      expect_same_bits(problem);
    }
  }
}

TEST_F(Resumed, AfterARankWasKilledTheOthersGoOnToTheSameBits) {
  write_endless_problem();
  const std::string noting = script("noting.sh", "echo $$ > pid.$RANK");
  const Arguments solve{"solve", "endless.toml", "--engine", "level"};
  std::mt19937_64 random(3);
  for (const int ranks : {2, 4}) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    for (int attempt = 0; attempt < 3; ++attempt) {  // each goes on where the last one was killed
      const std::string before = exists("c.fck") ? read("c.fck") : "";
      const int victim = static_cast<int>(random() % static_cast<unsigned>(ranks));
      const auto most = 3 + static_cast<int>(random() % 8);  // checkpoints until then
      std::string last = before;
      int seen = 0;
      bool killed = false;
      const Outcome outcome =
          run_ranks_of(ranks, noting,
                       Arguments{FCBIO_PROGRAM} + solve +
                           Arguments{"-o", "r.json", "--checkpoint", "c.fck", "--checkpoint-every", "0"} +
                           (before.empty() ? Arguments{} : Arguments{"--resume", "c.fck"}),
                       [&] {
                         if (killed || !exists("c.fck")) return false;
                         if (std::string now = read("c.fck"); now != last) {
                           last = std::move(now);
                           ++seen;
                         }
                         if (seen < most) return false;
                         killed = true;
                         ::kill(process_of_rank(victim), SIGKILL);
                         return false;
                       });
      ASSERT_TRUE(killed) << outcome.err;
      EXPECT_NE(outcome.exit_code, 0);
      EXPECT_FALSE(exists("r.json"));
    }
    const auto stop_after = [&](std::int64_t iterations, const std::string& name, const Arguments& more) {
      const Outcome outcome =
          run_ranks(ranks, solve + to(name) + more + Arguments{"--max-iterations", std::to_string(iterations)});
      EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
      return read_json(name + "/r.json")["work"]["iterations"].get<std::int64_t>();
    };
    const std::int64_t reached = stop_after(1, "stopped", {"--resume", "c.fck"});
    EXPECT_GT(reached, 1);
    EXPECT_EQ(stop_after(reached + 10, "resumed", {"--resume", "c.fck"}), reached + 10);
    EXPECT_EQ(stop_after(reached + 10, "whole", {}), reached + 10);
    expect_same_bits("endless.toml");
    std::filesystem::remove(path("c.fck"));
  }
}

TEST_F(Resumed, WhatIsOfAnotherNumberOfRanksOrDamagedIsRefused) {
  const std::string problem = generate("logistic-pair", "p");
  const Arguments solve{"solve", problem, "--eps-f", "1e-8", "--eps-g", "1e-8"},
      stopped = solve + Arguments{"--max-iterations", "5", "--quiet", "--checkpoint"};
  EXPECT_EQ(run_ranks(2, stopped + Arguments{"two.fck"}).exit_code, 3);
  EXPECT_EQ(run(stopped + Arguments{"alone.fck"}).exit_code, 3);
  const std::string bytes = read("two.fck");
  write("cut.fck", bytes.substr(0, bytes.size() / 2));
  const std::vector<std::string> before = files();
  const auto resume = [&](const std::string& name) { return solve + Arguments{"-o", "r.json", "--resume", name}; };
  expect_refused_by_all(
      run_ranks(3, resume("two.fck")),
      {"two.fck: expected a checkpoint of ranks of mpirun '3', found one of '2'; resume with the "
       "same ranks of mpirun, or leave --resume out to begin again"});
  expect_refused_by_all(run_ranks(2, resume("alone.fck")),
                        {"a checkpoint of ranks of mpirun '2', found one that does not tell"});
  expect_refused(resume("two.fck"), {"a checkpoint without ranks of mpirun, found one of '2'"});
  expect_refused_by_all(run_ranks(2, resume("cut.fck")), {"cut.fck: expected", "it was cut short"});
  expect_refused_by_all(run_ranks(2, resume("absent.fck")), {"absent.fck: expected a readable checkpoint"});
  EXPECT_EQ(files(), before);
}

TEST_F(Resumed, AnAnswerOfOneProcessOrOfRanksIsAStart) {
  const std::string problem = generate("logistic-pair", "p");
  const Arguments solve{"solve", problem, "--engine", "accelerated", "--eps-f", "1e-8", "--eps-g", "1e-8"};
  ASSERT_EQ(run(solve + Arguments{"-o", "alone.json", "--refine", "0"}).exit_code, 0);
  ASSERT_EQ(run_ranks(2, solve + Arguments{"-o", "ranks.json", "--refine", "0"}).exit_code, 0);
  for (const std::string start : {"alone.json", "ranks.json"})
    for (const int ranks : {1, 3}) {
      SCOPED_TRACE(start + " on " + std::to_string(ranks) + " ranks");
      const std::string to_name = ranks == 1 ? "whole" : "resumed";
      const Outcome outcome = run_ranks(ranks, solve + to(to_name) + Arguments{"--start", start});
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      const nlohmann::json again = read_json(to_name + "/r.json");
      const std::int64_t passes = again["work"]["certified_after"],
                         first = read_json(start)["work"]["certified_after"];
      EXPECT_LT(passes, std::min<std::int64_t>(first, 30)) << "the witness proves it at once";
      expect_verified(problem, to_name + "/r.json");
      EXPECT_EQ(again["digest"], read_json("whole/r.json")["digest"]);
    }

  const std::string other = generate("logistic-pair", "other", {"--seed", "2"});
  expect_refused_by_all(run_ranks(2, {"solve", other, "--start", "ranks.json"}),
                        {"ranks.json: expected an answer of the problem with fingerprint", "found one of"});
  for (const char* place : {"here", "there"}) std::filesystem::create_directory(path(place));
  std::filesystem::copy(path("ranks.json"), path("here/start.json"));
  std::filesystem::copy(path("whole/r.json"), path("there/start.json"));
  std::filesystem::copy(path("whole/x.npy"), path("there/x.npy"));
  const std::string rank_1_there = script("there.sh", "[ \"$RANK\" = 1 ] && cd there || cd here");
  expect_refused_by_all(
      run_ranks_of(2, rank_1_there, {FCBIO_PROGRAM, "solve", path(problem).string(), "--start", "start.json"}),
      {"start.json: expected the same answer on all ranks, found another one on rank 1"});
}

TEST_F(Resumed, WhereNoCheckpointCanBeWrittenTheResultIs) {
  const std::string problem = generate("logistic-pair", "p");
  const Outcome full =
      run_ranks(2, {"solve", problem, "-o", "r.json", "--checkpoint", "/dev/full", "--checkpoint-every", "0"});
  EXPECT_EQ(full.exit_code, 0) << full.err;
  EXPECT_THAT(full.err, HasSubstr("warning: no checkpoint was written: /dev/full"));
  EXPECT_EQ(std::count(full.err.begin(), full.err.end(), '\n'), 1) << "told once";
  expect_verified(problem, "r.json");
}

TEST_F(Mpirun, WithoutTheModuleTheProgramRunsAlone) {
  std::filesystem::create_directory(path("bin"));
  std::filesystem::copy_file(FCBIO_PROGRAM, path("bin/fcbio"));
  const std::string program = path("bin/fcbio").string();
  EXPECT_EQ(run_program(program, {"--version"}).exit_code, 0);
  expect_refused_by_all(run_ranks_of(2, program, {"--version"}), {"libfcbio_mpi.so", "scripts/setup --mpi"});
}

}  // namespace
}  // namespace fcbio::cli_test
