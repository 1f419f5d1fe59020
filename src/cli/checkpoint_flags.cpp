#include "cli/checkpoint_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "cli/flags.hpp"
#include "data/input_error.hpp"
#include "fcbio/error.hpp"
#include "fcbio/version.hpp"
#include "io/checkpoint_file.hpp"
#include "io/result_json.hpp"

namespace fcbio::cli {
namespace {

constexpr double kUsualSeconds = 300.0;

std::string in_words(const Accuracy& accuracy) {
  std::string words = fmt::format("{}, {}", accuracy.upper, accuracy.lower);
  if (accuracy.upper_relative > 0.0 || accuracy.lower_relative > 0.0)
    words += fmt::format(", relative {}, {}", accuracy.upper_relative, accuracy.lower_relative);
  if (accuracy.tight) words += ", tight";
  if (accuracy.absolute) words += ", absolute";
  if (accuracy.holder)
    words += fmt::format(", holder {}, {}, {}", accuracy.holder->alpha, accuracy.holder->beta,
                         accuracy.holder->gradient_bound);
  return words;
}

io::CheckpointIdentity identity_of(const std::string& fingerprint, const SolveOptions& options,
                                   const std::string& start, const parallel::Communicator& ranks) {
  std::vector<std::string> settings;
  for (const auto& [name, value] : find_method(options.method).options_as_used(options))
    settings.push_back(fmt::format("{} = {}", name, value));
  io::CheckpointIdentity identity{{"program version", FCBIO_VERSION},
                                  {"problem", fingerprint},
                                  {"method", options.method},
                                  {"options", fmt::format("{}", fmt::join(settings, ", "))},
                                  {"accuracy", in_words(options.accuracy)},
                                  {"start", start.empty() ? "of the problem" : "answer " + start}};
  // Says whose rows a state holds; and ranks add up in another order than a process by itself, be it one rank only.
  if (ranks.is_job()) identity.emplace_back("ranks of mpirun", fmt::format("{}", ranks.ranks()));
  return identity;
}

// The state of a job of one rank is that of the rank; of more, a list of all ranks' states.

std::string state_of_all(std::vector<std::string> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Archive archive;
  archive(parts);
  return archive.written();
}

std::vector<std::string> parts_of(std::string state, int ranks) {
  if (ranks == 1) return {std::move(state)};
  std::vector<std::string> parts;
  Archive archive(state);
  archive(parts);
  if (parts.size() != static_cast<std::size_t>(ranks) || !archive.is_exhausted())
    throw ArchiveError("another number of states than of ranks");
  return parts;
}

}  // namespace

void CheckpointFlags::attach(arguments::Arguments& command) {
  command.text("--checkpoint", file_,
               "write the state of the solve there from time to time, and when a limit or Ctrl-C stops it",
               "FILE");
  command.text("--checkpoint-every", every_,
               fmt::format("at most so much is lost when the program is killed (default {:g})", kUsualSeconds),
               "SECONDS");
  command.text(
      "--resume", resumed_,
      "go on from a checkpoint of the same problem, options and accuracy; limits count from the beginning",
      "FILE");
  command.text("--start", start_, "begin with an earlier answer of the same problem, for whatever accuracy",
               "RESULT.json");
}

double CheckpointFlags::seconds() const {
  if (every_.empty()) return kUsualSeconds;
  return every_ == "0" ? 0.0 : positive_number("--checkpoint-every", every_);
}

void CheckpointFlags::check() const {
  seconds();
  if (!every_.empty() && file_.empty())
    throw InvalidArgument("--checkpoint-every: found no --checkpoint; say where checkpoints go");
  if (file_.empty()) return;
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path path(file_), parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, ignored))
    throw InvalidArgument(
        fmt::format("--checkpoint {}: expected an existing directory '{}', found none; create it first", file_,
                    parent.string()));
  if (fs::is_directory(path, ignored) || path.filename().empty())
    throw InvalidArgument(fmt::format("--checkpoint {}: expected a file name, found a directory", file_));
  if (fs::is_regular_file(path, ignored) && fs::file_size(path, ignored) > 0 && !io::is_checkpoint(path))
    throw InvalidArgument(fmt::format(
        "--checkpoint {}: expected a new name or an older checkpoint, found another kind of file, which would be lost; "
        "give another name",
        file_));
}

std::shared_ptr<EarlierAnswer> CheckpointFlags::start(const std::string& fingerprint,
                                                      parallel::Communicator& ranks) {
  if (start_.empty()) return nullptr;
  std::shared_ptr<EarlierAnswer> answer;
  parallel::together(ranks, [&] {
    io::StoredResult stored = io::read_result(start_);
    if (stored.fingerprint != fingerprint)
      throw InputError({start_, 0, fmt::format("an answer of the problem with fingerprint {}", fingerprint),
                        fmt::format("one of {}", stored.fingerprint),
                        "give a result of the same data, functions, set and start"});
    if (stored.digest && *stored.digest != stored.digest_found)
      throw InputError({start_, 0, "an intact result", "one that was changed (its digest does not fit)",
                        "solve again, or leave --start out"});
    start_digest_ = stored.digest_found;
    answer = std::make_shared<EarlierAnswer>(EarlierAnswer{std::move(stored.x), std::move(stored.witness)});
  });
  const std::vector<std::string> digests = parallel::brought_to_first(ranks, start_digest_);
  parallel::together(ranks, [&] {
    for (std::size_t r = 0; r < digests.size(); ++r)
      if (digests[r] != start_digest_)
        throw InputError({start_, 0, "the same answer on all ranks", fmt::format("another one on rank {}", r),
                          "give all machines the same files"});
  });
  return answer;
}

void CheckpointFlags::begin(const std::string& fingerprint, const SolveOptions& options, Monitor& monitor,
                            parallel::Communicator& ranks) {
  if (file_.empty() && resumed_.empty()) return;
  checkpoints_.emplace(file_.empty() ? kInfinity : seconds(),
                       [this, &ranks](std::string_view state) { store(state, ranks); });
  monitor.keep(*checkpoints_);
  if (!find_method(options.method).options_as_used) return;  // solve() refuses
  identity_ = identity_of(fingerprint, options, start_digest_, ranks);
  if (resumed_.empty()) return;
  const auto read = [&](const std::function<void()>& work) {
    parallel::together(ranks, [&] {
      try {
        work();
      } catch (const ArchiveError& error) {
        throw InputError({resumed_, 0, "the state of a solve", error.what(), "leave --resume out to begin again"});
      }
    });
  };
  std::vector<std::string> parts;
  read([&] {
    if (ranks.rank() == 0) parts = parts_of(io::read_checkpoint(resumed_, identity_), ranks.ranks());
  });
  std::string own = parallel::handed_out(ranks, parts);
  read([&] { checkpoints_->go_on_from(std::move(own)); });
}

void CheckpointFlags::store(std::string_view state, parallel::Communicator& ranks) {
  const bool failed_before = !failure_.empty();
  failure_.clear();
  try {
    std::vector<std::string> parts = parallel::brought_to_first(ranks, state);
    if (ranks.rank() == 0) io::write_checkpoint(file_, identity_, state_of_all(std::move(parts)));
  } catch (const std::exception& error) {
    failure_ = error.what();
    if (!failed_before && ranks.rank() == 0)
      fmt::print(stderr, "fcbio: warning: no checkpoint was written: {}\n", failure_);
  }
}

std::string CheckpointFlags::end(const Monitor& monitor) {
  if (file_.empty() || !monitor.stopped()) return {};
  if (!checkpoints_->store_last())
    return "note: no checkpoint was written: the solve was stopped before its first iteration\n";
  if (!failure_.empty()) return fmt::format("note: no checkpoint was written: {}\n", failure_);
  return fmt::format("wrote {}, to go on with --resume {}\n", file_, file_);
}

}  // namespace fcbio::cli
