// Sparse linear classifiers of documents: f = |x|_1/n over the minimisers of the mean hinge loss, in a box or a
// ball.
#include "catalogue/builders.hpp"
#include "catalogue/documents.hpp"

namespace fcbio::catalogue {
namespace {

Instance hinge_documents(const Parameters& options, Random& random) {
  const Index n = options.columns;
  const Vector topic = random_topic(n, random);
  Documents training = documents(options.rows, topic, random);
  data::Set domain = options.set == "box"
                         ? box_set(Vector::Constant(n, -options.radius), Vector::Constant(n, options.radius))
                         : ball_set(n, options.radius);
  Instance instance;
  instance.data = assemble(std::move(domain), l1_norm_term_data(Vector::Zero(n), 1.0 / static_cast<double>(n)),
                           data_term("hinge", {std::move(training.words)}, std::move(training.labels), true),
                           Accuracy{1e-2, 1e-2});
  return instance;
}

}  // namespace

std::vector<Entry> hinge_document_entries() {
  return {
      seeded_entry({"hinge-documents",
                    "mean absolute weight over the minimisers of the mean hinge loss; Zipf documents, box or ball",
                    "no closed form: the certificate is the answer", "P14", "100 x 150"},
                   Parameters{.rows = 100, .columns = 150, .radius = 50.0, .set = "box"},
                   ParameterTable({
                       {"rows", &Parameters::rows, {2, 1e6}, {}, "documents"},
                       {"columns", &Parameters::columns, {10, 1e6}, {}, "words: the dimension n"},
                       {"set", &Parameters::set, {}, {"box", "ball"}, "the domain Z"},
                       {"radius",
                        &Parameters::radius,
                        {0, kInfinity, true},
                        {},
                        "Z = [-radius, radius]^n, or the ball of that radius"},
                   }),
                   hinge_documents)};
}

}  // namespace fcbio::catalogue
