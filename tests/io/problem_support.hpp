// A directory for one test of problem files: gone when the test is done.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "build/problem.hpp"
#include "data/input_error.hpp"
#include "io/problem_file.hpp"

namespace fcbio::io {

class ProblemDirectory {
 public:
  ProblemDirectory() {
    // In memory where that exists: every file written is also flushed, which a disk takes its time for.
    const std::filesystem::path memory = "/dev/shm";
    const bool has_memory = access(memory.c_str(), W_OK) == 0;
    std::string pattern =
        ((has_memory ? memory : std::filesystem::temp_directory_path()) / "fcbio-problem-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = pattern;
  }
  ~ProblemDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ProblemDirectory(const ProblemDirectory&) = delete;
  ProblemDirectory& operator=(const ProblemDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  std::string contents(const std::string& name) const {
    std::ifstream stream(path_ / name, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  data::Problem read(const std::string& toml) const { return read_problem(write("p.toml", toml)); }
  /// The message of the InputError that reading (and, if that succeeds, building) ends with; the directory is
  /// taken out of it.  "accepted" without one.
  std::string refusal(const std::string& toml) const {
    try {
      build::make_problem(read(toml));
    } catch (const InputError& error) {
      std::string message = error.what();
      const std::string prefix = path_.string() + "/";
      for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix))
        message.erase(at, prefix.size());
      return message;
    }
    return "accepted";
  }

 private:
  std::filesystem::path path_;
};

}  // namespace fcbio::io
