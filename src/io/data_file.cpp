#include "io/data_file.hpp"

#include <utility>

#include "io/compressed_file.hpp"
#include "io/csv.hpp"
#include "io/libsvm.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"

namespace fcbio::io {

namespace {

DataFile from_libsvm(const TextSource& source) {
  LibsvmData data = parse_libsvm(source);
  return {{std::move(data.matrix)}, std::move(data.labels), {}};
}

DataFile from_csv(const TextSource& source) {
  CsvData data = parse_csv(source);
  return {{std::move(data.matrix)}, {}, std::move(data.column_names)};
}

DataFile from_npy(const TextSource& source) {
  NpyArray array = parse_npy(source);
  if (array.dimensions != 2) {
    refuse(source, 0, "a 2-D array (rows x columns)", "a 1-D array",
           "reshape it, for one column with .reshape(-1, 1)");
  }
  return {{std::move(array.values)}, {}, {}};
}

DataFile from_matrix_market(const TextSource& source) { return {parse_matrix_market(source), {}, {}}; }

struct Format {
  std::string_view ending;
  DataFile (*read)(const TextSource&);
};

constexpr Format kFormats[] = {
    {".svm", from_libsvm}, {".libsvm", from_libsvm}, {".txt", from_libsvm},
    {".csv", from_csv},    {".npy", from_npy},       {".mtx", from_matrix_market},
};

}  // namespace

DataFile read_data_file(const std::filesystem::path& file) {
  const std::string bytes = read_whole_file(file);
  const TextSource source{bytes, file.string()};
  const std::string ending = format_ending(file);
  for (const Format& format : kFormats) {
    if (ending == format.ending) return format.read(source);
  }
  if (looks_like_libsvm(source.text)) return from_libsvm(source);
  std::string known;
  for (const Format& format : kFormats) known += (known.empty() ? "" : ", ") + std::string(format.ending);
  refuse(
      source, 0, "a file name that ends in " + known + " (then .gz, .xz, .zst if compressed), or LIBSVM text",
      ending.empty() ? "no ending and other contents" : "the ending " + in_quotes(ending) + " and other contents",
      "give the file the ending of its format");
}

}  // namespace fcbio::io
