// Files appear complete or not at all.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <string>
#include <vector>

#include "data_support.hpp"
#include "io/atomic_file.hpp"
#include "io/csv.hpp"
#include "io/libsvm.hpp"
#include "io/npy.hpp"

namespace fcbio::io {
namespace {

using testing::contents_of;
using testing::refusal;
using testing::ScratchDirectory;

std::size_t file_count(const std::filesystem::path& directory) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory)) ++count;
  return count;
}

/// Lets no file grow beyond a size, as a full disk would.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    previous_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &previous_);
    rlimit limit = previous_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &previous_);
    std::signal(SIGXFSZ, previous_handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit previous_{};
  void (*previous_handler_)(int) = SIG_DFL;
};

TEST(AtomicFile, ReplacesAndLeavesNothingElse) {
  const ScratchDirectory directory;
  const auto file = directory / "out.txt";
  write_file_atomically(file, "first");
  EXPECT_EQ(contents_of(file), "first");
  write_file_atomically(file, "second, longer");
  EXPECT_EQ(contents_of(file), "second, longer");
  write_file_atomically(file, "");
  EXPECT_EQ(contents_of(file), "");
  EXPECT_EQ(file_count(directory.path()), 1U);
}

TEST(AtomicFile, NothingIsSeenBeforeCommit) {
  const ScratchDirectory directory;
  const auto file = directory.file("out.txt", "old");
  {
    AtomicFile output(file);
    output.write("new ");
    output.write("text");
    EXPECT_EQ(contents_of(file), "old");
    output.commit();
    EXPECT_EQ(contents_of(file), "new text");
  }
  EXPECT_EQ(contents_of(file), "new text");
  EXPECT_EQ(file_count(directory.path()), 1U);
}

TEST(AtomicFile, WithoutCommitNothingHappened) {
  const ScratchDirectory directory;
  const auto file = directory.file("out.txt", "old");
  {
    AtomicFile output(file);
    output.write("new");
  }
  { AtomicFile output(directory / "other.txt"); }
  EXPECT_EQ(contents_of(file), "old");
  EXPECT_EQ(file_count(directory.path()), 1U);
}

TEST(AtomicFile, AFailedWriteKeepsTheOldFile) {
  const ScratchDirectory directory;
  const auto file = directory.file("out.txt", "old");
  std::string message;
  {
    const FileSizeLimit limit(1000);
    message = refusal([&] { write_file_atomically(file, std::string(5000, 'x')); });
  }
  EXPECT_EQ(message, file.string() +
                         ": expected a path that can be written, found write failed: File too large; check "
                         "that the directory exists, is writable and has space");
  EXPECT_EQ(contents_of(file), "old");
  EXPECT_EQ(file_count(directory.path()), 1U);
}

TEST(AtomicFile, PathsThatCannotBeWritten) {
  const ScratchDirectory directory;
  const std::string remedy = "; check that the directory exists, is writable and has space";
  const auto lost = directory / "missing/out.txt";
  EXPECT_EQ(refusal([&] { write_file_atomically(lost, "x"); }),
            lost.string() +
                ": expected a path that can be written, found create failed: No such file or directory" + remedy);
  EXPECT_EQ(refusal([&] { write_file_atomically(directory.path(), "x"); }),
            directory.path().string() +
                ": expected a path that can be written, found open failed: Is a directory" + remedy);
  const auto below_file = directory.file("file", "old") / "out.txt";
  EXPECT_EQ(refusal([&] { write_file_atomically(below_file, "x"); }),
            below_file.string() + ": expected a path that can be written, found create failed: Not a directory" +
                remedy);
  EXPECT_EQ(file_count(directory.path()), 1U);
}

TEST(AtomicFile, DevicesAreWrittenNotReplaced) {
  write_file_atomically("/dev/null", "x");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_NE(refusal([] { write_file_atomically("/dev/full", "x"); }).find("No space left on device"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFile, LinksAndPermissionsStay) {
  const ScratchDirectory directory;
  const auto file = directory.file("real.txt", "old");
  std::filesystem::permissions(file, std::filesystem::perms(0640));
  std::filesystem::create_symlink("real.txt", directory / "link.txt");
  write_file_atomically(directory / "link.txt", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link.txt"));
  EXPECT_EQ(contents_of(file), "new");
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(file_count(directory.path()), 2U);
}

TEST(AtomicFile, NewFilesFollowTheUmask) {
  const ScratchDirectory directory;
  const mode_t previous = ::umask(027);
  write_file_atomically(directory / "new.txt", "x");
  ::umask(previous);
  EXPECT_EQ(std::filesystem::status(directory / "new.txt").permissions(), std::filesystem::perms(0640));
}

TEST(AtomicFile, RelativePaths) {
  const ScratchDirectory directory;
  const auto previous = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  write_file_atomically("plain.txt", "x");
  write_file_atomically("plain.txt", "y");
  std::filesystem::current_path(previous);
  EXPECT_EQ(contents_of(directory / "plain.txt"), "y");
}

TEST(AtomicFile, AllWritersGoThroughIt) {
  const ScratchDirectory directory;
  CsrMatrix matrix;
  matrix.rows = 1;
  matrix.cols = 2;
  matrix.starts = {0, 1};
  matrix.columns = {1};
  matrix.values = {0.5};
  write_libsvm(directory / "a.svm", matrix, Vector::Ones(1));
  write_csv(directory / "a.csv", RowMajorMatrix::Ones(1, 2), {"u", "v"});
  write_npy(directory / "a.npy", RowMajorMatrix(RowMajorMatrix::Ones(1, 2)));
  write_npy(directory / "b.npy", Vector(Vector::Ones(2)));
  EXPECT_EQ(contents_of(directory / "a.svm"), "1 2:0.5\n");
  EXPECT_EQ(contents_of(directory / "a.csv"), "\"u\",\"v\"\n1,1\n");
  EXPECT_EQ(contents_of(directory / "a.npy"), format_npy(RowMajorMatrix(RowMajorMatrix::Ones(1, 2))));
  EXPECT_EQ(contents_of(directory / "b.npy"), format_npy(Vector(Vector::Ones(2))));
  EXPECT_EQ(file_count(directory.path()), 4U);
}

TEST(InputErrorText, PartsThatAreEmptyAreLeftOut) {
  EXPECT_STREQ(InputError({"f", 3, "a", "b", "c"}).what(), "f:3: expected a, found b; c");
  EXPECT_STREQ(InputError({"f", 0, "a", "b", "c"}).what(), "f: expected a, found b; c");
  EXPECT_STREQ(InputError({"", 0, "a", "b", "c"}).what(), "expected a, found b; c");
  EXPECT_STREQ(InputError({"f", 0, "", "b", "c"}).what(), "f: found b; c");
  EXPECT_STREQ(InputError({"f", 0, "a", "", "c"}).what(), "f: expected a; c");
  EXPECT_STREQ(InputError({"f", 0, "a", "b", ""}).what(), "f: expected a, found b");
  EXPECT_STREQ(InputError({"f", 2, "", "", "c"}).what(), "f:2: c");
}

}  // namespace
}  // namespace fcbio::io
