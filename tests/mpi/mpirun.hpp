// Runs the program under mpirun, more ranks than there are processors if need be, also as root.
#pragma once

#include "cli/process.hpp"

namespace fcbio::cli_test {

class MpiTest : public CliTest {
 protected:
  MpiTest();

  /// mpirun -n RANKS fcbio arguments
  Outcome run_ranks(int ranks, const Arguments& arguments) const;
  /// mpirun -n RANKS program arguments
  Outcome run_ranks_of(int ranks, const std::string& program, const Arguments& arguments,
                       const std::function<bool()>& started = nullptr, int signal_number = 0) const;
  /// A shell script in directory(); it runs the program as "$@", and $RANK is the rank.
  std::string script(const std::string& name, const std::string& lines) const;

  /// Exit code 2, nothing on stdout, one message on stderr that holds all fragments, no file more than before.
  void expect_refused_by_all(const Outcome& outcome, const std::vector<std::string>& fragments) const;
};

}  // namespace fcbio::cli_test
