// The flags of long runs: checkpoints, going on from one, and beginning with an earlier answer.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "arguments/command_line.hpp"
#include "core/checkpoints.hpp"
#include "fcbio/method.hpp"
#include "parallel/communicator.hpp"

namespace fcbio::cli {

class CheckpointFlags {
 public:
  /// --checkpoint, --checkpoint-every, --resume, --start
  void attach(arguments::Arguments& command);
  /// Mistakes that show without the data.
  void check() const;
  const std::string& file() const { return file_; }
  /// The answer of --start, for the problem with this fingerprint, with the duals of all rows; null without the flag.
  /// Throws InputError.  Collective.
  std::shared_ptr<EarlierAnswer> start(const std::string& fingerprint, parallel::Communicator& ranks);
  /// Has the solve keep checkpoints and go on from one, as the flags say.  Throws InputError for a checkpoint that is
  /// damaged or of another solve; then nothing was written.  Collective: the first rank reads and writes one file with
  /// the states of all ranks.
  void begin(const std::string& fingerprint, const SolveOptions& options, Monitor& monitor,
             parallel::Communicator& ranks);
  /// After the solve and after its result was written: what became of the checkpoint, in a line, or nothing; on the
  /// first rank.  Collective.
  std::string end(const Monitor& monitor);

 private:
  void store(std::string_view state, parallel::Communicator& ranks);
  double seconds() const;

  std::string file_, every_, resumed_, start_, start_digest_;
  std::vector<std::pair<std::string, std::string>> identity_;
  std::optional<Checkpoints> checkpoints_;
  std::string failure_;  // of the last attempt
};

}  // namespace fcbio::cli
