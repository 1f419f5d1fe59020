// Matrix Market: formats, fields, symmetries, duplicates, refusals.
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "data_support.hpp"
#include "io/matrix_market.hpp"

namespace fcbio::io {
namespace {

using testing::refusal;

data::Matrix parse(const std::string& text) { return parse_matrix_market({text, "f.mtx"}); }
CsrMatrix sparse(const std::string& text) { return std::get<CsrMatrix>(parse(text).matrix); }
RowMajorMatrix dense(const std::string& text) { return std::get<RowMajorMatrix>(parse(text).matrix); }
std::string refused(const std::string& text) {
  return refusal([&] { parse(text); });
}

const std::string kBanner = "%%MatrixMarket matrix ";

TEST(MatrixMarket, CoordinatesInAnyOrder) {
  const CsrMatrix matrix =
      sparse(kBanner + "coordinate real general\n% a comment\n\n3 4 4\n3 1 5\n1 4 -2.5\n1 2 1e-3\n% c\n3 3 0\n");
  EXPECT_EQ(matrix.rows, 3);
  EXPECT_EQ(matrix.cols, 4);
  EXPECT_EQ(matrix.starts, (std::vector<std::int64_t>{0, 2, 2, 4}));
  EXPECT_EQ(matrix.columns, (std::vector<std::int32_t>{1, 3, 0, 2}));
  EXPECT_EQ(matrix.values, (std::vector<double>{1e-3, -2.5, 5.0, 0.0}));
}

TEST(MatrixMarket, DuplicatesAreSummedInTheOrderOfTheFile) {
  const CsrMatrix matrix = sparse(kBanner + "coordinate real general\n1 2 4\n1 2 1e16\n1 1 3\n1 2 1\n1 2 -1e16\n");
  EXPECT_EQ(matrix.columns, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(matrix.values, (std::vector<double>{3.0, (1e16 + 1.0) - 1e16}));
}

TEST(MatrixMarket, SymmetriesAndFields) {
  EXPECT_EQ(testing::to_dense(sparse(kBanner + "coordinate integer symmetric\r\n2 2 2\r\n1 1 4\r\n2 1 7\r\n")),
            (RowMajorMatrix(2, 2) << 4, 7, 7, 0).finished());
  EXPECT_EQ(testing::to_dense(sparse(kBanner + "coordinate real skew-symmetric\n2 2 1\n2 1 7")),
            (RowMajorMatrix(2, 2) << 0, -7, 7, 0).finished());
  EXPECT_EQ(testing::to_dense(sparse(kBanner + "COORDINATE Pattern General\n2 3 2\n1 3\n2 1\n")),
            (RowMajorMatrix(2, 3) << 0, 0, 1, 1, 0, 0).finished());
  EXPECT_EQ(dense(kBanner + "array real general\n2 3\n1\n2\n3\n4\n5\n6\n"),
            (RowMajorMatrix(2, 3) << 1, 3, 5, 2, 4, 6).finished());
  EXPECT_EQ(dense(kBanner + "array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"),
            (RowMajorMatrix(3, 3) << 1, 2, 3, 2, 4, 5, 3, 5, 6).finished());
  EXPECT_EQ(dense(kBanner + "array real skew-symmetric\n3 3\n1\n2\n3\n"),
            (RowMajorMatrix(3, 3) << 0, -1, -2, 1, 0, -3, 2, 3, 0).finished());
}

TEST(MatrixMarket, BadFirstLines) {
  EXPECT_EQ(
      refused("1 2 3\n"),
      "f.mtx:1: expected the first line %%MatrixMarket matrix FORMAT FIELD SYMMETRY, found '1 2 3'; write the "
      "file with scipy.io.mmwrite or give it the ending of its real format");
  EXPECT_EQ(refused(kBanner + "coordinate complex general\n1 1 1\n1 1 1 0\n"),
            "f.mtx:1: expected the field real, integer or pattern, found 'complex'; use a matrix of real numbers");
  EXPECT_EQ(refused(kBanner + "array pattern general\n1 1\n1\n"),
            "f.mtx:1: expected the field real or integer, found 'pattern'; use a matrix of real numbers");
  EXPECT_EQ(refused(kBanner + "elements real general\n"),
            "f.mtx:1: expected the format coordinate or array, found 'elements'; use one of these");
  EXPECT_EQ(
      refused(kBanner + "coordinate real hermitian\n"),
      "f.mtx:1: expected the symmetry general, symmetric or skew-symmetric, found 'hermitian'; use one of these");
  EXPECT_EQ(refused(kBanner + "coordinate pattern skew-symmetric\n"),
            "f.mtx:1: expected the symmetry general or symmetric, found 'skew-symmetric'; use one of these");
}

TEST(MatrixMarket, BadSizes) {
  EXPECT_EQ(refused(kBanner + "coordinate real general\n% only comments\n"),
            "f.mtx: expected a size line, found that the file ends too early; copy or download it again");
  EXPECT_EQ(refused(kBanner + "coordinate real general\n2 2147483648 1\n"),
            "f.mtx:2: expected a number of columns from 1 to 2147483647, found '2147483648'; correct this line");
  EXPECT_EQ(
      refused(kBanner + "coordinate real general\n2 2\n"),
      "f.mtx:2: expected a number of entries from 1 to 4611686018427387903, found the end of the line; correct "
      "this line");
  EXPECT_EQ(refused(kBanner + "coordinate real general\n0 2 1\n").substr(0, 48),
            "f.mtx:2: expected a number of rows from 1 to 461");
  EXPECT_EQ(refused(kBanner + "array real general\n2 2 4\n"),
            "f.mtx:2: expected a size line of rows and columns, found '4' behind it; correct this line");
  EXPECT_EQ(
      refused(kBanner + "coordinate real symmetric\n2 3 1\n1 1 1\n"),
      "f.mtx:2: expected a square matrix, as it is symmetric, found 2 x 3; correct the size or the first line");
  EXPECT_EQ(refused(kBanner + "coordinate real general\n4000000000 2 1\n1 1 1\n"),
            "f.mtx:2: expected at most 16777216 rows for 1 entry, found 4000000000; remove empty rows");
}

TEST(MatrixMarket, WrongNumberOfEntries) {
  const std::string remedy = "; the file is truncated or its size line wrong: copy or download it again";
  EXPECT_EQ(refused(kBanner + "coordinate real general\n2 2 3\n1 1 1\n2 2 1\n"),
            "f.mtx: expected 3 lines of entries, found 2" + remedy);
  EXPECT_EQ(refused(kBanner + "coordinate real general\n2 2 1\n1 1 1\n2 2 1\n"),
            "f.mtx:4: expected 1 line of entries, found one more; correct the size line");
  EXPECT_EQ(refused(kBanner + "array real general\n2 2\n1\n2\n3\n"),
            "f.mtx: expected 4 lines of entries, found 3" + remedy);
  EXPECT_EQ(refused(kBanner + "array real general\n1 2\n1\n2\n3\n"),
            "f.mtx:5: expected 2 lines of entries, found one more; correct the size line");
  EXPECT_EQ(refused(kBanner + "coordinate real general\n2 2 1000000000000\n1 1 1\n"),
            "f.mtx: expected 1000000000000 lines of entries, found fewer than that" + remedy);
  EXPECT_EQ(refused(kBanner + "array real general\n4000000000 2000000000\n1\n"),
            "f.mtx: expected 4000000000 x 2000000000 entries, found fewer than that" + remedy);
}

TEST(MatrixMarket, BadEntries) {
  const std::string head = kBanner + "coordinate real general\n2 2 2\n1 1 1\n";
  EXPECT_EQ(refused(head + "3 1 1\n"), "f.mtx:4: expected a row number from 1 to 2, found '3'; correct this line");
  EXPECT_EQ(refused(head + "1 0 1\n"),
            "f.mtx:4: expected a column number from 1 to 2, found '0'; correct this line");
  EXPECT_EQ(refused(head + "1 x 1\n"),
            "f.mtx:4: expected a column number from 1 to 2, found 'x'; correct this line");
  EXPECT_EQ(refused(head + "1 1 x\n"), "f.mtx:4: expected a number, found 'x'; write numbers like -1.5 or 2e-3");
  EXPECT_EQ(refused(head + "1 1\n"),
            "f.mtx:4: expected a number, found an empty field; write numbers like -1.5 or 2e-3");
  EXPECT_EQ(refused(head + "1 1 nan\n"),
            "f.mtx:4: expected a finite number, found 'nan'; remove or replace entries that are not finite");
  EXPECT_EQ(refused(head + "1 1 1e309\n"),
            "f.mtx:4: expected a number that double precision can hold, found '1e309'; rescale the data");
  EXPECT_EQ(refused(head + "1 1 1 0\n"),
            "f.mtx:4: expected a row number, a column number and a value, found '0' behind it; correct this line");
  EXPECT_EQ(
      refused(kBanner + "coordinate integer general\n1 1 1\n1 1 1.5\n"),
      "f.mtx:3: expected a whole number, as the first line says integer, found '1.5'; write real in the first "
      "line");
  EXPECT_EQ(refused(kBanner + "coordinate real symmetric\n2 2 1\n1 2 1\n"),
            "f.mtx:3: expected an entry on or below the diagonal, found row 1, column 2; store the lower triangle "
            "only, or write general in the first line");
  EXPECT_EQ(
      refused(kBanner + "coordinate real skew-symmetric\n2 2 1\n2 2 1\n"),
      "f.mtx:3: expected an entry below the diagonal, found row 2, column 2; store the lower triangle only, or "
      "write general in the first line");
  EXPECT_EQ(
      refused(kBanner + "coordinate real general\n1 1 2\n1 1 1e308\n1 1 1e308\n"),
      "f.mtx: expected duplicate entries with a finite sum, found an overflow in row 1, column 1; rescale the "
      "data");
  EXPECT_EQ(refused(kBanner + "array real general\n1 2\n1 2\n"),
            "f.mtx:3: expected one value on a line, found '2' behind it; correct this line");
}

}  // namespace
}  // namespace fcbio::io
