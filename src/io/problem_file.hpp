// Problem files: PROBLEM.toml and the data files beside it (problem_file.cpp says what they hold).
#pragma once

#include "data/problem.hpp"
#include "io/read_progress.hpp"
#include "parallel/communicator.hpp"

namespace fcbio::io {

inline constexpr const char* kProblemFileName = "PROBLEM.toml";

/// Reads a problem file and all it names.  Throws InputError.  On many ranks, where the matrices may hold the rows of this
/// rank only (shared_rows.hpp): collective.
data::Problem read_problem(const std::filesystem::path& file, const ReadProgress& progress = {},
                           parallel::Communicator& ranks = parallel::alone());

/// Writes PROBLEM.toml and its data files into a directory (created if needed), atomically file by file and
/// PROBLEM.toml last.  read_problem() gives back the same fingerprint.  `comment` becomes # lines on top.
void write_problem(const data::Problem& problem, const std::filesystem::path& directory,
                   const std::string& comment);

}  // namespace fcbio::io
