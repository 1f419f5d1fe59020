#include "solver/finite_sums.hpp"

#include "core/checkpoints.hpp"
#include "core/conclusion.hpp"
#include "functions/distributed_term.hpp"
#include "solver/sandwich.hpp"

namespace fcbio {

const OptionTable<VarianceReducedOptions>& finite_sum_option_table() {
  static const OptionTable<VarianceReducedOptions> table({
      {"seed",
       &VarianceReducedOptions::seed,
       {0, 9e15},
       {},
       "of the draws; chance decides how long it takes, never what is claimed (--seed of the command line sets it)"},
      {"batch",
       &VarianceReducedOptions::batch,
       {0, 65536},
       {},
       "rows drawn for one step; 0: by cost (1 for dense data, more where rows are short against the dimension)"},
      {"epoch",
       &VarianceReducedOptions::epoch,
       {0.01, 100},
       {},
       "rows drawn, on average, between two full gradients, in units of the number of all rows"},
  });
  return table;
}

std::string finite_sum_misfit(const Problem& problem) {
  if (!problem.domain().diameter()) return "the domain has no radius, without which no lower bound can be proved";
  if (const Term* term = functions::distributed_part(problem))
    return "the rows of '" + std::string(term->name()) +
           "' lie on many ranks, and it draws from all of them; start the program without mpirun";
  return VarianceReducedEngine::misfit(problem);
}

Result run_finite_sum(const Problem& problem, const Accuracy& accuracy, const VarianceReducedOptions& options,
                      Monitor& monitor) {
  Oracle oracle(problem, monitor);
  Ledger ledger(problem);
  const Monitor::Reservation for_the_end(monitor, Ledger::proof_cost(problem));  // conclude() proves
  VarianceReducedEngine engine(oracle, options);
  Sandwich sandwich(problem, accuracy, oracle, ledger, engine);
  const Frame frame(monitor, [&](Archive& archive) { archive(oracle, ledger, engine, sandwich); });
  sandwich.run();
  Result result = conclude(oracle, ledger, accuracy, {.can_prove = true});
  result.engine = engine.name();
  return result;
}

}  // namespace fcbio
