// A checkpoint as a file: whose it is, and the state of a solve (core/checkpoints.hpp).
//
//   header     64 bytes: magic, byte order, version, length of the file and of the identity, checksums
//   identity   the problem and what is asked of the solve
//   state
//
// Numbers are of the machine that wrote it.  A state is good for one solve in one version of the program only, so all of
// that is compared before it is used.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fcbio::io {

inline constexpr std::uint32_t kCheckpointVersion = 1;

/// What a state belongs to: what is compared, in words, and its value.
using CheckpointIdentity = std::vector<std::pair<std::string, std::string>>;

/// Atomically; throws InputError.
void write_checkpoint(const std::filesystem::path& file, const CheckpointIdentity& identity,
                      std::string_view state);

/// The state.  Throws InputError for a file that is damaged, cut short, of another version of the form or byte order,
/// or of another identity.
std::string read_checkpoint(const std::filesystem::path& file, const CheckpointIdentity& identity);

/// Whether the file begins like a checkpoint; one that is not there does not.
bool is_checkpoint(const std::filesystem::path& file);

}  // namespace fcbio::io
