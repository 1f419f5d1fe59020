// The binary form: the numbers, the bits and the fingerprint of the text it was made from; and nothing that is damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "data_support.hpp"
#include "fcbio/threads.hpp"
#include "io/checksum.hpp"
#include "io/csv.hpp"
#include "io/fcb_convert.hpp"
#include "io/fcb_format.hpp"
#include "io/libsvm.hpp"
#include "io/npy.hpp"
#include "problem_support.hpp"

namespace fcbio::io {
namespace {

using testing::contents_of;
using ::testing::HasSubstr;
using testing::refusal;
using testing::ScratchDirectory;
using ::testing::StartsWith;

constexpr const char* kSmall = "1 1:0.5 3:-2\n-1\n1 2:0 5:1e30 # a zero that is stored\n-1 1:3\n";

/// Rows of 0 to 40 numbers.
std::string random_text(Index rows, Index cols) {
  std::mt19937_64 engine(3);
  std::string text;
  for (Index row = 0; row < rows; ++row) {
    text += engine() % 2 == 0 ? "1" : "-1";
    for (Index column = 1 + static_cast<Index>(engine() % 7), left = static_cast<Index>(engine() % 41);
         left > 0 && column <= cols; --left, column += 1 + static_cast<Index>(engine() % 200)) {
      text += ' ';
      text += std::to_string(column);
      text += ':';
      append_number(text, std::normal_distribution<double>()(engine));
    }
    text += "\n";
  }
  return text;
}

std::filesystem::path converted(const ScratchDirectory& directory, const std::filesystem::path& source,
                                const ConvertOptions& options = {}) {
  const std::filesystem::path result = directory / (source.filename().string() + ".fcb");
  convert_data(source, result, options);
  return result;
}

void expect_same_data(const DataFile& text, const DataFile& binary) {
  EXPECT_EQ(text.labels, binary.labels);
  EXPECT_EQ(text.column_names, binary.column_names);
  ASSERT_EQ(text.matrix.is_sparse(), binary.matrix.is_sparse());
  EXPECT_FALSE(binary.matrix.is_owned());
  const data::Matrix copy = binary.matrix.owned();
  if (!text.matrix.is_sparse()) {
    EXPECT_EQ(std::get<RowMajorMatrix>(text.matrix.matrix), std::get<RowMajorMatrix>(copy.matrix));
    return;
  }
  const auto& a = std::get<CsrMatrix>(text.matrix.matrix);
  const auto& b = std::get<CsrMatrix>(copy.matrix);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_EQ(a.starts, b.starts);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.values, b.values);
}

TEST(Checksum, KnownValues) {  // of the reference implementation of XXH64
  EXPECT_EQ(checksum(""), 0xEF46DB3751D8E999U);
  EXPECT_EQ(checksum("a"), 0xD24EC4F1A98C6E5BU);
  EXPECT_EQ(checksum("abc"), 0x44BC2CF5AD770999U);
  EXPECT_EQ(checksum("abcdefghijklmnopqrstuvwxyz0123456789"), 0x64F23ECF1609B766U);
}

TEST(Fcb, HoldsWhatEveryTextFormatHolds) {
  const ScratchDirectory directory;
  RowMajorMatrix dense(3, 2);
  dense << 1, 2, 3, 4, 0.1, -0.0;
  for (const auto& [name, contents] :
       {std::pair<std::string, std::string>("a.svm", kSmall),
        {"b.svm", random_text(3000, 5000)},
        {"wide", "1 1:2 70000:3\n"},
        {"c.csv", "u,\"v,w\"\n1,2\n3,4.5\n"},
        {"c.tsv", "u\t\"v\tw\"\n1\t2\n3\t4.5\n"},
        {"d.csv", "1;2;3\n"},
        {"e.npy", format_npy(dense)},
        {"f.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 2\n3 1 5\n1 4 2.5\n"},
        {"g.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n"}}) {
    for (const std::string ending : {"", ".gz", ".xz", ".zst"}) {
      SCOPED_TRACE(name + ending);
      const auto file = directory.file(name + ending, testing::compress(contents, ending));
      const auto binary = converted(directory, file);
      expect_same_data(read_data_file(file), read_data_file(binary));
      EXPECT_EQ(check_fcb(binary).bytes, std::filesystem::file_size(binary));
    }
  }
}

TEST(Fcb, TheFileIsAFunctionOfTheDataAlone) {
  const ScratchDirectory directory;
  const std::string text = random_text(30'000, 5000);
  ASSERT_GT(text.size(), 2 * kTextBlock);
  const auto one = converted(directory, directory.file("a.svm", text));
  const ThreadScope scope(3);
  const auto three = converted(directory, directory.file("b.svm.gz", testing::gzip(text)));
  EXPECT_TRUE(contents_of(one) == contents_of(three));
  const auto again = directory / "again.fcb";
  convert_data(one, again);  // also a source
  EXPECT_TRUE(contents_of(one) == contents_of(again));
}

TEST(Fcb, ATargetColumnBecomesTheLabels) {
  const ScratchDirectory directory;
  const auto file = directory.file("a.csv", "x,y,z\n1,2,3\n4,5,6\n");
  for (const std::string target : {"y", "1"}) {
    ConvertOptions options;
    options.target = target;
    const DataFile data = read_data_file(converted(directory, file, options));
    EXPECT_EQ(data.labels, (Vector(2) << 2, 5).finished());
    EXPECT_EQ(data.column_names, (std::vector<std::string>{"x", "z"}));
    EXPECT_EQ(data.matrix.cols(), 2);
  }
  const auto refused = [&](const std::string& target, const char* source) {
    ConvertOptions options;
    options.target = target;
    return refusal([&] { converted(directory, directory / source, options); });
  };
  EXPECT_THAT(refused("w", "a.csv"), HasSubstr("expected a column 0 .. 2 or its name as --target, found \"w\""));
  EXPECT_THAT(refused("3", "a.csv"), HasSubstr("found \"3\""));
  directory.file("s.svm", kSmall);
  EXPECT_THAT(refused("1", "s.svm"), HasSubstr("expected a target column only for dense data, found sparse data"));
  directory.file("one.csv", "1\n2\n");
  EXPECT_THAT(refused("0", "one.csv"), HasSubstr("found one column"));
  EXPECT_FALSE(std::filesystem::exists(directory / "s.svm.fcb"));
}

/// The same products, to the bit, of the map that the solver gets.
void expect_same_products(data::Problem text, data::Problem binary) {
  const Problem a = build::make_problem(std::move(text)), b = build::make_problem(std::move(binary));
  const LinearMap& map_a = *a.lower().parts().front().term->map();
  const LinearMap& map_b = *b.lower().parts().front().term->map();
  const Vector x = Vector::LinSpaced(map_a.cols(), -1.0, 2.0), y = Vector::LinSpaced(map_a.rows(), 1.0, -0.5);
  Vector image_a(map_a.rows()), image_b(map_a.rows()), gradient_a(map_a.cols()), gradient_b(map_a.cols());
  map_a.apply(x, image_a);
  map_b.apply(x, image_b);
  map_a.transpose(1.0, y, gradient_a);
  map_b.transpose(1.0, y, gradient_b);
  EXPECT_EQ(image_a, image_b);
  EXPECT_EQ(gradient_a, gradient_b);
  EXPECT_EQ(map_a.norm_bound().squared, map_b.norm_bound().squared);
  EXPECT_EQ(a.lower().lower_bound(), b.lower().lower_bound());
}

TEST(Fcb, ProblemsAreThoseOfTheText) {
  const ProblemDirectory directory;
  const auto files = [&](const std::string& name, const std::string& contents) {
    convert_data(directory.write(name, contents), directory.path() / (name + ".fcb"));
  };
  files("s.svm", random_text(1200, 900));
  files("few.svm", "1 1:1 9:2\n-1 5:1 20:0.5\n1 9:1\n");  // most columns are empty
  files("d.csv", "a,b,c\n1,2,1\n-1,3,2\n0.5,0,1\n7,1,1\n");
  const auto problem = [&](const std::string& data, const std::string& keys, const std::string& top) {
    return directory.read(top + "\n[domain]\nset = \"ball\"\nradius = 2\n[upper]\nfunction = \"squared-norm\"\n" +
                          "[lower]\nfunction = \"logistic\"\ndata = \"" + data + "\"\n" + keys);
  };
  const auto expect_same = [&](const std::string& data, const std::string& keys, const std::string& top = "") {
    SCOPED_TRACE(data + " " + keys + " " + top);
    data::Problem text = problem(data, keys, top), binary = problem(data + ".fcb", keys, top);
    EXPECT_EQ(data::fingerprint(text), data::fingerprint(binary));
    EXPECT_EQ(data::in_words(text.lower), data::in_words(binary.lower));
    EXPECT_EQ(text.names, binary.names);
    EXPECT_EQ(text.units.has_value(), binary.units.has_value());
    expect_same_products(std::move(text), std::move(binary));
  };
  for (const std::string file : {"s.svm", "few.svm"}) {
    expect_same(file, "");
    expect_same(file, "target = \"labels\"\naverage = true");
    expect_same(file, "rows = \"1:3\"");
    expect_same(file, "rows = \":2\"\nshuffle = 5");
    expect_same(file, "shuffle = 7\nintercept = true");
    expect_same(file, "intercept = true", "dimension = 2000");
    expect_same(file, "", "dimension = 2000");
    expect_same(file, "target = {constant = 1.0}");
    expect_same(file, "scale = true\nintercept = true");
  }
  expect_same("few.svm", "sample_weights = [1, 0, 2.5]\nshuffle = 3\naverage = true");
  for (const std::string target : {"2", "\"c\"", "[1, -1, 1, 1]"}) expect_same("d.csv", "target = " + target);
  expect_same("d.csv", "target = 2\nrows = \"1:\"\nshuffle = 1\nintercept = true");
  for (const std::string keys :
       {"columns = [\"b\", 0]", "drop = [\"a\"]", "categories = [\"b\"]", "categories = \"auto\"",
        "missing = \"mean\"", "sample_weights = \"b\"", "sample_weights = [1, 2, 3, 0]",
        "standardize = true\nintercept = true", "scale = true"})
    expect_same("d.csv", "target = \"c\"\n" + keys);
  expect_same("d.csv", "target = {constant = -1}");
}

TEST(Fcb, NamesTravelAndColumnsOfSparseDataAreRefused) {
  const ProblemDirectory directory;
  const auto problem = [&](const std::string& keys) {
    return directory.read(
        "[domain]\nset = \"ball\"\nradius = 2\n[upper]\nfunction = \"squared-norm\"\n"
        "weights = {intercept = 0}\n[lower]\nfunction = \"least-squares\"\nintercept = true\n" +
        keys);
  };
  ConvertOptions options;
  options.target = "y";
  convert_data(directory.write("d.csv", "age,y,\"a, b\"\n1,2,3\n4,5,6\n"), directory.path() / "d.fcb", options);
  EXPECT_EQ(problem("data = \"d.fcb\"\n").names, (std::vector<std::string>{"age", "a, b", "intercept"}));
  EXPECT_EQ(problem("data = \"d.fcb\"\ncovariance_with = \"age\"\ntarget = {constant = 0}\n").names,
            (std::vector<std::string>{"a, b", "intercept"}));

  convert_data(directory.write("s.svm", kSmall), directory.path() / "s.fcb");
  for (const std::string key : {"columns = [0]", "drop = [0]", "categories = \"auto\"", "missing = \"mean\"",
                                "sample_weights = 1", "covariance_with = 1", "target = 1", "standardize = true"})
    EXPECT_THAT(refusal([&] { problem("data = \"s.fcb\"\n" + key + "\n"); }),
                HasSubstr("found s.fcb, which is sparse"))
        << key;
  const auto texts = directory.write("t.csv", "age,job\n1,nurse\n");
  EXPECT_THAT(refusal([&] { convert_data(texts, directory.path() / "t.fcb"); }),
              HasSubstr("t.csv:2: expected a number in column 'job', found 'nurse'"));
}

TEST(Fcb, ServesWhereMatricesAreTaken) {
  const ProblemDirectory directory;
  convert_data(directory.write("q.csv", "2,1\n1,3\n"), directory.path() / "q.fcb");
  convert_data(directory.write("r.mtx", "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 1\n"),
               directory.path() / "r.fcb");
  const auto problem = [&](const std::string& ending, const std::string& rows) {
    return directory.read(
        "[domain]\nset = \"polyhedron\"\nmatrix = \"r" + rows +
        "\"\nupper = 1\nbox = {lower = -1, upper = 1}\n[upper]\nfunction = \"quadratic\"\nmatrix = "
        "\"q" +
        ending + "\"\n[lower]\nfunction = \"squared-norm\"\n");
  };
  EXPECT_EQ(data::fingerprint(problem(".csv", ".mtx")), data::fingerprint(problem(".fcb", ".fcb")));
}

TEST(Fcb, SharedByTermsAndCopies) {
  const ProblemDirectory directory;
  convert_data(directory.write("s.svm", random_text(500, 300)), directory.path() / "s.fcb");
  data::Problem problem = directory.read(
      "[domain]\nset = \"ball\"\nradius = 2\n[upper]\nfunction = \"huber\"\ndata = \"s.fcb\"\n[lower]\n"
      "function = \"logistic\"\ndata = \"s.fcb\"\n");
  data::Problem copy = problem;
  const Problem first = build::make_problem(std::move(problem));
  EXPECT_EQ(first.upper().parts().front().term->map(), first.lower().parts().front().term->map());
  std::filesystem::remove(directory.path() / "s.fcb");  // mapped files stay
  expect_same_products(copy, copy);
}

// What is damaged.

class DamagedFcb : public ::testing::Test {
 protected:
  DamagedFcb() {
    sparse_ = contents_of(converted(directory_, directory_.file("a.svm", kSmall)));
    dense_ = contents_of(converted(directory_, directory_.file("b.csv", "a,b\n1,2\n3,4\n")));
  }
  /// What opening and using it says.
  std::string used(const std::string& bytes, const char* name = "x.fcb") const {
    const auto file = directory_.file(name, bytes);
    std::string message = refusal([&] {
      const DataFile data = read_data_file(file);
      if (const auto* borrowed = std::get_if<data::BorrowedCsr>(&data.matrix.matrix))
        borrowed->lender->ready_map(borrowed->view.cols);
      data.matrix.owned();
    });
    return message;
  }
  std::string checked(const std::string& bytes) const {
    const auto file = directory_.file("x.fcb", bytes);
    return refusal([&] { check_fcb(file); });
  }
  template <class Word>
  static std::string with_word(std::string bytes, std::size_t offset, Word word) {
    std::memcpy(bytes.data() + offset, &word, sizeof(word));
    return bytes;
  }
  ScratchDirectory directory_;
  std::string sparse_, dense_;
};

TEST_F(DamagedFcb, GoodFilesAreTaken) {
  EXPECT_EQ(used(sparse_), "(accepted)");
  EXPECT_EQ(checked(sparse_), "(accepted)");
  EXPECT_EQ(used(dense_), "(accepted)");
  EXPECT_EQ(checked(dense_), "(accepted)");
}

TEST_F(DamagedFcb, CutShortAnywhere) {
  for (const std::string* file : {&sparse_, &dense_}) {
    for (std::size_t size = 0; size < file->size(); size += size < 100 ? 1 : 31)
      EXPECT_NE(used(file->substr(0, size)), "(accepted)") << size;
  }
  EXPECT_THAT(
      used(sparse_.substr(0, sparse_.size() - 1)),
      HasSubstr("x.fcb: expected " + std::to_string(sparse_.size()) + " bytes, as its header says, found " +
                std::to_string(sparse_.size() - 1) + " bytes; copy the file again"));
  EXPECT_THAT(used(sparse_ + "x"), HasSubstr("as its header says"));
  EXPECT_THAT(used(""), HasSubstr("an empty file"));
}

TEST_F(DamagedFcb, EveryFlippedBitThatIsReadIsSeen) {
  for (const std::string* file : {&sparse_, &dense_}) {
    for (std::size_t byte = 0; byte < file->size(); ++byte) {
      std::string damaged = *file;
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << byte % 8));
      const bool seen = used(damaged) != "(accepted)";
      // Between the sections nothing is read; only a full check looks there.
      EXPECT_TRUE(seen || (*file)[byte] == 0) << byte;
      if (!seen) {
        EXPECT_NE(checked(damaged), "(accepted)") << byte;
      }
    }
  }
}

TEST_F(DamagedFcb, DamageIsToldWithItsPlace) {
  std::string damaged = sparse_;
  damaged[64] = static_cast<char>(damaged[64] ^ 1);  // the labels are the first section
  EXPECT_THAT(used(damaged), HasSubstr("expected intact data, found damage between byte 64 and byte 96"));
}

TEST_F(DamagedFcb, OtherVersionsByteOrdersAndFormats) {
  EXPECT_THAT(used(with_word<std::uint32_t>(sparse_, 12, 7)),
              HasSubstr("expected version 1 of the binary form, found version 7; use a newer fcbio"));
  EXPECT_THAT(
      used(with_word<std::uint32_t>(sparse_, 8, 0x04030201)),
      HasSubstr("expected a file in the byte order of this machine, found the other byte order; make it with "
                "fcbio convert"));
  EXPECT_THAT(used("1 1:2\n"),
              HasSubstr("expected data in fcbio's binary form, as the name says, found other data"));
  EXPECT_THAT(used(testing::gzip(sparse_), "x.fcb.gz"),
              HasSubstr("expected a file in the binary form as it is, found a compressed one"));
  const auto svm = directory_.file("y.svm", sparse_);
  EXPECT_NE(refusal([&] { read_data_file(svm); }), "(accepted)");
}

TEST_F(DamagedFcb, TilesThatDoNotServeAreLeftAlone) {
  const auto ready = [this](const std::string& bytes, Index cols) {
    const DataFile data = read_data_file(directory_.file("z.fcb", bytes));
    return std::get<data::BorrowedCsr>(data.matrix.matrix).lender->ready_map(cols);
  };
  EXPECT_NE(ready(sparse_, 5), nullptr);
  const std::string full =
      contents_of(converted(directory_, directory_.file("full.svm", "1 1:1 2:3\n2 1:1 2:-1\n")));
  EXPECT_NE(ready(full, 2), nullptr);
  EXPECT_EQ(ready(full, 3), nullptr);  // another number of columns is cut in another way

  FcbDirectory directory = decode_directory(full, "full");  // of a program that lays tiles out in another way
  ++directory.tile_layout;
  const std::string encoded = encode_directory(directory);
  const std::size_t offset = full.size() - encoded.size();
  const auto header = encode_header(encoded, offset, full.size());
  const std::string other =
      std::string(header.data(), header.size()) + full.substr(kFcbHeader, offset - kFcbHeader) + encoded;
  EXPECT_EQ(ready(other, 2), nullptr);
  EXPECT_EQ(used(other), "(accepted)");
}

TEST(ConvertRefusals, NothingIsWritten) {
  const ScratchDirectory directory;
  const auto bad = directory.file("bad.svm", "1 1:1\n1 2:x\n");
  EXPECT_THAT(refusal([&] { convert_data(bad, directory / "r.fcb"); }), HasSubstr("bad.svm:2: expected a number"));
  EXPECT_THAT(refusal([&] { convert_data(bad, directory / "r.bin"); }), HasSubstr("a name that ends in .fcb"));
  EXPECT_THAT(refusal([&] { convert_data(directory / "none.svm", directory / "r.fcb"); }), HasSubstr("none.svm"));
  EXPECT_THAT(refusal([&] { convert_data(bad, directory / "none" / "r.fcb"); }),
              HasSubstr("expected a path that can be written"));
  ConvertOptions options;
  options.columns = 9;
  const auto csv = directory.file("a.csv", "1,2\n");
  EXPECT_THAT(refusal([&] { convert_data(csv, directory / "r.fcb", options); }), HasSubstr("--columns"));
  const auto huge = directory.file("huge.svm", "1 1:1e300\n");
  EXPECT_THAT(refusal([&] { convert_data(huge, directory / "r.fcb"); }),
              HasSubstr("huge.svm: sparse_map: expected entries whose Frobenius norm is at most 1e150"));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory.path())) ++files;
  EXPECT_EQ(files, 3U);
  const auto good = directory.file("good.svm", kSmall);
  convert_data(good, directory / "r.fcb", options);
  EXPECT_EQ(read_data_file(directory / "r.fcb").matrix.cols(), 9);
}

}  // namespace
}  // namespace fcbio::io
