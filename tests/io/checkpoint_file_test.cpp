#include "io/checkpoint_file.hpp"

#include <gmock/gmock.h>

#include "data/input_error.hpp"
#include "problem_support.hpp"

namespace fcbio::io {
namespace {

const CheckpointIdentity kIdentity = {{"problem", "0123"}, {"options", "engine = newton"}};

std::string refusal(const std::filesystem::path& file, const CheckpointIdentity& identity = kIdentity) {
  try {
    read_checkpoint(file, identity);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

TEST(CheckpointFile, GivesBackItsState) {
  ProblemDirectory directory;
  const std::filesystem::path file = directory.path() / "c.fck";
  EXPECT_FALSE(is_checkpoint(file));
  for (const std::string& state : {std::string(), std::string("state\0\xff", 7), std::string(100000, 's')}) {
    write_checkpoint(file, kIdentity, state);
    EXPECT_TRUE(is_checkpoint(file));
    EXPECT_EQ(read_checkpoint(file, kIdentity), state);
  }
}

TEST(CheckpointFile, BelongsToOneIdentity) {
  ProblemDirectory directory;
  const std::filesystem::path file = directory.path() / "c.fck";
  write_checkpoint(file, kIdentity, "state");
  EXPECT_THAT(
      refusal(file, {{"problem", "4567"}, {"options", "engine = newton"}}),
      testing::EndsWith("c.fck: expected a checkpoint of problem '4567', found one of '0123'; resume with the "
                        "same problem, or leave --resume out to begin again"));
  EXPECT_THAT(refusal(file, {{"problem", "0123"}, {"options", "engine = newton"}, {"seed", "3"}}),
              testing::HasSubstr("a checkpoint of seed '3', found one that does not tell"));
  EXPECT_THAT(
      refusal(file, {{"problem", "0123"}}),
      testing::EndsWith("c.fck: expected a checkpoint without options, found one of 'engine = newton'; resume "
                        "with the same options, or leave --resume out to begin again"));
}

TEST(CheckpointFile, EveryFlippedBitAndEveryMissingByteIsFound) {
  ProblemDirectory directory;
  const std::filesystem::path file = directory.path() / "c.fck";
  write_checkpoint(file, kIdentity, "some state");
  const std::string good = directory.contents("c.fck");
  for (std::size_t size = 0; size < good.size(); ++size) {
    directory.write("c.fck", good.substr(0, size));
    EXPECT_NE(refusal(file), "read") << size;
  }
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string flipped = good;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ static_cast<char>(1 << bit % 8));
    directory.write("c.fck", flipped);
    EXPECT_NE(refusal(file), "read") << bit;
  }
}

}  // namespace
}  // namespace fcbio::io
