// See process.hpp.  fork and exec, with pipes (or a pseudo-terminal for stderr).
#include "process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fcbio::cli_test {
namespace {

struct Child {
  pid_t process = -1;
  int out = -1;
  int err = -1;
};

[[noreturn]] void execute(const std::filesystem::path& directory, std::string program, const Arguments& arguments,
                          int out, int err) {
  std::vector<char*> argv = {program.data()};
  std::vector<std::string> copies = arguments;
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) ::_exit(127);
  if (::chdir(directory.c_str()) != 0) ::_exit(127);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

Child start(const std::filesystem::path& directory, const std::string& program, const Arguments& arguments,
            int err_read, int err_write) {
  std::array<int, 2> out{};
  if (::pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error("fork");
  if (process == 0) execute(directory, program, arguments, out[1], err_write);
  ::close(out[1]);
  ::close(err_write);
  return {process, out[0], err_read};
}

constexpr std::chrono::seconds kPatience{200};  // a program that hangs must not hang the tests

/// Reads both streams to their ends; `often` is called in between.
Outcome collect(const Child& child, const std::function<void()>& often) {
  Outcome outcome;
  std::array<pollfd, 2> streams = {pollfd{child.out, POLLIN, 0}, pollfd{child.err, POLLIN, 0}};
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (std::chrono::steady_clock::now() > deadline) ::kill(child.process, SIGKILL);
    if (often) often();
    ::poll(streams.data(), streams.size(), 5);
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].fd < 0 || streams[i].revents == 0) continue;
      std::array<char, 4096> buffer{};
      const ssize_t count = ::read(streams[i].fd, buffer.data(), buffer.size());
      if (count > 0) {
        (i == 0 ? outcome.out : outcome.err).append(buffer.data(), static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {  // a terminal ends with EIO
        ::close(streams[i].fd);
        streams[i].fd = -1;
      }
    }
  }
  int status = 0;
  while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace

CliTest::CliTest() {
  std::string pattern = (std::filesystem::temp_directory_path() / "fcbio-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  directory_ = pattern;
}

CliTest::~CliTest() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

Outcome CliTest::run_until(const Arguments& arguments, const std::function<bool()>& started,
                           int signal_number) const {
  return run_program(FCBIO_PROGRAM, arguments, started, signal_number);
}

Outcome CliTest::run_program(const std::string& program, const Arguments& arguments,
                             const std::function<bool()>& started, int signal_number) const {
  std::array<int, 2> err{};
  if (::pipe2(err.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  const Child child = start(directory_, program, arguments, err[0], err[1]);
  bool sent = false;
  return collect(child, [&] {
    if (!started || sent || !started()) return;
    sent = true;
    ::kill(child.process, signal_number);
  });
}

Outcome CliTest::run_on_terminal(const Arguments& arguments) const {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) throw std::runtime_error("pseudo-terminal");
  const int terminal = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) throw std::runtime_error("pseudo-terminal");
  return collect(start(directory_, FCBIO_PROGRAM, arguments, master, terminal), nullptr);
}

void CliTest::write(const std::string& name, const std::string& contents) const {
  std::filesystem::create_directories(path(name).parent_path());
  std::ofstream(path(name), std::ios::binary) << contents;
}

std::string CliTest::read(const std::string& name) const {
  std::ifstream stream(path(name), std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + name);
  std::stringstream contents;
  contents << stream.rdbuf();
  return contents.str();
}

std::vector<std::string> CliTest::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_))
    names.push_back(std::filesystem::relative(entry.path(), directory_).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string CliTest::generate(const std::string& kind, const std::string& name, const Arguments& more) const {
  Arguments arguments = {"generate", kind, "-o", name};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return name + "/PROBLEM.toml";
}

void CliTest::expect_verified(const std::string& problem, const std::string& result) const {
  const Outcome outcome = run({"verify", problem, result});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, testing::HasSubstr("verified"));
}

void CliTest::expect_refused(const Arguments& arguments, const std::vector<std::string>& fragments) const {
  std::string command;
  for (const std::string& argument : arguments) command += " " + argument;
  SCOPED_TRACE("fcbio" + command);
  const std::vector<std::string> before = files();
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_THAT(outcome.err, testing::StartsWith("fcbio: error: "));
  for (const std::string& fragment : fragments) EXPECT_THAT(outcome.err, testing::HasSubstr(fragment));
  EXPECT_EQ(files(), before) << "a refused command left files behind";
}

}  // namespace fcbio::cli_test
