#include "mpi/mpirun.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

namespace fcbio::cli_test {

MpiTest::MpiTest() {
  for (const auto& [name, value] :
       {std::pair("OMPI_ALLOW_RUN_AS_ROOT", "1"), std::pair("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        std::pair("OMPI_MCA_btl_vader_single_copy_mechanism", "none"),
        std::pair("OMPI_MCA_rmaps_base_oversubscribe", "1"), std::pair("OMPI_MCA_mpi_yield_when_idle", "1"),
        std::pair("OMPI_MCA_hwloc_base_binding_policy", "none"), std::pair("OMPI_MCA_plm_rsh_agent", "false")})
    ::setenv(name, value, 0);
}

Outcome MpiTest::run_ranks(int ranks, const Arguments& arguments) const {
  return run_ranks_of(ranks, FCBIO_PROGRAM, arguments);
}

Outcome MpiTest::run_ranks_of(int ranks, const std::string& program, const Arguments& arguments,
                              const std::function<bool()>& started, int signal_number) const {
  const Arguments whole = Arguments{"-q", "--oversubscribe", "-n", std::to_string(ranks), program} + arguments;
  return run_program(FCBIO_MPIRUN, whole, started, signal_number);
}

std::string MpiTest::script(const std::string& name, const std::string& lines) const {
  write(name, "#!/bin/sh\nRANK=$OMPI_COMM_WORLD_RANK\n" + lines + "\nexec \"$@\"\n");
  std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
  return path(name).string();
}

void MpiTest::expect_refused_by_all(const Outcome& outcome, const std::vector<std::string>& fragments) const {
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  std::size_t messages = 0;
  for (std::size_t at = 0; (at = outcome.err.find("fcbio: error: ", at)) != std::string::npos; ++at) ++messages;
  EXPECT_EQ(messages, 1U) << outcome.err;
  for (const std::string& fragment : fragments) EXPECT_THAT(outcome.err, ::testing::HasSubstr(fragment));
}

}  // namespace fcbio::cli_test
