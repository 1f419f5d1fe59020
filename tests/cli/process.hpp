// Runs the real program and keeps what it said.  Every test has a directory of its own, in which the program runs.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fcbio::cli_test {

struct Outcome {
  int exit_code = -1;  ///< 128 + signal if a signal ended it
  std::string out;
  std::string err;
};

using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class CliTest : public testing::Test {
 protected:
  CliTest();
  ~CliTest() override;

  /// Runs `fcbio arguments` in directory() and waits.
  Outcome run(const Arguments& arguments) const { return run_until(arguments, nullptr, 0); }
  /// The same; once started() holds (asked again and again) the signal is sent.
  Outcome run_until(const Arguments& arguments, const std::function<bool()>& started, int signal_number) const;
  /// Any other program instead.
  Outcome run_program(const std::string& program, const Arguments& arguments,
                      const std::function<bool()>& started = nullptr, int signal_number = 0) const;
  /// run() with stderr a terminal; what is shown there becomes Outcome::err.
  Outcome run_on_terminal(const Arguments& arguments) const;

  const std::filesystem::path& directory() const { return directory_; }
  std::filesystem::path path(const std::string& name) const { return directory_ / name; }
  void write(const std::string& name, const std::string& contents) const;
  std::string read(const std::string& name) const;
  nlohmann::json read_json(const std::string& name) const { return nlohmann::json::parse(read(name)); }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
  /// Names of everything in the directory, recursively, sorted.
  std::vector<std::string> files() const;

  /// Writes a built-in problem into `name`/ and returns the name of its problem file.
  std::string generate(const std::string& kind, const std::string& name, const Arguments& more = {}) const;
  /// `fcbio verify` agrees with every claim.
  void expect_verified(const std::string& problem, const std::string& result) const;
  /// Exit code 2, silent stdout, exactly one line on stderr that begins like an error and holds all fragments.
  void expect_refused(const Arguments& arguments, const std::vector<std::string>& fragments) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace fcbio::cli_test
