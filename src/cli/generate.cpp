// fcbio generate KIND -o DIR: writes a built-in problem to files.
#include <fmt/format.h>

#include <filesystem>

#include "catalogue/catalogue.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/flags.hpp"
#include "cli/text.hpp"
#include "fcbio/error.hpp"
#include "fcbio/version.hpp"
#include "io/problem_file.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kGenerateHelpEnd =
    "'fcbio problems' lists the kinds, 'fcbio problems KIND' the parameters for --set.\n"
    "\n"
    "Example:\n"
    "  fcbio generate min-norm -o problem --seed 7 --set rows=60 --set condition=1000";

class Generate : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("generate", "write a seeded synthetic problem to files");
    command.text("KIND", kind_, "which built-in problem", "", Need::required);
    command.text("-o,--output", directory_, "directory for PROBLEM.toml and its data files; made if needed", "DIR",
                 Need::required);
    command.text("--seed", seed_, "seed of the random numbers (default 1)", "N");
    command.texts("--set", settings_, "a parameter of the problem; may be repeated", "KEY=VALUE");
    command.flag("--force", force_, "overwrite an existing PROBLEM.toml");
    command.flag("--quiet", quiet_, "print nothing but errors");
    command.footer(kGenerateHelpEnd);
  }

  int run() override {
    const std::uint64_t seed = seed_number(seed_);
    const catalogue::Entry& entry = catalogue::find_entry(kind_);
    const OptionValues values = settings(settings_);
    refuse_overwriting();
    const catalogue::Instance instance = entry.make(values, seed);
    io::write_problem(instance.data, directory_, comment(entry, values, seed, instance));
    if (!quiet_) {
      fmt::print("{}: {}\n{}wrote {}\n", entry.name, entry.summary, answer(entry, instance),
                 problem_file().string());
      fmt::print("solve it with: fcbio solve {}\n", problem_file().string());
    }
    return kSuccess;
  }

 private:
  std::filesystem::path problem_file() const { return std::filesystem::path(directory_) / "PROBLEM.toml"; }

  void refuse_overwriting() const {
    std::error_code ignored;
    if (std::filesystem::exists(directory_, ignored) && !std::filesystem::is_directory(directory_, ignored))
      throw InvalidArgument(fmt::format("-o {}: expected a directory, found a file of that name", directory_));
    if (force_ || !std::filesystem::exists(problem_file(), ignored)) return;
    if (std::filesystem::file_size(problem_file(), ignored) == 0) return;
    throw InvalidArgument(fmt::format("{} exists; choose another directory, or give --force to overwrite it",
                                      problem_file().string()));
  }

  static std::string answer(const catalogue::Entry& entry, const catalogue::Instance& instance) {
    std::string text = fmt::format("known answer: {}\n", entry.answer);
    if (instance.upper_optimum && instance.lower_optimum)
      text += fmt::format("here f* = {:.16g}, g* = {:.16g}\n", *instance.upper_optimum, *instance.lower_optimum);
    return text;
  }

  static std::string comment(const catalogue::Entry& entry, const OptionValues& values, std::uint64_t seed,
                             const catalogue::Instance& instance) {
    std::string command = fmt::format("fcbio {} generate {} --seed {}", FCBIO_VERSION, entry.name, seed);
    for (const auto& [key, value] : values) command += fmt::format(" --set {}={}", key, value);
    return fmt::format("{}\n{}\n{}", command, entry.summary, answer(entry, instance));
  }

  std::string kind_;
  std::string directory_;
  std::string seed_ = "1";
  std::vector<std::string> settings_;
  bool force_ = false;
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> generate_command() { return std::make_unique<Generate>(); }

}  // namespace fcbio::cli
