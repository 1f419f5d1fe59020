#include "io/fcb_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>
#include <span>

#include "fcbio/error.hpp"
#include "fcbio/threads.hpp"
#include "io/checksum.hpp"
#include "io/fcb_format.hpp"
#include "io/map_plan_words.hpp"
#include "io/mapped_file.hpp"
#include "io/row_check.hpp"
#include "linalg/shards.hpp"

namespace fcbio::io {

namespace {

constexpr Index kBlocksOfShard = 16;  // their checksums take milliseconds
constexpr Section kTileSections[] = {Section::transposed_values, Section::transposed_places,
                                     Section::transposed_owners, Section::forward_values,
                                     Section::forward_places,    Section::forward_owners};

/// A mapped file and what was checked of it.
class FcbFile final : public data::Lender {
 public:
  explicit FcbFile(const std::filesystem::path& file)
      : name_(file.string()),
        mapped_(std::make_shared<const MappedFile>(
            file,
            FileKind{"a readable file",
                     "check the path (paths in a problem file are relative to that file) and its permissions",
                     "name a file in it", std::numeric_limits<std::uint64_t>::max(), ""})) {
    if (all().empty()) throw InputError({name_, 0, "data", "an empty file", "check how the file was made"});
    directory_ = decode_directory(all(), name_);
    for (const Section section : {Section::labels, Section::names, Section::plan}) check_blocks(section);
  }

  const FcbDirectory& directory() const { return directory_; }
  std::uint64_t size() const { return all().size(); }

  void admit(const data::RowRun& rows) const override {
    const std::lock_guard lock(admitting_);
    if (directory_.sparse && admitted_.first > admitted_.end) check_blocks(Section::starts);
    if (admitted_.first <= admitted_.end && admitted_.holds(rows.first, rows.end)) return;
    const std::string fault = directory_.sparse ? fault_of_sparse(rows) : fault_of_dense(rows);
    if (!fault.empty()) refuse_contents(fault);
    admitted_ = rows;
  }

  LinearMapPtr ready_map(Index cols) const override {
    const std::lock_guard lock(map_mutex_);
    if (map_ != nullptr && map_->cols() == cols) return map_;
    if (!has_tiles()) return nullptr;
    try {
      SparseMapPlan plan = plan_of(array<std::uint64_t>(Section::plan));
      if (plan.cols != directory_.cols || plan.forward.rows != directory_.rows)
        throw InvalidArgument("expected tiles of these rows, found tiles of others");
      // Another number of columns changes how they are cut, unless the empty ones were left out in any case.
      if (plan.cols != cols && plan.used.empty()) return nullptr;
      plan.cols = cols;
      for (const Section section : kTileSections) check_blocks(section);
      map_ = stored_sparse_map(plan, transposed(), forward(), mapped_);
    } catch (const InvalidArgument& refusal) {
      refuse_contents(refusal.what());
    }
    return map_;
  }

  bool has_tiles() const {
    const auto exists = [this](Section section) { return directory_.find(section) != nullptr; };
    return directory_.tile_layout == kTileLayout && exists(Section::plan) &&
           std::all_of(std::begin(kTileSections), std::end(kTileSections), exists);
  }

  CsrView sparse_view() const {
    return {directory_.rows, directory_.cols, array<std::int64_t>(Section::starts),
            array<std::int32_t>(Section::columns), array<double>(Section::values)};
  }
  DenseView dense_view() const {
    return {array<double>(Section::dense).data(), directory_.rows, directory_.cols, directory_.cols, true};
  }
  TileNumbers transposed() const {
    return {array<double>(Section::transposed_values), array<std::uint16_t>(Section::transposed_places),
            array<std::uint16_t>(Section::transposed_owners)};
  }
  TileNumbers forward() const {
    return {array<double>(Section::forward_values), array<std::uint16_t>(Section::forward_places),
            array<std::uint16_t>(Section::forward_owners)};
  }

  Vector labels() const {
    const auto numbers = array<double>(Section::labels);
    Vector labels = Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
    if (!labels.allFinite()) refuse_contents("a label that is not finite");
    return labels;
  }
  std::vector<std::string> names() const;

  /// Everything between the sections is zero.
  void check_gaps() const;
  /// The tiles are sound, and of the rows.
  void check_tiles() const {
    if (!has_tiles() || ready_map(directory_.cols) == nullptr) return;
    const SparseMapPlan plan = plan_of(array<std::uint64_t>(Section::plan));
    if (!same_entries(sparse_view(), plan, transposed(), forward())) refuse_contents("tiles of other rows");
  }

 private:
  [[noreturn]] void refuse_contents(const std::string& found) const {
    throw InputError(
        {name_, 0, "data as fcbio convert writes them", found, "make the file again with fcbio convert"});
  }
  std::string_view all() const { return mapped_->bytes(); }
  std::string_view bytes(Section section) const {
    const SectionEntry* entry = directory_.find(section);
    if (entry == nullptr) return {};
    return all().substr(static_cast<std::size_t>(entry->offset), static_cast<std::size_t>(entry->size));
  }
  /// Sections are aligned.
  template <class Number>
  std::span<const Number> array(Section section) const {
    const std::string_view found = bytes(section);
    return {reinterpret_cast<const Number*>(found.data()), found.size() / sizeof(Number)};
  }
  void check_blocks(Section section) const { check_blocks(section, 0, std::numeric_limits<std::uint64_t>::max()); }
  /// Those that hold the bytes [begin, end) of the section.
  void check_blocks(Section section, std::uint64_t begin, std::uint64_t end) const;
  std::string fault_of_sparse(const data::RowRun& rows) const {
    const CsrView all = sparse_view();
    if (std::string fault = fault_of_starts(all); !fault.empty()) return fault;
    const auto first = static_cast<std::uint64_t>(all.starts[static_cast<std::size_t>(rows.first)]);
    const auto end = static_cast<std::uint64_t>(all.starts[static_cast<std::size_t>(rows.end)]);
    check_blocks(Section::columns, first * sizeof(std::int32_t), end * sizeof(std::int32_t));
    check_blocks(Section::values, first * sizeof(double), end * sizeof(double));
    return fault_of(all, rows.first, rows.end);
  }
  std::string fault_of_dense(const data::RowRun& rows) const {
    const auto width = static_cast<std::uint64_t>(directory_.cols) * sizeof(double);
    check_blocks(Section::dense, static_cast<std::uint64_t>(rows.first) * width,
                 static_cast<std::uint64_t>(rows.end) * width);
    return fault_of(dense_view(), rows.first, rows.end);
  }

  std::string name_;
  std::shared_ptr<const MappedFile> mapped_;
  FcbDirectory directory_;
  mutable std::mutex admitting_;
  mutable data::RowRun admitted_{1, 0};  // rows that were looked at, last; none yet
  mutable std::mutex map_mutex_;
  mutable LinearMapPtr map_;
};

void FcbFile::check_blocks(Section section, std::uint64_t first_byte, std::uint64_t end_byte) const {
  const SectionEntry* const entry = directory_.find(section);
  if (entry == nullptr) return;
  const std::string_view found = bytes(section);
  const auto first = static_cast<Index>(first_byte / kFcbBlock);
  const auto behind =
      static_cast<Index>((std::min<std::uint64_t>(end_byte, found.size()) + kFcbBlock - 1) / kFcbBlock);
  const Index blocks = std::max<Index>(behind - first, 0);
  std::atomic<std::size_t> damaged{entry->checksums.size()};  // the first block that is
  const Index shards = shard_count(blocks, kBlocksOfShard);
  run_shards(shards, [&](Index shard) {
    for (Index block = blocks * shard / shards; block < blocks * (shard + 1) / shards; ++block) {
      const auto at = static_cast<std::size_t>(first + block);
      if (checksum(found.substr(at * kFcbBlock, kFcbBlock)) == entry->checksums[at]) continue;
      std::size_t before = damaged;
      while (at < before && !damaged.compare_exchange_weak(before, at)) {
      }
    }
  });
  if (damaged == entry->checksums.size()) return;
  const std::uint64_t begin = entry->offset + damaged * kFcbBlock;
  const std::uint64_t end = std::min(begin + kFcbBlock, entry->offset + entry->size);
  throw InputError({name_, 0, "intact data",
                    fmt::format("damage between byte {} and byte {} (the checksum does not fit)", begin, end),
                    "copy the file again, or make it again with fcbio convert"});
}

std::vector<std::string> FcbFile::names() const {
  std::vector<std::string> names;
  std::string_view rest = bytes(Section::names);
  while (!rest.empty()) {
    std::uint64_t length = 0;
    if (rest.size() < sizeof(length)) refuse_contents("a column name that ends too early");
    std::memcpy(&length, rest.data(), sizeof(length));
    rest.remove_prefix(sizeof(length));
    if (length > rest.size()) refuse_contents("a column name that ends too early");
    names.emplace_back(rest.substr(0, static_cast<std::size_t>(length)));
    rest.remove_prefix(static_cast<std::size_t>(length));
  }
  if (!names.empty() && static_cast<Index>(names.size()) != directory_.cols)
    refuse_contents(fmt::format("{} column names for {} columns", names.size(), directory_.cols));
  return names;
}

void FcbFile::check_gaps() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> used = {{0, kFcbHeader}};
  for (const SectionEntry& section : directory_.sections)
    used.emplace_back(section.offset, section.offset + section.size);
  std::sort(used.begin(), used.end());
  for (std::size_t i = 1; i < used.size(); ++i) {
    if (used[i].first < used[i - 1].second) refuse_contents("sections that overlap");
    const std::string_view gap = all().substr(static_cast<std::size_t>(used[i - 1].second),
                                              static_cast<std::size_t>(used[i].first - used[i - 1].second));
    if (gap.find_first_not_of('\0') != std::string_view::npos) refuse_contents("bytes between the sections");
  }
}

}  // namespace

DataFile read_fcb(const std::filesystem::path& file) {
  if (lower_case(file.extension().string()) != kFcbEnding)
    throw InputError({file.string(), 0, "a file in the binary form as it is", "a compressed one",
                      "decompress it: it is used where it lies"});
  const auto open = std::make_shared<const FcbFile>(file);
  DataFile data{{}, open->labels(), open->names(), {}};
  if (open->directory().sparse)
    data.matrix = {data::BorrowedCsr{open->sparse_view(), open, open.get()}};
  else
    data.matrix = {data::BorrowedDense{open->dense_view(), open, open.get()}};
  return data;
}

FcbSummary check_fcb(const std::filesystem::path& file) {
  const FcbFile open(file);
  const FcbDirectory& directory = open.directory();
  open.admit({0, directory.rows});
  open.labels();
  open.names();
  open.check_gaps();
  if (directory.sparse) open.check_tiles();
  return {directory.sparse,  directory.find(Section::labels) != nullptr,
          directory.rows,    directory.cols,
          directory.numbers, open.size()};
}

}  // namespace fcbio::io
