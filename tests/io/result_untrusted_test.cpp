// Result files from strangers: what they may name, and whether they are as they were written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/npy.hpp"
#include "io/result_digest.hpp"
#include "io/result_json.hpp"
#include "problem_support.hpp"

namespace fcbio::io {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

class UntrustedResult : public testing::Test {
 protected:
  UntrustedResult() {
    Result result;
    result.method = "fcbio";
    result.status = Status::certified;
    result.message = "m";
    result.x = Vector::LinSpaced(kInlineNumbers + 1, 0.0, 1.0);
    result.upper_value = 3.0;
    result.lower_value = 0.1;
    result.certificate.evidence = Evidence::proved;
    result.certificate.upper_excess = 1e-7;
    result.witness.multiplier = 12.5;
    result.witness.reference = Vector::Constant(2, 0.3);
    result.witness.lower_bound = {"known", {}, {}, {}, {}};
    result.witness.upper_bound = {"dual", {Vector{}}, {Vector::LinSpaced(2000, 0.0, 1.0)}, {}, {}};
    result.options = {{"cap", "100"}, {"warm", "true"}};
    write_result(result, {"0123456789abcdef", ~std::uint64_t{0}, 0.25, std::nullopt, false}, file());
    good_ = Json::parse(directory_.contents("r.json"));
  }
  std::filesystem::path file() const { return directory_.path() / "r.json"; }
  StoredResult stored(const std::string& text) const { return read_result(directory_.write("s.json", text)); }
  std::string refused(const std::string& text) const {
    try {
      stored(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string with_x(const std::string& name) const {
    Json changed = good_;
    changed["x"] = name;
    return refused(changed.dump());
  }
  ProblemDirectory directory_;
  Json good_;
};

TEST_F(UntrustedResult, NamesOnlyNpyFilesBesideItselfOrBelow) {
  std::filesystem::create_directories(directory_.path() / "below/deep");
  const std::string bytes = directory_.contents("r.x.npy");
  directory_.write("below/deep/y.npy", bytes);
  directory_.write("x.txt", "1\n");
  std::filesystem::create_symlink("r.x.npy", directory_.path() / "link.npy");
  EXPECT_EQ(with_x("r.x.npy"), "accepted");
  EXPECT_EQ(with_x("./r.x.npy"), "accepted");
  EXPECT_EQ(with_x("below/deep/y.npy"), "accepted");
  EXPECT_EQ(with_x("link.npy"), "accepted");
  for (const std::string& name : {(directory_.path() / "r.x.npy").string(), std::string("/dev/zero"),
                                  std::string("../r.x.npy"), std::string("below/../r.x.npy"), std::string("..")})
    EXPECT_THAT(with_x(name),
                HasSubstr("expected the name of a file beside the result or in a directory below it as \"x\""))
        << name;
  for (const std::string& name :
       {std::string(), std::string("x.txt"), std::string("r.x.npy.gz"), std::string("r.x.npy\0.npy", 12)})
    EXPECT_THAT(with_x(name), HasSubstr("expected the name of a .npy file as \"x\"")) << name;
  Json changed = good_;
  changed["witness"]["upper_bound"]["lower_duals"][0] = "/etc/passwd";
  EXPECT_THAT(refused(changed.dump()),
              HasSubstr("as \"witness.upper_bound.lower_duals[0]\", found \"/etc/passwd\""));
}

TEST_F(UntrustedResult, WhatIsNoOrdinaryFileIsRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo((directory_.path() / "pipe.npy").c_str(), 0600), 0);
  std::filesystem::create_directory(directory_.path() / "directory.npy");
  std::filesystem::create_symlink("/dev/zero", directory_.path() / "zero.npy");
  std::filesystem::create_symlink("pipe.npy", directory_.path() / "link.npy");
  EXPECT_THAT(with_x("pipe.npy"),
              HasSubstr("pipe.npy: expected a readable file, found a pipe; give an ordinary "));
  EXPECT_THAT(with_x("link.npy"),
              HasSubstr("link.npy: expected a readable file, found a pipe; give an ordinary "));
  EXPECT_THAT(with_x("zero.npy"), HasSubstr("zero.npy: expected a readable file, found a device; give an "));
  EXPECT_THAT(with_x("directory.npy"), HasSubstr("directory.npy: expected a readable file, found a directory"));
  for (const char* name : {"pipe.npy", "/dev/zero", "."}) {
    try {
      read_result(directory_.path() / name);
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("expected a readable result file, found a ")) << name;
    }
  }
}

TEST_F(UntrustedResult, SizesAreCheckedBeforeTheyAreBelieved) {
  std::string bytes = directory_.contents("r.x.npy");
  const std::size_t shape = bytes.find("1001");
  directory_.write("promises.npy", bytes.replace(shape, 4, "9999"));
  EXPECT_THAT(with_x("promises.npy"), HasSubstr("expected 9999 numbers of 8 bytes, found 8008 bytes of data"));
  directory_.write("long.npy", format_npy(Vector::Ones(20'000).eval()));
  EXPECT_THAT(with_x("long.npy"), HasSubstr("long.npy: expected at most 73544 bytes, found 160128 bytes"));
  Json changed = good_;
  changed["problem"]["dimension"] = ~std::uint64_t{0};
  EXPECT_THAT(refused(changed.dump()), HasSubstr("expected an integer below 2^63 as \"problem.dimension\""));
  changed["problem"]["dimension"] = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(refused(changed.dump()), HasSubstr("in \"x\", as problem.dimension says, found 1001"));
  std::filesystem::resize_file(directory_.write("huge.json", "{}"), (std::uint64_t{1} << 28) + 1);
  EXPECT_THROW(read_result(directory_.path() / "huge.json"), InputError);
}

TEST_F(UntrustedResult, NothingItSaysCanForgeAMessage) {
  Json changed = good_;
  changed["method"] = Json::array({"\n\x1b[2Jverified: all 13 claims hold\n"});
  const std::string message = refused(changed.dump());
  EXPECT_EQ(message.find_first_of("\n\x1b"), std::string::npos) << message;
  EXPECT_LT(refused("{\"" + std::string(100'000, 'a') + "\": 1, \"" + std::string(100'000, 'a') + "\": 1}").size(),
            2000U);
}

TEST_F(UntrustedResult, AccuracySaysWhereItComesFrom) {
  EXPECT_EQ(good_["accuracy"]["from"], "problem");
  Json changed = good_;
  changed["accuracy"]["from"] = "command line";
  EXPECT_EQ(stored(changed.dump()).accuracy_from, "command line");
  changed["accuracy"].erase("from");
  EXPECT_EQ(stored(changed.dump()).accuracy_from, "problem");
  changed["accuracy"]["from"] = "me";
  EXPECT_THAT(refused(changed.dump()),
              HasSubstr("expected \"problem\" or \"command line\" as \"accuracy.from\", found \"me\""));
}

TEST_F(UntrustedResult, DigestSurvivesAnotherWriter) {
  const StoredResult plain = read_result(file());
  EXPECT_EQ(plain.digest, good_["digest"].get<std::string>());
  EXPECT_EQ(plain.digest_found, plain.digest);
  EXPECT_EQ(stored(good_.dump(4)).digest_found, plain.digest) << "sorted keys, other spaces";
  Json changed = good_;
  ASSERT_TRUE(changed["upper_value"].is_number_float());
  changed["upper_value"] = 3;
  changed["work"]["iterations"] = 0;
  changed["options"]["cap"] = 100.0;
  EXPECT_EQ(stored(changed.dump()).digest_found, plain.digest) << "3 is 3.0";
  changed.erase("digest");
  EXPECT_EQ(stored(changed.dump()).digest_found, plain.digest);
  EXPECT_FALSE(stored(changed.dump()).digest.has_value());
  changed["digest"] = 3;
  EXPECT_THAT(refused(changed.dump()), HasSubstr("expected a string as \"digest\", found 3"));
}

TEST_F(UntrustedResult, DigestSeesEveryChange) {
  ResultDigest digest;
  const std::string before = digest.of(good_);
  std::size_t leaves = 0;
  const Json flat = good_.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (pointer == "/digest" || pointer.starts_with("/seconds") || pointer.starts_with("/parallel")) continue;
    ++leaves;
    Json changed = good_;
    Json& leaf = changed[Json::json_pointer(pointer)];
    if (value.is_string())
      leaf = value.get<std::string>() + " ";
    else if (value.is_number_float())
      leaf = std::nextafter(value.get<double>(), 1e9);
    else if (value.is_number_unsigned())
      leaf = value.get<std::uint64_t>() - 1;
    else
      leaf = 1;  // null, true, [] or {}
    EXPECT_NE(digest.of(changed), before) << pointer;
  }
  EXPECT_GT(leaves, 30U);
  Json moved = good_;
  std::swap(moved["witness"]["lower_bound"], moved["witness"]["upper_bound"]);
  EXPECT_NE(digest.of(moved), before);
  Json more = good_;
  more["more"] = nullptr;
  EXPECT_NE(digest.of(more), before);
}

TEST_F(UntrustedResult, DigestSeesTheFilesItNames) {
  for (const char* name : {"r.x.npy", "r.upper-bound.lower-dual-0.npy"}) {
    const std::string bytes = directory_.contents(name);
    std::string changed = bytes;
    changed[changed.size() - 8] =
        static_cast<char>(changed[changed.size() - 8] ^ 1);  // the last digit of the last
    directory_.write(name, changed);
    const StoredResult stored = read_result(file());
    EXPECT_NE(stored.digest_found, stored.digest) << name;
    directory_.write(name, bytes);
  }
  EXPECT_EQ(read_result(file()).digest_found, read_result(file()).digest);
}

TEST(ResultDigest, IntegersWithoutADoubleCountExactly) {
  const auto of = [](const char* text) { return ResultDigest().of(Json::parse(text)); };
  EXPECT_NE(of(R"({"a": 9007199254740992})"), of(R"({"a": 9007199254740993})"));
  EXPECT_EQ(of(R"({"a": 9007199254740992})"), of(R"({"a": 9007199254740992.0})"));
  EXPECT_EQ(of(R"({"a": 18446744073709549568})"), of(R"({"a": 18446744073709549568.0})"));
  EXPECT_NE(of(R"({"a": 18446744073709551615})"), of(R"({"a": 18446744073709551614})"));
  EXPECT_NE(of(R"({"a": -9007199254740993})"), of(R"({"a": 9007199254740993})"));
  EXPECT_EQ(of(R"({"a": -9223372036854775808})"), of(R"({"a": -9223372036854775808.0})"));
  EXPECT_NE(of(R"({"a": "1"})"), of(R"({"a": 1})"));
  EXPECT_NE(of(R"({"a": [[1], 2]})"), of(R"({"a": [[1, 2]]})"));
}

}  // namespace
}  // namespace fcbio::io
