// fcbio verify PROBLEM.toml result.json: every claim of a result, recomputed by code that shares nothing with the
// solver.
#include <fmt/format.h>

#include "checker.hpp"
#include "claims/claims.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/flags.hpp"
#include "fcbio/method.hpp"
#include "io/problem_file.hpp"
#include "io/result_json.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kVerifyHelpEnd =
    "Exit codes: 0 every claim holds; 1 a claim does not hold; 2 bad usage, or a file that cannot be read.\n"
    "\n"
    "Example:\n"
    "  fcbio verify problem/PROBLEM.toml result.json";

class Verify : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("verify", "recompute every claim of a result from the problem");
    command.text("PROBLEM.toml", problem_file_, "the problem file that was solved", "", Need::required);
    command.text("result.json", result_file_, "the result file to check", "", Need::required);
    command.flag("--quiet", quiet_, "print nothing but errors; the exit code tells");
    command.footer(kVerifyHelpEnd);
  }

  int run() override {
    const io::StoredResult stored = io::read_result(result_file_);
    const data::Problem data = io::read_problem(problem_file_);
    verify::Claims claims = claims::claims_of(stored);
    for (const MethodInfo& method : methods()) claims.record->known_methods.push_back(method.name);
    const verify::VerifyReport report = verify::verify(data, claims, data::fingerprint(data));
    if (!quiet_) fmt::print("{}", verify::to_text(report));
    return report.all_hold ? kSuccess : kClaimFailed;
  }

 private:
  std::string problem_file_;
  std::string result_file_;
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> verify_command() { return std::make_unique<Verify>(); }

}  // namespace fcbio::cli
