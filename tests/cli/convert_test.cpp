// fcbio convert, and solving from what it writes.
#include <gmock/gmock.h>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

using ::testing::HasSubstr;

class Convert : public CliTest {
 protected:
  Convert() {
    std::string text;
    for (int row = 0; row < 40; ++row)
      text += std::string(row % 3 == 0 ? "1" : "-1") + " " + std::to_string(1 + row % 5) + ":0.5 " +
              std::to_string(6 + row % 4) + ":" + std::to_string(row % 7 - 3) + "\n";
    write("d.svm", text);
    problem("text.toml", "d.svm");
    problem("binary.toml", "d.fcb");
  }
  void problem(const std::string& name, const std::string& data) const {
    write(name,
          "[domain]\nset = \"ball\"\nradius = 3\n[upper]\nfunction = \"squared-norm\"\n[lower]\n"
          "function = \"logistic\"\naverage = true\ndata = \"" +
              data + "\"\n");
  }
};

TEST_F(Convert, SolvedFromTheBinaryFormToTheSameBits) {
  const Outcome outcome = run({"convert", "d.svm", "d.fcb"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("wrote d.fcb: 40 x 9, sparse, 80 stored numbers, labels, "));
  EXPECT_THAT(run({"convert", "--check", "d.fcb"}).out, HasSubstr("d.fcb is intact: 40 x 9, sparse"));
  for (const std::string name : {"text", "binary"})
    ASSERT_EQ(run({"solve", name + ".toml", "-o", name + ".json", "--threads", "2"}).exit_code, 0);
  const nlohmann::json text = read_json("text.json"), binary = read_json("binary.json");
  for (const char* key : {"x", "problem", "witness", "certificate", "work"})
    EXPECT_EQ(text[key], binary[key]) << key;
  expect_verified("binary.toml", "text.json");
  expect_verified("text.toml", "binary.json");
}

TEST_F(Convert, ProblemFilesAreWrittenForTheBinaryForm) {
  write("t.csv", "age,size,y\n1,2,3\n4,5,5\n6,0,8\n7,1,7\n");
  ASSERT_EQ(run({"convert", "t.csv", "t.fcb"}).exit_code, 0);
  ASSERT_EQ(run({"convert", "t.csv", "labelled.fcb", "--target", "y"}).exit_code, 0);
  ASSERT_EQ(run({"convert", "d.svm", "d.fcb"}).exit_code, 0);
  for (const std::string name : {"t", "labelled", "d"}) {
    SCOPED_TRACE(name);
    ASSERT_EQ(run({"init", name + ".fcb", "-o", name + ".toml"}).exit_code, 0);
    const Outcome solved = run({"solve", name + ".toml", "-o", name + ".json"});
    ASSERT_EQ(solved.exit_code, 0) << solved.out << solved.err;
    expect_verified(name + ".toml", name + ".json");
  }
  EXPECT_EQ(read_json("t.json")["x"], read_json("labelled.json")["x"]);
  EXPECT_EQ(read_json("t.json")["problem"]["names"], nlohmann::json({"age", "size", "intercept"}));
  EXPECT_EQ(read_json("labelled.json")["problem"]["names"], nlohmann::json({"age", "size", "intercept"}));
  expect_refused({"init", "labelled.fcb", "--target", "age"}, {"whose labels come with it"});
}

TEST_F(Convert, IsInTheManualAndTheCompletions) {
  EXPECT_THAT(run({"help", "--man"}).out, HasSubstr(".SS convert DATA [RESULT.fcb] [OPTIONS]\n"));
  EXPECT_THAT(run({"help", "--bash"}).out, HasSubstr("convert) flags='-h --help --target --columns --check"));
  EXPECT_THAT(run({"help", "--zsh"}).out, HasSubstr("'convert:write data in the binary form"));
  EXPECT_THAT(run({"help", "convert"}).out, HasSubstr("fcbio convert --check train.fcb"));
}

TEST_F(Convert, QuietSaysNothing) {
  const Outcome outcome = run({"convert", "d.svm", "d.fcb", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(Convert, RefusesBadUsage) {
  expect_refused({"convert", "d.svm"}, {"give RESULT.fcb"});
  expect_refused({"convert", "d.svm", "d.bin"}, {"d.bin", "ends in .fcb"});
  expect_refused({"convert", "none.svm", "d.fcb"}, {"none.svm"});
  expect_refused({"convert", "d.svm", "none/d.fcb"}, {"none/d.fcb"});
  expect_refused({"convert", "d.svm", "d.fcb", "--columns", "0"}, {"--columns"});
  expect_refused({"convert", "d.svm", "d.fcb", "--target", "2"}, {"sparse data"});
  expect_refused({"convert", "d.svm", "--check"}, {"d.svm", "expected data in fcbio's binary form"});
  expect_refused({"convert", "d.svm", "d.fcb", "--check"}, {"--check takes one file"});
  EXPECT_FALSE(exists("d.fcb"));
  ASSERT_EQ(run({"convert", "d.svm", "d.fcb"}).exit_code, 0);
  expect_refused({"convert", "d.fcb", "d.fcb"}, {"is also the data"});
}

TEST_F(Convert, DamagedFilesAreRefusedBeforeAnythingIsWritten) {
  ASSERT_EQ(run({"convert", "d.svm", "d.fcb"}).exit_code, 0);
  const std::string good = read("d.fcb");
  const auto refused = [&](const std::string& bytes, const std::string& fragment) {
    write("d.fcb", bytes);
    const std::vector<std::string> before = files();
    expect_refused({"solve", "binary.toml", "-o", "r.json", "--trace", "t.jsonl"}, {"d.fcb", fragment});
    expect_refused({"convert", "--check", "d.fcb"}, {"d.fcb", fragment});
    EXPECT_EQ(files(), before);
  };
  refused(good.substr(0, good.size() / 2), "as its header says");
  for (std::size_t place = 64; place < good.size(); place += 192) {  // most sections
    std::string damaged = good;
    damaged[place] = static_cast<char>(damaged[place] ^ 4);
    refused(damaged, "damage");
  }
  std::string other = good;
  other[12] = 9;
  refused(other, "version 9");
  std::swap(other[8], other[11]);
  std::swap(other[9], other[10]);
  refused(other, "byte order");
}

}  // namespace
}  // namespace fcbio::cli_test
