// The problem files of docs/problems.md for real data: each reads and builds on stand-ins of the files it names,
// and has the shape that the page promises.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "build/problem.hpp"
#include "io/npy.hpp"
#include "io/problem_file.hpp"
#include "support/kinds.hpp"

namespace fcbio {
namespace {

/// The ```toml blocks of the page, with the endings of compression taken off.
std::vector<std::string> problem_files() {
  std::ifstream page(std::string(FCBIO_SOURCE_DIR) + "/docs/problems.md");
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```toml") {
      blocks.emplace_back();
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      if (const std::size_t at = line.find(".xz\""); at != std::string::npos) line.erase(at, 3);
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

class Documents : public testing::Test {
 protected:
  Documents()
      : directory_(std::filesystem::temp_directory_path() / ("fcbio-documents-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(directory_);
    write("wikipedia.csv", 1068, [](int i) {
      std::string row = std::to_string(i);
      for (int j = 1; j < 730; ++j) row += j == i % 729 ? ",1" : ",0";
      return row;
    });
    // The last column in one row only, as in real files.
    const auto sparse = [](const char* first, const char* second, int columns) {
      return [=](int i) {
        return std::string(i % 3 == 0 ? first : second) + " 1:1 " + std::to_string(i == 0 ? columns : 2) + ":1";
      };
    };
    write("rcv1_train.binary", 10000, sparse("-1", "+1", 47236));
    write("a1a.t", 1000, sparse("-1", "+1", 123));
    write("mushrooms", 50, sparse("1", "2", 112));
    io::write_npy(directory_ / "start.x0.npy", Vector(Vector::Constant(124, 0.05)));
    io::write_npy(directory_ / "covariance.npy", RowMajorMatrix(RowMajorMatrix::Constant(1, 51, 0.1)));
    io::write_npy(directory_ / "features.npy", RowMajorMatrix(RowMajorMatrix::Ones(10, 51)));
    io::write_npy(directory_ / "polynomial.npy", RowMajorMatrix(RowMajorMatrix::Ones(4, 5456)));
    write("labels.txt", 10, [](int i) { return std::string(i % 2 == 0 ? "1" : "-1"); });
    write("classes.txt", 4, [](int i) { return std::string(i % 2 == 0 ? "1" : "0"); });
  }
  ~Documents() override { std::filesystem::remove_all(directory_); }

  template <class Row>
  void write(const char* name, int rows, const Row& row) const {
    std::ofstream file(directory_ / name);
    for (int i = 0; i < rows; ++i) file << row(i) << '\n';
  }

  std::filesystem::path directory_;
};

TEST_F(Documents, ProblemFilesForRealDataRead) {
  struct Shape {
    const char* domain;
    Index dimension, upper_rows, lower_rows;
  };
  const std::vector<Shape> expected = {
      {"ball", 729, 0, 400},  {"ball", 47236, 5000, 5000}, {"l1-ball", 729, 214, 640}, {"l1-ball", 124, 0, 1000},
      {"l1-ball", 51, 1, 10}, {"ball", 113, 0, 50},        {"ball", 5456, 0, 4},       {"box", 47236, 0, 10000},
  };
  const std::vector<std::string> blocks = problem_files();
  ASSERT_EQ(blocks.size(), expected.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    SCOPED_TRACE(blocks[k]);
    std::ofstream(directory_ / "PROBLEM.toml") << blocks[k];
    const data::Problem data = io::read_problem(directory_ / "PROBLEM.toml");
    EXPECT_EQ(data::name_of(data.domain), expected[k].domain);
    EXPECT_EQ(data.dimension, expected[k].dimension);
    EXPECT_EQ(test::target_of(data.upper.front()).size(), expected[k].upper_rows);
    EXPECT_EQ(test::target_of(data.lower.front()).size(), expected[k].lower_rows);
    EXPECT_EQ(build::make_problem(data).dimension(), expected[k].dimension);
  }
}

}  // namespace
}  // namespace fcbio
