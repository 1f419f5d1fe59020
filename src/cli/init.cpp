// fcbio init DATAFILE: looks at a data file and writes a problem file for it, with comments, that can be solved as
// it is.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/flags.hpp"
#include "data/input_error.hpp"
#include "fcbio/error.hpp"
#include "io/atomic_file.hpp"
#include "io/data_columns.hpp"
#include "io/problem_text.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kInitHelpEnd =
    "The target is the column that --target names, else one called label, target, class or y, else the last. Two\n"
    "values make it a classification, more a regression.\n"
    "\n"
    "Examples:\n"
    "  fcbio init people.csv --target income -o PROBLEM.toml\n"
    "  fcbio solve PROBLEM.toml --solution x.csv";

/// What was seen in a data file.
struct Sight {
  std::string target;    ///< the value of the key; empty: the labels of the file are it
  bool classes = false;  ///< two values
  bool texts = false;    ///< in features
  bool missing = false;
  bool sparse = false;
  bool named = false;  ///< columns have names
  Index rows = 0, features = 0;
};

Index target_column(const io::DataFile& file, const std::string& asked) {
  const std::vector<std::string>& names = file.column_names;
  const auto find = [&names](std::string_view name) {
    return std::find_if(names.begin(), names.end(),
                        [&](const std::string& own) { return lower_case(own) == name; });
  };
  if (!asked.empty()) {
    const auto found = std::find(names.begin(), names.end(), asked);
    if (found != names.end()) return static_cast<Index>(found - names.begin());
    std::int64_t number = -1;
    if (std::all_of(asked.begin(), asked.end(), [](char c) { return c >= '0' && c <= '9'; }))
      number = count_number("--target", asked);
    if (number < 0 || number >= file.matrix.cols())
      throw InvalidArgument(fmt::format("--target: expected a column{}, found '{}'",
                                        names.empty() ? fmt::format(" 0 .. {}", file.matrix.cols() - 1)
                                                      : fmt::format(" ({})", fmt::join(names, ", ")),
                                        asked));
    return static_cast<Index>(number);
  }
  for (const char* usual : {"label", "target", "class", "y"})
    if (const auto found = find(usual); found != names.end()) return static_cast<Index>(found - names.begin());
  return file.matrix.cols() - 1;
}

Sight look_at(const io::DataFile& file, const std::string& asked) {
  Sight sight;
  sight.rows = file.matrix.rows();
  sight.sparse = file.matrix.is_sparse();
  std::set<std::string> values;
  sight.named = !file.column_names.empty();
  if (sight.sparse || file.labels.size() > 0) {
    if (!asked.empty())
      throw InvalidArgument(fmt::format("--target: expected none for {}, whose labels come with it",
                                        sight.sparse ? "sparse data" : "this data"));
    sight.features = file.matrix.cols();
    for (const double label : file.labels)
      if (values.size() <= 2) values.insert(fmt::format("{}", label));
    if (file.labels.size() == 0) sight.target = "{constant = 1.0}";
    sight.classes = values.size() == 2;
    return sight;
  }
  if (file.matrix.cols() < 2)
    throw InvalidArgument("init: expected a file with at least two columns, the target one of them, found one");
  const Index column = target_column(file, asked);
  sight.features = file.matrix.cols() - 1;
  sight.target = file.column_names.empty() ? fmt::format("{}", column)
                                           : io::toml_string(file.column_names[static_cast<std::size_t>(column)]);
  std::vector<bool> is_text(static_cast<std::size_t>(sight.rows), false);
  for (const io::TextCell& cell : file.texts) {
    if (cell.column == column) is_text[static_cast<std::size_t>(cell.row)] = true;
    if (io::says_missing(cell.text))
      sight.missing = true;
    else if (cell.column == column)
      values.insert(cell.text);
    else
      sight.texts = true;
  }
  file.matrix.read([&]<class View>(const View& numbers) {
    if constexpr (std::is_same_v<View, DenseView>)
      for (Index i = 0; i < sight.rows && values.size() <= 2; ++i)
        if (!is_text[static_cast<std::size_t>(i)]) values.insert(fmt::format("{}", numbers(i, column)));
  });
  sight.classes = values.size() == 2;
  return sight;
}

std::string problem_for(const Sight& sight, const std::string& data) {
  std::string text = fmt::format(
      "# {} with {} rows and {} features; written by fcbio init.\n"
      "# Of all x that {} these rows best, the shortest. Solve it with: fcbio solve FILE --solution x.csv\n\n"
      "[domain]                # Z: where x may lie; 'fcbio sets' lists the sets\n"
      "set = \"ball\"\n"
      "radius = 100.0          # large enough that it does not matter, small enough to mean something\n\n"
      "[upper]                 # f: which of the best x; 'fcbio functions' lists the functions\n"
      "function = \"squared-norm\"\n"
      "# function = \"l1-norm\"  # few features instead of small numbers\n",
      data, sight.rows, sight.features, sight.classes ? "classify" : "fit");
  if (sight.named) text += "# weights = {intercept = 0}   # do not penalise the intercept\n";
  text += fmt::format(
      "\n[lower]                 # g: what comes first\n"
      "function = \"{}\"\n"
      "data = {}\n",
      sight.classes ? "logistic" : "least-squares", io::toml_string(data));
  if (!sight.target.empty()) text += fmt::format("target = {}\n", sight.target);
  if (!sight.sparse) text += "# drop = []             # columns that are no features, an id for instance\n";
  if (sight.texts) text += "categories = \"auto\"     # each text becomes a column of 0 and 1\n";
  if (sight.missing) text += "missing = \"drop-rows\"   # or \"mean\"\n";
  if (sight.sparse)
    text += "scale = true            # columns divided by their standard deviations\nintercept = true\n";
  else
    text +=
        "standardize = true      # columns with mean 0 and deviation 1: x is in these units\n"
        "intercept = true        # a column of ones\n";
  text +=
      "average = true          # the mean over rows, so that accuracies do not depend on their number\n"
      "# rows = \"0:1000\"       # some of the rows, after shuffle = SEED\n\n"
      "[accuracy]              # 'fcbio help accuracy'\n"
      "upper = 1e-3            # f(x) - f* at most this\n"
      "lower = 1e-6            # g(x) - g* at most this\n\n"
      "[limits]\n"
      "time = 60               # seconds\n";
  return text;
}

class Init : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("init", "write a problem file, with comments, for a data file");
    command.text("DATAFILE", data_, "a data file: .csv, .tsv, .svm, .npy, .mtx, also .gz, .xz, .zst; .fcb", "",
                 Need::required);
    command.text("-o,--output", output_, "write it here instead of to the terminal; a file that exists is kept",
                 "FILE");
    command.text("--target", target_, "the column to predict, by name or number", "COLUMN");
    command.footer(kInitHelpEnd);
  }

  int run() override {
    if (!output_.empty()) {
      check_writable("--output", output_);
      if (std::filesystem::exists(output_))
        throw InvalidArgument(
            fmt::format("--output {}: the file exists; give another name, or remove it", output_));
    }
    const Sight sight = look_at(io::read_table_file(data_), target_);
    const std::filesystem::path from =
        output_.empty() ? std::filesystem::path(".") : std::filesystem::absolute(output_).parent_path();
    const std::filesystem::path relative = std::filesystem::absolute(data_).lexically_normal().lexically_relative(
        std::filesystem::absolute(from).lexically_normal());
    const std::string name =
        relative.empty() ? std::filesystem::absolute(data_).string() : relative.generic_string();
    const std::string text = problem_for(sight, name);
    if (output_.empty()) {
      fmt::print("{}", text);
      return kSuccess;
    }
    io::write_file_atomically(output_, text);
    fmt::print("wrote {}; next: fcbio solve {}\n", output_, output_);
    return kSuccess;
  }

 private:
  std::string data_, output_, target_;
};

}  // namespace

std::unique_ptr<Command> init_command() { return std::make_unique<Init>(); }

}  // namespace fcbio::cli
