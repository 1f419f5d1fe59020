#include "cli/help_texts.hpp"

namespace fcbio::cli {

const std::vector<HelpText>& help_texts() {
  static const std::vector<HelpText> texts = {
      {"problem", "what a problem file looks like",
       "A problem file says what is wanted: of all points of Z where g is least, one where f is least.\n"
       "\n"
       "  [domain]                      # Z: 'fcbio sets' lists the sets\n"
       "  set = \"ball\"\n"
       "  radius = 10.0\n"
       "\n"
       "  [upper]                       # f: 'fcbio functions' lists the functions\n"
       "  function = \"squared-norm\"\n"
       "\n"
       "  [lower]                       # g\n"
       "  function = \"logistic\"\n"
       "  data = \"train.csv\"\n"
       "  target = \"label\"\n"
       "\n"
       "  [accuracy]                    # 'fcbio help accuracy'\n"
       "  upper = 1e-4\n"
       "  lower = 1e-6\n"
       "\n"
       "  [limits]                      # optional: time (seconds), iterations, passes\n"
       "  time = 60\n"
       "\n"
       "[[upper]] and [[lower]], once per term, give sums. 'fcbio init DATA.csv' writes such a file for your data.\n"},
      {"accuracy", "what the accuracies promise, and what they do not",
       "x is returned as certified when f(x) - f* <= upper and g(x) - g* <= lower are both proved; f* is the least f\n"
       "among the minimisers of g. The first is one-sided: f(x) may lie below f*, because slack in g buys f. Four\n"
       "promises, each more than the one before:\n"
       "\n"
       "  weak       the two inequalities above\n"
       "  near       f(x) is also not far below f*, as far as a proved lower bound of f* tells\n"
       "  tight      [accuracy] tight = true, or --tight: f is nearly the least that the slack in g can buy\n"
       "  absolute   [accuracy] absolute = true, or --absolute: f(x) >= f* - upper is proved, too; needs an error\n"
       "             bound of g, which is computed for least squares of full rank and otherwise told by `holder`\n"
       "\n"
       "A smaller `lower` brings f(x) closer to f* from below.\n"},
      {"data", "files, columns, categories, missing values, weights",
       "A term with rows of data takes `data`: .csv, .tsv, .svm (LIBSVM), .npy, .mtx, also .gz, .xz, .zst; .fcb\n"
       "('fcbio help convert').\n"
       "\n"
       "  target = \"income\"              # a column by name or number, \"labels\" (LIBSVM, .fcb), a file, {constant = 1.0}\n"
       "  columns = [\"age\", \"job\"]       # the features; or drop = [\"id\"]\n"
       "  categories = \"auto\"            # texts become columns of 0 and 1; or the names of such columns\n"
       "  missing = \"drop-rows\"          # or \"mean\"; without it a missing value is an error\n"
       "  standardize = true             # means off, divided by deviations; scale = true divides only\n"
       "  sample_weights = \"w\"           # a column, a file or an array\n"
       "  rows = \"0:5000\"                # after shuffle = SEED\n"
       "  intercept = true               # a column of ones, the variable `intercept`\n"
       "\n"
       "Norms take weights of variables, by name too: weights = {intercept = 0} does not penalise the intercept.\n"
       "'fcbio functions NAME' has all keys of a function.\n"},
      {"statuses", "what the status of a result and the exit code mean",
       "  certified         both accuracies are proved; exit code 0\n"
       "  converged         the method's own rule ended it and f is not proved; exit code 5\n"
       "  iteration_limit, time_limit, work_limit, stalled   the best point so far; exit code 3\n"
       "  not_finite, not_convex                             something is wrong with the problem; exit code 4\n"
       "  interrupted       Ctrl-C; exit code 130\n"
       "\n"
       "Exit code 1: 'fcbio verify' found a claim that does not hold, or 'fcbio hard' a theorem. Exit code 2: bad usage\n"
       "or input; nothing was written.\n"},
      {"certificate", "what is proved about a result, and how to check it",
       "Every claim of result.json follows from the problem, the point x and the witness stored with it:\n"
       "\n"
       "  upper_excess        at least f(x) - f*\n"
       "  lower_gap           at least g(x) - g*\n"
       "  upper_lower_bound   at most f*\n"
       "  lower_lower_bound   at most g*\n"
       "\n"
       "'fcbio verify PROBLEM.toml result.json' proves them anew with code that shares no arithmetic with the solver.\n"
       "'evidence' says whether they are proved or estimated, 'premises' what a proof takes on trust.\n"},
  };
  return texts;
}

}  // namespace fcbio::cli
