// fcbio functions [NAME] and fcbio sets [NAME]: what a problem file can be made of, with the keys of each.
#include "cli/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/text.hpp"
#include "core/nearest_name.hpp"
#include "fcbio/error.hpp"

namespace fcbio::cli {
namespace {

class Kinds : public Command {
 public:
  Kinds(std::string command, std::string word, std::string table, std::string example,
        std::vector<io::KindInfo> kinds)
      : command_(std::move(command)),
        word_(std::move(word)),
        table_(std::move(table)),
        example_(std::move(example)),
        kinds_(std::move(kinds)) {}

  void attach(CommandLine& program) override {
    Arguments& command = program.add_command(
        command_, fmt::format("list the {} of a problem file, or one with its keys", command_));
    command.text("NAME", name_, fmt::format("a {}: print its keys", word_), "");
    command.footer(fmt::format("Examples:\n  fcbio {0}\n  fcbio {0} {1}", command_, example_));
  }

  int run() override {
    if (!name_.empty()) {
      fmt::print("{}", kind_in_words(find_kind(kinds_, word_, name_), word_, table_));
      return kSuccess;
    }
    std::vector<std::pair<std::string, std::string>> rows;
    for (const io::KindInfo& kind : kinds_) rows.emplace_back(kind.name, kind.meaning);
    fmt::print("{}\n'fcbio {} NAME' tells the keys.\n", two_columns(rows), command_);
    return kSuccess;
  }

 private:
  std::string command_, word_, table_, example_;
  std::vector<io::KindInfo> kinds_;
  std::string name_;
};

}  // namespace

const io::KindInfo& find_kind(const std::vector<io::KindInfo>& kinds, const std::string& word,
                              const std::string& name) {
  std::vector<std::string> names;
  for (const io::KindInfo& kind : kinds) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  throw InvalidArgument(
      fmt::format("unknown {} '{}'{}; run 'fcbio {}s'", word, name, did_you_mean(name, names), word));
}

std::string kind_in_words(const io::KindInfo& kind, const std::string& word, const std::string& table) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const io::KeyInfo& key : kind.keys)
    rows.emplace_back(key.name, fmt::format("{}{}[{}; {}]", key.meaning, key.meaning.empty() ? "" : " ", key.takes,
                                            key.fallback.empty() ? "must be given" : "default " + key.fallback));
  return fmt::format("{}\n{}\nkeys, beside {} = \"{}\" in {}\n{}", kind.name, wrap(kind.meaning, 2), word,
                     kind.name, table, two_columns(rows));
}

std::unique_ptr<Command> functions_command() {
  return std::make_unique<Kinds>("functions", "function", "[upper] or [lower]", "logistic", io::function_kinds());
}

std::unique_ptr<Command> sets_command() {
  return std::make_unique<Kinds>("sets", "set", "[domain]", "ball", io::set_kinds());
}

}  // namespace fcbio::cli
