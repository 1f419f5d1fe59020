// One job on two hosts: network namespaces with names and addresses of their own, joined by a virtual cable.  Where
// the system does not let us make them, the test is skipped and says why.
#include <gmock/gmock.h>
#include <unistd.h>

#include "mpi/mpirun.hpp"

namespace fcbio::cli_test {
namespace {

class TwoHosts : public MpiTest {
 protected:
  static constexpr const char* kFirst = "10.77.31.1";
  static constexpr const char* kSecond = "10.77.31.2";

  void SetUp() override {
    const Outcome made =
        shell("set -e; ip netns add " + a_ + "; ip netns add " + b_ + "; ip link add " + cable("a") + " netns " +
              a_ + " type veth peer name " + cable("b") + " netns " + b_ + "; " + set_up(a_, cable("a"), kFirst) +
              set_up(b_, cable("b"), kSecond) + "unshare --uts true");
    if (made.exit_code != 0)
      GTEST_SKIP() << "needs network namespaces (root, iproute2 and a kernel with veth): " << made.err;
  }
  void TearDown() override { shell("ip netns del " + a_ + "; ip netns del " + b_); }

  Outcome shell(const std::string& command) const { return run_program("/bin/sh", {"-c", command}); }
  /// A command on a host.
  static std::string on(const std::string& host, const std::string& command) {
    return "ip netns exec " + host + " unshare --uts sh -c 'hostname " + host + "; exec \"$@\"' sh " + command;
  }

  const std::string a_ = "fcbio-a-" + std::to_string(::getpid()), b_ = "fcbio-b-" + std::to_string(::getpid());

 private:
  static std::string cable(const std::string& end) { return "fc" + end + std::to_string(::getpid()); }
  static std::string set_up(const std::string& host, const std::string& device, const std::string& address) {
    return "ip -n " + host + " addr add " + address + "/24 dev " + device + "; ip -n " + host +
           " link set lo up; ip -n " + host + " link set " + device + " up; ";
  }
};

TEST_F(TwoHosts, SolveOneProblem) {
  const std::string problem = generate("logistic-pair", "p");
  // What ssh would do: agent HOST COMMAND...
  write("agent", "#!/bin/sh\nshift\n" + on(b_, "sh -c \"$*\"") + "\n");
  std::filesystem::permissions(path("agent"), std::filesystem::perms::owner_all);
  const std::string mpirun =
      std::string(FCBIO_MPIRUN) + " -q --oversubscribe --host " + kFirst + "," + kSecond +
      " --mca plm_rsh_agent " + path("agent").string() +
      " --mca btl self,tcp --mca btl_tcp_if_include 10.77.31.0/24 --mca oob_tcp_if_include 10.77.31.0/24 -n 2 ";
  const Outcome names = shell(on(a_, mpirun + "hostname"));
  ASSERT_EQ(names.exit_code, 0) << names.err;
  EXPECT_THAT(names.out, ::testing::AllOf(::testing::HasSubstr(a_), ::testing::HasSubstr(b_)));

  const Outcome solved = shell(on(a_, mpirun + FCBIO_PROGRAM + " solve " + problem + " -o two.json"));
  EXPECT_EQ(solved.exit_code, 0) << solved.out << solved.err;
  expect_verified(problem, "two.json");
  EXPECT_EQ(run_ranks(1, {"solve", problem, "-o", "one.json"}).exit_code, 0);
  EXPECT_EQ(read_json("two.json")["digest"], read_json("one.json")["digest"]);
}

}  // namespace
}  // namespace fcbio::cli_test
