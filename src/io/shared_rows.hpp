// Reading a data file on many ranks, each its own part:
//   LIBSVM text   every rank parses a range of the bytes; then all know the labels and lengths of all rows, which say
//                 what rows the shards of each rank are, and rows at the ends of the ranges go where they belong
//   .fcb          every rank has the rows of its shards mapped, and checks their checksums
// All other formats, and text that is compressed, every rank reads as a whole.
#pragma once

#include "io/data_file.hpp"
#include "parallel/communicator.hpp"

namespace fcbio::io {

/// Throws InputError, on all ranks, where these bytes of a file are not the same on all: their number, beginnings and ends
/// are compared.  Collective.
void require_same_bytes(const std::string& name, std::string_view bytes, parallel::Communicator& ranks);

/// read_table_file(), where the matrix may hold the rows of this rank only (data::Matrix::is_partial()).  Collective;
/// throws on all ranks what one of them throws.  `whole`: all rows are wanted on all ranks.
DataFile read_rows_of_rank(const std::filesystem::path& file, bool whole, const ReadProgress& progress,
                           parallel::Communicator& ranks);

}  // namespace fcbio::io
