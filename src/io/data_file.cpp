#include "io/data_file.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "io/compressed_file.hpp"
#include "io/fcb_file.hpp"
#include "io/fcb_format.hpp"
#include "io/libsvm.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"

namespace fcbio::io {

namespace {

enum class Cells : std::uint8_t { numbers, any };

DataFile from_libsvm(TextBlocks& text) {
  LibsvmData data = read_libsvm(text);
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

/// Formats that are read as a whole.  All others are LIBSVM text, or the binary form.
struct Format {
  std::string_view ending;
  DataFile (*read)(const TextSource&, Cells);
};
constexpr Format kFormats[] = {
    {".csv", from_csv}, {".tsv", from_tsv}, {".npy", from_npy}, {".mtx", from_matrix_market}};
constexpr std::string_view kLibsvmEndings[] = {".svm", ".libsvm", ".txt"};

[[noreturn]] void refuse_ending(const std::string& name, const std::string& ending) {
  std::string known;
  for (const std::string_view libsvm : kLibsvmEndings) known += std::string(libsvm) + ", ";
  for (const Format& format : kFormats) known += std::string(format.ending) + ", ";
  known += kFcbEnding;
  refuse(
      {{}, name}, 0, "a file name that ends in " + known + " (then .gz, .xz, .zst if compressed), or LIBSVM text",
      ending.empty() ? "no ending and other contents" : "the ending " + in_quotes(ending) + " and other contents",
      "give the file the ending of its format");
}

bool is_other_format(const std::string& ending) {
  const auto has_ending = [&ending](const Format& format) { return ending == format.ending; };
  return ending == kFcbEnding || std::any_of(std::begin(kFormats), std::end(kFormats), has_ending);
}

DataFile read_file(const std::filesystem::path& file, Cells cells, const ReadProgress& progress) {
  const std::string ending = format_ending(file);
  if (ending == kFcbEnding) return read_fcb(file);
  return within_memory(file, [&] {
    if (const auto text = open_libsvm(file, room_for_text(), progress)) return from_libsvm(*text);
    const std::string bytes = read_whole_file(file);
    const auto* format = std::find_if(std::begin(kFormats), std::end(kFormats),
                                      [&ending](const Format& known) { return ending == known.ending; });
    return format->read({bytes, file.string()}, cells);
  });
}

}  // namespace

std::unique_ptr<FileBlocks> open_libsvm(const std::filesystem::path& file, std::uint64_t largest,
                                        const ReadProgress& progress) {
  const std::string ending = format_ending(file);
  if (is_other_format(ending)) return nullptr;
  auto text = std::make_unique<FileBlocks>(file, largest, progress);
  if (std::find(std::begin(kLibsvmEndings), std::end(kLibsvmEndings), ending) == std::end(kLibsvmEndings) &&
      !looks_like_libsvm(text->head()))
    refuse_ending(text->name(), ending);
  return text;
}

DataFile read_data_file(const std::filesystem::path& file, const ReadProgress& progress) {
  return read_file(file, Cells::numbers, progress);
}

DataFile read_table_file(const std::filesystem::path& file, const ReadProgress& progress) {
  return read_file(file, Cells::any, progress);
}

DataFile read_data_into_memory(const std::filesystem::path& file) {
  DataFile data = read_data_file(file);
  if (!data.matrix.is_owned()) data.matrix = data.matrix.owned();
  return data;
}

}  // namespace fcbio::io
