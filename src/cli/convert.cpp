// fcbio convert DATA RESULT.fcb: data in the binary form, which is used where it lies.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/flags.hpp"
#include "cli/progress.hpp"
#include "fcbio/error.hpp"
#include "fcbio/threads.hpp"
#include "io/fcb_convert.hpp"

namespace fcbio::cli {
namespace {

constexpr const char* kConvertHelpEnd =
    "The result is what `data = \"FILE.fcb\"` of a problem file takes: the same numbers, the same answer to the bit,\n"
    "opened at once and read from the disk as it is used.  LIBSVM text of any size is converted in little memory.\n"
    "\n"
    "Examples:\n"
    "  fcbio convert train.svm.xz train.fcb\n"
    "  fcbio convert table.csv table.fcb --target price\n"
    "  fcbio convert --check train.fcb";

std::string in_words(const io::FcbSummary& summary) {
  return fmt::format("{} x {}, {}, {} stored numbers{}, {} bytes", summary.rows, summary.cols,
                     summary.sparse ? "sparse" : "dense", summary.numbers, summary.labels ? ", labels" : "",
                     summary.bytes);
}

class Convert : public Command {
 public:
  void attach(CommandLine& program) override {
    Arguments& command = program.add_command("convert", "write data in the binary form, or check such a file");
    command.text("DATA", source_, "the data file, of any format that problem files take", "", Need::required);
    command.text("RESULT.fcb", result_, "the file to write", "");
    command.text("--target", target_, "of dense data: the column, by name or number, that becomes the labels",
                 "COLUMN");
    command.text("--columns", columns_, "of sparse data: at least so many columns", "N");
    command.flag("--check", check_, "check every byte of DATA, a .fcb file, and write nothing");
    command.text("--threads", threads_, "threads to use (default 1); the file is the same", "N");
    command.flag("--quiet", quiet_, "print nothing but errors");
    command.footer(kConvertHelpEnd);
  }

  int run() override {
    const ThreadScope scope(thread_number(threads_));
    if (check_) return check();
    if (result_.empty()) throw InvalidArgument("convert: expected the file to write, found none; give RESULT.fcb");
    io::ConvertOptions options;
    options.target = target_;
    if (!columns_.empty()) options.columns = positive_integer("--columns", columns_);
    check_writable("RESULT.fcb", result_);
    std::error_code unknown;  // one of them may not exist
    if (std::filesystem::equivalent(source_, result_, unknown))
      throw InvalidArgument(fmt::format("convert: '{}' is also the data; give another name", result_));
    ReadLine line(quiet_);
    options.progress = line.progress();
    const io::FcbSummary summary = io::convert_data(source_, result_, options);
    line.clear();
    if (!quiet_) fmt::print("wrote {}: {}\n", result_, in_words(summary));
    return kSuccess;
  }

 private:
  int check() {
    if (!result_.empty() || !target_.empty() || !columns_.empty())
      throw InvalidArgument("convert: --check takes one file and nothing else");
    const io::FcbSummary summary = io::check_fcb(source_);
    if (!quiet_) fmt::print("{} is intact: {}\n", source_, in_words(summary));
    return kSuccess;
  }

  std::string source_, result_, target_, columns_;
  std::string threads_ = "1";
  bool check_ = false;
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> convert_command() { return std::make_unique<Convert>(); }

}  // namespace fcbio::cli
