#include "io/fcb_convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <vector>

#include "fcbio/error.hpp"
#include "io/fcb_format.hpp"
#include "io/libsvm.hpp"
#include "io/map_plan_words.hpp"
#include "io/problem_select.hpp"
#include "io/section_spool.hpp"
#include "linalg/stored_map.hpp"

namespace fcbio::io {

namespace {

/// The numbers of tiles on their way into three sections.
class TileSpool : public TileSink {
 public:
  TileSpool(Section values, Section places, Section owners, const std::filesystem::path& target)
      : values_(values, target), places_(places, target), owners_(owners, target) {}

  void take(const TileNumbers& piece) override {
    values_.append(piece.values);
    places_.append(piece.places);
    owners_.append(piece.owners);
  }
  TileNumbers finish() {
    for (SectionSpool* spool : sections()) spool->finish();
    return {values_.array<double>(), places_.array<std::uint16_t>(), owners_.array<std::uint16_t>()};
  }
  std::vector<SectionSpool*> sections() { return {&values_, &places_, &owners_}; }

 private:
  SectionSpool values_, places_, owners_;
};

/// Puts finished sections behind each other.
class FcbWriter {
 public:
  explicit FcbWriter(const std::filesystem::path& file) : file_(file) { write(std::string(kFcbHeader, '\0')); }

  void add(const SectionSpool& section) {
    write(std::string((kFcbAlignment - length_ % kFcbAlignment) % kFcbAlignment, '\0'));
    directory.sections.push_back(section.write_to(file_, length_));
    length_ += section.size();
  }
  std::uint64_t finish() {
    const std::string bytes = encode_directory(directory);
    const std::uint64_t offset = length_;
    write(bytes);
    const auto header = encode_header(bytes, offset, length_);
    file_.write_at(0, {header.data(), header.size()});
    file_.commit();
    return length_;
  }
  FcbDirectory directory;

 private:
  void write(std::string_view bytes) {
    file_.write(bytes);
    length_ += bytes.size();
  }
  AtomicFile file_;
  std::uint64_t length_ = 0;
};

FcbSummary finish(FcbWriter& writer) {
  const FcbDirectory& directory = writer.directory;
  FcbSummary summary{directory.sparse,  directory.find(Section::labels) != nullptr,
                     directory.rows,    directory.cols,
                     directory.numbers, 0};
  summary.bytes = writer.finish();
  return summary;
}

/// Sparse rows, some at a time; then their tiles.
class SparseConverter {
 public:
  explicit SparseConverter(const std::filesystem::path& result)
      : result_(result),
        labels_(Section::labels, result),
        starts_(Section::starts, result),
        columns_(Section::columns, result),
        values_(Section::values, result) {
    start(0);
  }

  /// `ends` are those of the rows among these numbers.
  void add(std::span<const double> labels, std::span<const std::int64_t> ends,
           std::span<const std::int32_t> columns, std::span<const double> values) {
    const std::int64_t before = numbers_;
    for (const std::int64_t end : ends) start(before + end);
    labels_.append(labels);
    columns_.append(columns);
    values_.append(values);
    rows_ += static_cast<Index>(ends.size());
  }

  /// Refuses (InvalidArgument) what no map is made of.
  FcbSummary finish(Index cols) {
    for (SectionSpool* spool : {&labels_, &starts_, &columns_, &values_}) spool->finish();
    const CsrView rows{rows_, cols, starts_.array<std::int64_t>(), columns_.array<std::int32_t>(),
                       values_.array<double>()};
    TileSpool transposed(Section::transposed_values, Section::transposed_places, Section::transposed_owners,
                         result_);
    TileSpool forward(Section::forward_values, Section::forward_places, Section::forward_owners, result_);
    SparseMapPlan map = spill_sparse_map(rows, transposed);
    spill_second_half(map, transposed.finish(), forward);
    forward.finish();
    SectionSpool plan(Section::plan, result_);
    plan.append(std::span<const std::uint64_t>(words_of(map)));
    plan.finish();

    FcbWriter writer(result_);
    writer.directory.sparse = true;
    writer.directory.rows = rows_;
    writer.directory.cols = cols;
    writer.directory.numbers = rows.nonzeros();
    writer.directory.tile_layout = kTileLayout;
    if (labels_.size() > 0) writer.add(labels_);
    for (const SectionSpool* spool : {&starts_, &columns_, &values_, &plan}) writer.add(*spool);
    for (const SectionSpool* spool : transposed.sections()) writer.add(*spool);
    for (const SectionSpool* spool : forward.sections()) writer.add(*spool);
    return io::finish(writer);
  }

 private:
  void start(std::int64_t place) {
    starts_.append(std::span<const std::int64_t>(&place, 1));
    numbers_ = place;
  }

  std::filesystem::path result_;
  SectionSpool labels_, starts_, columns_, values_;
  Index rows_ = 0;
  std::int64_t numbers_ = 0;
};

/// The column that `target` names, by name or number.
Index find_column(const std::filesystem::path& source, const DataFile& data, const std::string& target) {
  const auto named = std::find(data.column_names.begin(), data.column_names.end(), target);
  if (named != data.column_names.end()) return named - data.column_names.begin();
  Index column = -1;
  const char* const end = target.data() + target.size();
  const auto [used, error] = std::from_chars(target.data(), end, column);
  if (error != std::errc{} || used != end || column < 0 || column >= data.matrix.cols())
    throw InputError({source.string(), 0,
                      fmt::format("a column 0 .. {}{} as --target", data.matrix.cols() - 1,
                                  data.column_names.empty() ? "" : " or its name"),
                      "\"" + target + "\"", ""});
  return column;
}

FcbSummary convert_dense(const std::filesystem::path& source, const std::filesystem::path& result, DataFile data,
                         const ConvertOptions& options) {
  auto& matrix = std::get<RowMajorMatrix>(data.matrix.matrix);
  if (!options.target.empty()) {
    const Index column = find_column(source, data, options.target);
    if (matrix.cols() == 1)
      throw InputError({source.string(), 0, "a column besides the target", "one column", ""});
    data.labels = take_column(matrix, column);
    if (!data.column_names.empty()) data.column_names.erase(data.column_names.begin() + column);
  }
  SectionSpool labels(Section::labels, result), names(Section::names, result), dense(Section::dense, result);
  labels.append(std::span<const double>(data.labels.data(), static_cast<std::size_t>(data.labels.size())));
  for (const std::string& name : data.column_names) {
    const std::uint64_t length = name.size();
    names.append(std::span<const std::uint64_t>(&length, 1));
    names.append(std::string_view(name));
  }
  dense.append(std::span<const double>(matrix.data(), static_cast<std::size_t>(matrix.size())));

  FcbWriter writer(result);
  writer.directory.rows = matrix.rows();
  writer.directory.cols = matrix.cols();
  writer.directory.numbers = matrix.size();
  for (SectionSpool* spool : {&labels, &names, &dense}) {
    spool->finish();
    if (spool->size() > 0) writer.add(*spool);
  }
  return finish(writer);
}

void refuse_target(const std::filesystem::path& source, const ConvertOptions& options) {
  if (!options.target.empty())
    throw InputError(
        {source.string(), 0, "a target column only for dense data", "sparse data", "leave --target out"});
}

FcbSummary convert_sparse(const std::filesystem::path& source, const std::filesystem::path& result,
                          const DataFile& data, const ConvertOptions& options) {
  refuse_target(source, options);
  const auto& matrix = std::get<CsrMatrix>(data.matrix.matrix);
  SparseConverter converter(result);
  converter.add({data.labels.data(), static_cast<std::size_t>(data.labels.size())},
                std::span(matrix.starts).subspan(1), matrix.columns, matrix.values);
  return converter.finish(std::max(matrix.cols, options.columns.value_or(0)));
}

FcbSummary convert_libsvm(FileBlocks& text, const std::filesystem::path& source,
                          const std::filesystem::path& result, const ConvertOptions& options) {
  refuse_target(source, options);
  SparseConverter converter(result);
  Index cols = options.columns.value_or(0);
  read_libsvm(text, [&](LibsvmRows&& rows) {
    converter.add(rows.labels, rows.ends, rows.columns, rows.values);
    cols = std::max<Index>(cols, rows.largest_index);
  });
  return converter.finish(cols);
}

}  // namespace

FcbSummary convert_data(const std::filesystem::path& source, const std::filesystem::path& result,
                        const ConvertOptions& options) try {
  if (lower_case(result.extension().string()) != kFcbEnding)
    throw InputError({result.string(), 0, "a name that ends in .fcb", in_quotes(result.extension().string()),
                      "problem files tell formats by the ending"});
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  if (const auto text = open_libsvm(source, kAny, options.progress))
    return convert_libsvm(*text, source, result, options);
  DataFile data = read_data_into_memory(source);
  if (data.matrix.is_sparse()) return convert_sparse(source, result, data, options);
  if (options.columns)
    throw InputError({source.string(), 0, "--columns only for sparse data", "dense data", "leave --columns out"});
  return convert_dense(source, result, std::move(data), options);
} catch (const InvalidArgument& refusal) {
  throw InputError({source.string(), 0, {}, {}, refusal.what()});
}

}  // namespace fcbio::io
