// What the shared library exports: the public interface, and nothing of our own that include/fcbio does not name.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fcbio {
namespace {

/// Every word of the public headers outside of comments.
std::set<std::string> public_words() {
  std::set<std::string> words;
  const std::regex word(R"([A-Za-z_]\w*)"), comment(R"(//[^\n]*)");
  for (const auto& entry : std::filesystem::directory_iterator(FCBIO_SOURCE_DIR "/include/fcbio")) {
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const std::string code = std::regex_replace(text, comment, "");
    for (std::sregex_iterator at(code.begin(), code.end(), word), end; at != end; ++at) words.insert(at->str());
  }
  return words;
}

/// Demangled names of what the library defines for others, one per line of nm.
std::vector<std::string> exported_symbols() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nm(
      ::popen("nm -DC --defined-only --format=posix '" FCBIO_LIBRARY "'", "r"), ::pclose);
  std::vector<std::string> lines;
  std::array<char, 1 << 14> line{};
  while (nm && std::fgets(line.data(), line.size(), nm.get()) != nullptr) lines.emplace_back(line.data());
  return lines;
}

TEST(Exports, AreNamedInThePublicHeaders) {
  const std::set<std::string> words = public_words();
  ASSERT_TRUE(words.contains("Problem"));
  // "fcbio::Oracle::value", "typeinfo for fcbio::sets::Ball", "fcbio::(anonymous namespace)::x"
  const std::regex ours(R"(fcbio::([A-Za-z_]\w*|\())");
  for (const std::string& symbol : exported_symbols())
    for (std::sregex_iterator at(symbol.begin(), symbol.end(), ours), end; at != end; ++at)
      EXPECT_TRUE(words.contains((*at)[1])) << "exported, but not public: " << symbol;
}

TEST(Exports, HoldTheInterface) {
  std::string all;
  for (const std::string& symbol : exported_symbols()) all += symbol;
  for (const char* name :
       {"fcbio::solve(", "fcbio::methods()", "fcbio::least_squares(", "fcbio::ball(", "fcbio::dense_map(",
        "fcbio::to_csr(", "fcbio::check_function(", "fcbio::Monitor::stop(", "fcbio::Problem::Problem(",
        "fcbio::Function::value(", "fcbio::ThreadScope::ThreadScope(", "typeinfo for fcbio::InvalidArgument",
        "vtable for fcbio::Term"})
    EXPECT_NE(all.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace fcbio
