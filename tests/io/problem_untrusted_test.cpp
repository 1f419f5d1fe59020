// Problem files from strangers: they may name any ordinary file, and nothing in them may bring the reader down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "data_support.hpp"
#include "io/compressed_file.hpp"
#include "io/compressed_stream.hpp"
#include "io/problem_text.hpp"
#include "problem_support.hpp"

namespace fcbio::io {
namespace {

using ::testing::HasSubstr;

const std::string kRest =
    "[domain]\nset = \"ball\"\nradius = 1\n[upper]\nfunction = \"squared-norm\"\n[lower]\nfunction = ";

std::string refused(const std::string& text) {
  return testing::refusal([&] { parse_problem({text, "p.toml"}); });
}
std::string repeated(std::size_t count, std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

TEST(UntrustedProblem, WhatIsNoOrdinaryFileIsRefusedWithoutWaiting) {
  const ProblemDirectory directory;
  ASSERT_EQ(::mkfifo((directory.path() / "pipe.csv").c_str(), 0600), 0);
  const auto with = [&](const std::string& name) {
    return directory.refusal(kRest + "\"absolute\"\ndata = \"" + name + "\"\ntarget = 0\n");
  };
  EXPECT_EQ(with("pipe.csv"), "pipe.csv: expected a readable file, found a pipe; give an ordinary file");
  EXPECT_EQ(with("/dev/zero"), "/dev/zero: expected a readable file, found a device; give an ordinary file");
  const auto vector = [&](const std::string& name) {
    return directory.refusal(kRest + "\"linear\"\ncoefficients = \"" + name + "\"\n");
  };
  EXPECT_EQ(vector("pipe.csv"), "pipe.csv: expected a readable file, found a pipe; give an ordinary file");
  EXPECT_EQ(vector("/dev/zero"), "/dev/zero: expected a readable file, found a device; give an ordinary file");
  for (const auto& [name, found] : {std::pair{"/dev/zero", "a device"}, {"pipe.csv", "a pipe"}})
    EXPECT_THAT(
        testing::refusal([&] { read_problem(directory.path() / name); }),
        HasSubstr(std::string("expected a readable problem file, found ") + found + "; give an ordinary file"));
  const std::string absolute = directory.write("v.txt", "1\n2\n").string();
  EXPECT_EQ(vector(absolute), "accepted");
  EXPECT_EQ(vector("../" + directory.path().filename().string() + "/v.txt"), "accepted");
}

TEST(UntrustedProblem, DeepNestingIsRefused) {
  EXPECT_EQ(refused("\n" + repeated(100'000, "a.") + "a = 1\n"),
            "p.toml:2: expected a key with at most 8 dots, found one with more; see docs/problem-files.md for the "
            "keys of a problem file");
  EXPECT_THAT(refused("[" + repeated(100'000, "a . ") + "a]\n"), HasSubstr("at most 8 dots"));
  EXPECT_THAT(refused("x = {" + repeated(100'000, "\"=\".") + "a = 1}\n"), HasSubstr("at most 8 dots"));
  EXPECT_THAT(refused("x = \"\"\"a\"\"\"\"\" # '\n" + repeated(100'000, "'#'.\"\\\"\".") + "a = 1\n"),
              HasSubstr("at most 8 dots"));
  EXPECT_NE(refused("x = " + repeated(100'000, "[")), "(accepted)");
  EXPECT_NE(refused("x = " + repeated(100'000, "{a=")), "(accepted)");
  EXPECT_NE(refused("x = " + repeated(200, "{a.b.c.d.e.f.g.h=") + "1"), "(accepted)");
  std::string sets = "[domain]\nset = \"intersection\"\nsets = [";
  sets += repeated(100, "{set = \"intersection\", sets = [") + "{set = \"ball\", radius = 1}";
  sets += repeated(100, "]}") +
          "]\n[upper]\nfunction = \"linear\"\ncoefficients = [1]\n[lower]\nfunction = "
          "\"linear\"\ncoefficients = [1]\n";
  EXPECT_EQ(refused(sets), "(accepted)");
}

TEST(UntrustedProblem, DotsInTextAndNumbersAreNotKeys) {
  const std::string numbers = "data = [[" + repeated(20, "1.5, ") + "2.5]]\ntarget = [0.5]\n";
  EXPECT_EQ(refused(kRest + "\"absolute\"\n" + numbers + "# a.b.c.d.e.f.g.h.i.j.k\n[method]\n" +
                    "note = \"a.b.c.d.e.f.g.h.i.j.k\"\nother = '..........'\nlong = '''\n..........\n'''\n"),
            "(accepted)");
}

TEST(UntrustedProblem, HugeNumbersAreRefused) {
  EXPECT_NE(refused(kRest + "\"linear\"\ncoefficients = [1e999]\n"), "(accepted)");
  EXPECT_NE(refused("dimension = 99999999999999999999\n" + kRest + "\"squared-norm\"\n"), "(accepted)");
  EXPECT_THAT(refused("[domain]\nset = \"box\"\nlower = -1e999\nupper = [1]\n[upper]\nfunction = "
                      "\"squared-norm\"\n[lower]\nfunction = \"squared-norm\"\n"),
              HasSubstr("p.toml:3: expected"));
  EXPECT_THAT(refused("[domain]\nset = \"product\"\nsets = [{set = \"ball\", radius = 1, dimension = "
                      "9223372036854775807}]\n[upper]\nfunction = \"squared-norm\"\n[lower]\nfunction = "
                      "\"squared-norm\"\n"),
              HasSubstr("expected 1 <= `dimension` <= 2147483647, found 9223372036854775807"));
  std::string members;
  for (int i = 0; i < 64; ++i) members += "{set = \"ball\", radius = 1, dimension = 2147483647}, ";
  EXPECT_THAT(refused("[domain]\nset = \"product\"\nsets = [" + members +
                      "]\n[upper]\nfunction = \"squared-norm\"\n[lower]\nfunction = \"squared-norm\"\n"),
              HasSubstr("variables, for which there is memory, found 137438953408"));
}

TEST(UntrustedProblem, ASparseMatrixOfHugeShapeIsNotMadeDense) {
  const ProblemDirectory directory;
  directory.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n16000000 16000000 1\n1 1 1.0\n");
  EXPECT_THAT(directory.refusal("[domain]\nset = \"affine\"\nmatrix = \"m.mtx\"\nvalues = 0\nradius = 1\n[upper]\n"
                                "function = \"squared-norm\"\n[lower]\nfunction = \"squared-norm\"\n"),
              HasSubstr("p.toml:3: expected at most "));
}

TEST(UntrustedProblem, CompressedFilesUnpackToWhatIsAllowedOnly) {
  const std::string text(1 << 20, 'a');
  for (const Compression compression : {Compression::gzip, Compression::xz, Compression::zstd}) {
    const std::string packed = testing::compress(text, ending_of(compression));
    const auto unpack = [&](std::uint64_t largest) {
      MemorySource source(packed);
      return read_all(*make_decoder(compression, source, "bomb", largest), "bomb", largest);
    };
    EXPECT_EQ(unpack(text.size()), text);
    EXPECT_EQ(testing::refusal([&] { unpack(text.size() - 1); }),
              "bomb: expected at most 1048575 bytes when unpacked, found more than that; use a part of the rows");
  }
}

}  // namespace
}  // namespace fcbio::io
