// Logistic loss on validation documents over the minimisers of the logistic loss on training documents, in a large
// ball: the second experiment of the paper, on synthetic documents.
#include "catalogue/builders.hpp"
#include "catalogue/documents.hpp"

namespace fcbio::catalogue {
namespace {

Instance logistic_pair(const Parameters& options, Random& random) {
  const Vector topic = random_topic(options.columns, random);
  Documents training = documents(options.rows, topic, random);
  Documents validation = documents(options.rows, topic, random);
  Instance instance;
  instance.data = assemble(
      ball_set(options.columns, options.radius),
      data_term("logistic", {std::move(validation.words)}, std::move(validation.labels), true),
      data_term("logistic", {std::move(training.words)}, std::move(training.labels), true), Accuracy{1e-3, 1e-3});
  return instance;
}

}  // namespace

std::vector<Entry> logistic_entries() {
  return {seeded_entry(
      {"logistic-pair", "mean logistic loss on validation over that on training; sparse Zipf documents in a ball",
       "no closed form: the certificate is the answer", "P2", "500 x 300"},
      Parameters{.rows = 500, .columns = 300, .radius = 300.0},
      ParameterTable({
          {"rows", &Parameters::rows, {2, 1e6}, {}, "documents in each of the two sets"},
          {"columns", &Parameters::columns, {10, 1e6}, {}, "words: the dimension n"},
          {"radius", &Parameters::radius, {0, kInfinity, true}, {}, "radius of the ball Z"},
      }),
      logistic_pair)};
}

}  // namespace fcbio::catalogue
