// A problem file whose text is in memory.
#pragma once

#include "data/problem.hpp"
#include "io/read_progress.hpp"
#include "io/text_source.hpp"
#include "parallel/communicator.hpp"

namespace fcbio::io {

/// read_problem() of a text that would stand in the file `source.name`: files it names are relative to that one.
data::Problem parse_problem(const TextSource& source, const ReadProgress& progress = {},
                            parallel::Communicator& ranks = parallel::alone());

/// The text as a TOML string, in quotes.
std::string toml_string(std::string_view text);

}  // namespace fcbio::io
