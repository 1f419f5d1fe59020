// Files of n numbers.
#include <gtest/gtest.h>

#include <string>

#include "data_support.hpp"
#include "fcbio/error.hpp"
#include "io/csv.hpp"
#include "io/npy.hpp"
#include "io/vector_file.hpp"

namespace fcbio::io {
namespace {

using testing::refusal;
using testing::ScratchDirectory;

Vector three() { return (Vector(3) << 1.5, -2.0, 0.1).finished(); }

TEST(VectorFile, EveryForm) {
  const ScratchDirectory directory;
  const auto read = [&](std::string_view name, std::string_view contents) {
    return read_vector_file(directory.file(name, contents));
  };
  EXPECT_EQ(read("v.txt", "1.5\n-2\n0.1\n"), three());
  EXPECT_EQ(read("v.vec", "\n# three numbers\n 1.5 # first\r\n-2\r\n\r\n0.1"), three());
  EXPECT_EQ(read("v.csv", "1.5\n-2\n0.1\n"), three());
  EXPECT_EQ(read("v.csv", "b\n1.5\n-2\n0.1\n"), three());
  EXPECT_EQ(read("v.csv", "1.5,-2,0.1\n"), three());
  EXPECT_EQ(read("v.npy", format_npy(three())), three());
  EXPECT_EQ(read("v.npy", format_npy(RowMajorMatrix(three()))), three());
  EXPECT_EQ(read("v.npy", format_npy(RowMajorMatrix(three().transpose()))), three());
  EXPECT_EQ(read("v.mtx", "%%MatrixMarket matrix array real general\n3 1\n1.5\n-2\n0.1\n"), three());
}

TEST(VectorFile, Refusals) {
  const ScratchDirectory directory;
  const auto refused = [&](std::string_view name, std::string_view contents) {
    const auto file = directory.file(name, contents);
    const std::string message = refusal([&] { read_vector_file(file); });
    EXPECT_EQ(message.substr(0, file.string().size()), file.string());
    return message.substr(file.string().size());
  };
  EXPECT_EQ(refused("v.txt", "1\n2 3\n"),
            ":2: expected one number on a line, found '2 3'; write each number on its own line");
  EXPECT_EQ(refused("v.txt", "1\nx\n"), ":2: expected a number, found 'x'; write numbers like -1.5 or 2e-3");
  EXPECT_EQ(refused("v.txt", "1\n\ninf\n"),
            ":3: expected a finite number, found 'inf'; remove or replace entries that are not finite");
  EXPECT_EQ(refused("v.txt", "# nothing\n\n"),
            ": expected numbers, one on a line, found none; check how the file was made");
  EXPECT_EQ(
      refused("v.csv", "1,2\n3,4\n"),
      ": expected a vector: one row or one column, found 2 rows and 2 columns; save one row or one column only");
  EXPECT_EQ(
      refused("v.npy", format_npy(RowMajorMatrix(RowMajorMatrix::Ones(2, 3)))),
      ": expected a vector: one row or one column, found 2 rows and 3 columns; save one row or one column only");
  EXPECT_EQ(refused("v.mtx", "%%MatrixMarket matrix coordinate real general\n3 1 1\n1 1 1\n"),
            ": expected a vector in the array format, found a matrix in the coordinate format; write it with "
            "scipy.io.mmwrite from a dense array");
}

TEST(VectorFile, WrittenAndReadBack) {
  const ScratchDirectory directory;
  const Vector vector = (Vector(5) << 0.1, -0.0, 1e-310, 1.7976931348623157e308, 1.0 / 3.0).finished();
  for (const std::string_view name : {"x.npy", "x.csv", "x.txt", "x.NPY"}) {
    write_vector_file(directory / name, vector);
    EXPECT_EQ(read_vector_file(directory / name), vector) << name;
  }
  EXPECT_EQ(testing::contents_of(directory / "x.csv").substr(0, 12), "0.1\n-0\n1e-31");
  const auto other = directory / "x.dat";
  EXPECT_EQ(refusal([&] { write_vector_file(other, vector); }),
            other.string() +
                ": expected a file name that ends in .npy, .csv or .txt, found '.dat'; choose one of "
                "these endings");
  EXPECT_FALSE(std::filesystem::exists(other));
  EXPECT_THROW(write_vector_file(directory / "x.npy", Vector::Constant(1, kInfinity)), InvalidArgument);
  EXPECT_EQ(read_vector_file(directory / "x.npy"), vector);
}

}  // namespace
}  // namespace fcbio::io
