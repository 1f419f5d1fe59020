#include "io/shared_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "data/input_error.hpp"
#include "data/row_shards.hpp"
#include "io/checksum.hpp"
#include "io/compressed_file.hpp"
#include "io/fcb_format.hpp"
#include "io/libsvm.hpp"
#include "io/mapped_file.hpp"
#include "parallel/shard_sum.hpp"

namespace fcbio::io {
namespace {

std::size_t at(Index place) { return static_cast<std::size_t>(place); }

/// The rows of each rank.
std::vector<data::RowRun> rows_of_ranks(const std::vector<Index>& cuts, int ranks) {
  std::vector<data::RowRun> rows;
  for (int rank = 0; rank < ranks; ++rank) {
    const parallel::ShardRun run = parallel::shards_of(rank, ranks, static_cast<Index>(cuts.size()) - 1);
    rows.push_back({cuts[at(run.first)], cuts[at(run.end)]});
  }
  return rows;
}

/// The lines of a text that begin at `first` or behind it, and before `end`; and what stands before them.
struct TextRange {
  TextSource lines;
  std::string_view before;

  TextRange(std::string_view text, std::size_t first, std::size_t end, const std::string& name) {
    const std::size_t begin = line_begin(text, first);
    lines = {text.substr(begin, line_begin(text, end) - begin), name};
    before = text.substr(0, begin);
  }
  static std::size_t line_begin(std::string_view text, std::size_t place) {
    if (place == 0 || place >= text.size()) return std::min(place, text.size());
    const std::size_t feed = text.find('\n', place - 1);
    return feed == std::string_view::npos ? text.size() : feed + 1;
  }
};

class RangeBlocks : public MemoryBlocks {
 public:
  explicit RangeBlocks(const TextRange& range) : MemoryBlocks(range.lines), before_(range.before) {}
  std::int64_t lines_before() const override { return std::count(before_.begin(), before_.end(), '\n'); }

 private:
  std::string_view before_;
};

/// Some rows behind each other.
struct Rows {
  std::vector<double> labels, values;
  std::vector<std::int64_t> lengths;
  std::vector<std::int32_t> columns;
  std::int64_t largest_index = 0;

  void add(LibsvmRows&& rows) {
    std::int64_t before = 0;
    for (const std::int64_t end : rows.ends) lengths.push_back(end - std::exchange(before, end));
    labels.insert(labels.end(), rows.labels.begin(), rows.labels.end());
    values.insert(values.end(), rows.values.begin(), rows.values.end());
    columns.insert(columns.end(), rows.columns.begin(), rows.columns.end());
    largest_index = std::max(largest_index, rows.largest_index);
  }
};

/// numbers <- those of the rows that this rank is to have, from the ranks that have them.
template <class Number>
void move_rows(parallel::Communicator& ranks, const std::vector<data::RowRun>& have,
               const std::vector<data::RowRun>& want, const std::vector<std::int64_t>& starts,
               std::vector<Number>& numbers) {
  const auto me = static_cast<std::size_t>(ranks.rank());
  const auto count = [&](const data::RowRun& rows) {
    return static_cast<std::size_t>(starts[at(rows.end)] - starts[at(rows.first)]);
  };
  const auto both = [](const data::RowRun& a, const data::RowRun& b) {
    const Index first = std::max(a.first, b.first);
    return data::RowRun{first, std::max(first, std::min(a.end, b.end))};
  };
  const auto behind = [&](const data::RowRun& rows, const data::RowRun& from) {
    return rows.first == rows.end ? std::size_t{0} : count({from.first, rows.first});
  };
  std::vector<Number> arrived(count(want[me]));
  std::vector<parallel::Bytes> sends;
  std::vector<parallel::MutableBytes> receives;
  for (std::size_t other = 0; other < have.size(); ++other) {
    const data::RowRun goes = both(have[me], want[other]), comes = both(have[other], want[me]);
    sends.push_back(parallel::bytes_of(numbers.data() + behind(goes, have[me]), count(goes)));
    receives.push_back(parallel::mutable_bytes_of(arrived.data() + behind(comes, want[me]), count(comes)));
  }
  ranks.exchange(sends, receives);
  numbers = std::move(arrived);
}

/// Rows that a rank holds, all starts, and what a matrix borrows from.
struct HeldRows {
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};

DataFile read_text_range(const std::filesystem::path& file, const MappedFile& mapped,
                         parallel::Communicator& ranks) {
  const std::string name = file.string();
  const std::string_view text = mapped.bytes();
  const auto rank = static_cast<std::size_t>(ranks.rank()), count = static_cast<std::size_t>(ranks.ranks());
  const auto begin = [&](std::size_t part) {
    return text.size() / count * part + text.size() % count * part / count;
  };
  Rows own;
  parallel::together(ranks, [&] {
    within_memory(file, [&] {
      const TextRange range(text, begin(rank), begin(rank + 1), name);
      RangeBlocks blocks(range);
      parse_libsvm_rows(blocks, [&own](LibsvmRows&& rows) { own.add(std::move(rows)); });
    });
  });

  const auto held = std::make_shared<HeldRows>();
  for (const std::int64_t length : parallel::brought_by_all(ranks, own.lengths))
    held->starts.push_back(held->starts.back() + length);
  const std::vector<double> labels = parallel::brought_by_all(ranks, own.labels);
  require_libsvm_rows(name, !labels.empty(), held->starts.back() > 0);
  std::vector<data::RowRun> have;
  for (const std::uint64_t rows : parallel::said_by_all(ranks, std::uint64_t{own.labels.size()})) {
    const Index first = have.empty() ? 0 : have.back().end;
    have.push_back({first, first + static_cast<Index>(rows)});
  }
  const auto largest = parallel::said_by_all(ranks, own.largest_index);
  const auto cols = static_cast<Index>(*std::max_element(largest.begin(), largest.end()));
  const auto rows = static_cast<Index>(labels.size());

  const std::vector<data::RowRun> want = rows_of_ranks(data::cut_rows(held->starts), ranks.ranks());
  held->columns = std::move(own.columns);
  held->values = std::move(own.values);
  move_rows(ranks, have, want, held->starts, held->columns);
  move_rows(ranks, have, want, held->starts, held->values);
  DataFile data;
  data.matrix = {
      data::BorrowedCsr{{rows, cols, held->starts, held->columns, held->values}, held, nullptr, want[rank]}};
  data.labels = Eigen::Map<const Vector>(labels.data(), rows);
  return data;
}

/// Of a file that is mapped: the rows of this rank, which are checked.
void keep_own_rows(data::Matrix& matrix, parallel::Communicator& ranks) {
  const auto own = [&] {
    return rows_of_ranks(data::cut_rows(matrix), ranks.ranks())[static_cast<std::size_t>(ranks.rank())];
  };
  if (auto* dense = std::get_if<data::BorrowedDense>(&matrix.matrix)) {
    dense->held = own();
    dense->lender->admit(dense->held);
  }
  if (auto* sparse = std::get_if<data::BorrowedCsr>(&matrix.matrix)) {
    sparse->lender->admit({0, 0});  // the starts
    sparse->held = own();
    sparse->lender->admit(sparse->held);
    const auto first = static_cast<std::size_t>(sparse->view.starts[at(sparse->held.first)]);
    const auto count = static_cast<std::size_t>(sparse->view.starts[at(sparse->held.end)]) - first;
    sparse->view.columns = sparse->view.columns.subspan(first, count);
    sparse->view.values = sparse->view.values.subspan(first, count);
  }
}

/// Null: another format, or compressed.
std::unique_ptr<const MappedFile> map_plain_libsvm(const std::filesystem::path& file) {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  const std::unique_ptr<FileBlocks> blocks = open_libsvm(file, kAny, {});
  if (blocks == nullptr || blocks->size() == 0) return nullptr;
  return std::make_unique<const MappedFile>(
      file, FileKind{"a readable file", "check the path and its permissions", "name a file in it", kAny, ""});
}

/// What tells one file from another without reading it all.
struct Outline {
  std::uint64_t size = 0, ends = 0;
};

}  // namespace

void require_same_bytes(const std::string& name, std::string_view bytes, parallel::Communicator& ranks) {
  constexpr std::size_t kEnds = std::size_t{1} << 16;
  const std::string_view head = bytes.substr(0, kEnds), tail = bytes.substr(bytes.size() - head.size());
  const auto all = parallel::said_by_all(ranks, Outline{bytes.size(), checksum(head) + 31 * checksum(tail)});
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank].size != all[0].size || all[rank].ends != all[0].ends)
      throw InputError({name, 0, "the same file on all ranks",
                        fmt::format("{} bytes on rank 0 and {}{} on rank {}", all[0].size,
                                    all[rank].size == all[0].size ? "other " : "", all[rank].size, rank),
                        "give all machines the same files"});
}

DataFile read_rows_of_rank(const std::filesystem::path& file, bool whole, const ReadProgress& progress,
                           parallel::Communicator& ranks) {
  DataFile data;
  std::unique_ptr<const MappedFile> text;  // LIBSVM text as it is
  const bool shared = !whole && ranks.ranks() > 1;
  parallel::together(ranks, [&] {
    if (shared) text = map_plain_libsvm(file);
    if (text != nullptr) return;
    data = read_table_file(file, progress);
    if (shared && format_ending(file) == kFcbEnding) keep_own_rows(data.matrix, ranks);
  });
  if (text == nullptr) return data;
  require_same_bytes(file.string(), text->bytes(), ranks);
  return read_text_range(file, *text, ranks);
}

}  // namespace fcbio::io
