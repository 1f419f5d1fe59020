#include "io/data_file.hpp"

#include <utility>

#include "io/compressed_file.hpp"
#include "io/libsvm.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"

namespace fcbio::io {

namespace {

enum class Cells : std::uint8_t { numbers, any };

DataFile from_libsvm(const TextSource& source, Cells) {
  LibsvmData data = parse_libsvm(source);
  return {{std::move(data.matrix)}, std::move(data.labels), {}, {}};
}

DataFile from_separated(const TextSource& source, Cells cells, std::optional<char> separator) {
  CsvTable table;
  if (cells == Cells::any)
    table = parse_csv_table(source, separator);
  else
    table.data = parse_csv(source, separator);
  return {{std::move(table.data.matrix)}, {}, std::move(table.data.column_names), std::move(table.texts)};
}

DataFile from_csv(const TextSource& source, Cells cells) { return from_separated(source, cells, std::nullopt); }
DataFile from_tsv(const TextSource& source, Cells cells) { return from_separated(source, cells, '\t'); }

DataFile from_npy(const TextSource& source, Cells) {
  NpyArray array = parse_npy(source);
  if (array.dimensions != 2) {
    refuse(source, 0, "a 2-D array (rows x columns)", "a 1-D array",
           "reshape it, for one column with .reshape(-1, 1)");
  }
  return {{std::move(array.values)}, {}, {}, {}};
}

DataFile from_matrix_market(const TextSource& source, Cells) { return {parse_matrix_market(source), {}, {}, {}}; }

struct Format {
  std::string_view ending;
  DataFile (*read)(const TextSource&, Cells);
};

constexpr Format kFormats[] = {
    {".svm", from_libsvm}, {".libsvm", from_libsvm}, {".txt", from_libsvm},        {".csv", from_csv},
    {".tsv", from_tsv},    {".npy", from_npy},       {".mtx", from_matrix_market},
};

DataFile read_file(const std::filesystem::path& file, Cells cells) {
  const std::string bytes = read_whole_file(file);
  const TextSource source{bytes, file.string()};
  const std::string ending = format_ending(file);
  for (const Format& format : kFormats) {
    if (ending == format.ending) return format.read(source, cells);
  }
  if (looks_like_libsvm(source.text)) return from_libsvm(source, cells);
  std::string known;
  for (const Format& format : kFormats) known += (known.empty() ? "" : ", ") + std::string(format.ending);
  refuse(
      source, 0, "a file name that ends in " + known + " (then .gz, .xz, .zst if compressed), or LIBSVM text",
      ending.empty() ? "no ending and other contents" : "the ending " + in_quotes(ending) + " and other contents",
      "give the file the ending of its format");
}

}  // namespace

DataFile read_data_file(const std::filesystem::path& file) { return read_file(file, Cells::numbers); }
DataFile read_table_file(const std::filesystem::path& file) { return read_file(file, Cells::any); }

}  // namespace fcbio::io
