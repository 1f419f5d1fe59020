#include "experiments/paper.hpp"

#include <fmt/format.h>

#include "catalogue/builders.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "fcbio/error.hpp"
#include "io/data_file.hpp"
#include "io/problem_select.hpp"

namespace fcbio::experiments {
namespace {

constexpr std::int64_t kMinimumNormRows = 400, kLogisticRows = 5000;
constexpr double kMinimumNormRadius = 2.0, kLogisticRadius = 300.0;
constexpr Accuracy kMinimumNormAccuracy{1e-6, 1e-6}, kLogisticAccuracy{1e-3, 1e-3};

void require_rows(const std::filesystem::path& file, Index found, Index wanted) {
  if (found < wanted)
    throw InvalidArgument(
        fmt::format("{}: expected at least {} rows, found {}; give --rows", file.string(), wanted, found));
}

std::vector<Index> first_of(const std::vector<Index>& order, Index begin, Index count) {
  return {order.begin() + begin, order.begin() + begin + count};
}

data::Problem sampled_regression(const PaperOptions& options) {
  io::DataFile file = io::read_data_into_memory(options.data);
  auto* table = std::get_if<RowMajorMatrix>(&file.matrix.matrix);
  if (table == nullptr)
    throw InvalidArgument(fmt::format(
        "{}: expected a table of numbers (CSV, NPY), found sparse data; the experiment takes one column as b",
        options.data.string()));
  const Index rows = options.rows > 0 ? options.rows : kMinimumNormRows;
  require_rows(options.data, table->rows(), rows);
  if (table->cols() < 2)
    throw InvalidArgument(fmt::format("{}: expected at least 2 columns, found 1", options.data.string()));

  catalogue::Random random(options.seed);
  Index target = static_cast<Index>(random.below(static_cast<std::uint64_t>(table->cols())));
  if (options.target) {
    if (*options.target >= table->cols())
      throw InvalidArgument(
          fmt::format("--target: expected a column 0 .. {}, found {}", table->cols() - 1, *options.target));
    target = *options.target;
  }
  const std::vector<Index> sample = first_of(io::shuffled_order(table->rows(), options.seed), 0, rows);
  data::Matrix data = io::select_rows({std::move(*table)}, sample);
  RowMajorMatrix& a = std::get<RowMajorMatrix>(data.matrix);
  a /= options.scale;
  Vector b = io::take_column(a, target);
  const Index n = a.cols();

  data::Problem problem = catalogue::assemble(
      catalogue::ball_set(n, kMinimumNormRadius), catalogue::squared_norm_term_data(Vector::Zero(n)),
      catalogue::data_term("least-squares", std::move(data), std::move(b), false), kMinimumNormAccuracy);
  problem.start = random.unit_vector(n);
  problem.notes.push_back(fmt::format("{} rows sampled with seed {}, column {} is b", rows, options.seed, target));
  return problem;
}

data::Term mean_logistic(const io::DataFile& file, const std::vector<Index>& rows) {
  return catalogue::data_term("logistic", io::select_rows(file.matrix, rows),
                              io::select_entries(file.labels, rows), true);
}

data::Problem sampled_classification(const PaperOptions& options) {
  io::DataFile file = io::read_data_file(options.data);
  if (file.labels.size() == 0)
    throw InvalidArgument(fmt::format("{}: expected LIBSVM text with labels", options.data.string()));
  const Index rows = options.rows > 0 ? options.rows : kLogisticRows;
  require_rows(options.data, file.labels.size(), 2 * rows);
  std::string mapping;
  try {
    mapping = io::map_labels(file.labels);
  } catch (const std::invalid_argument& error) {
    throw InvalidArgument(fmt::format("{}: expected two classes: {}", options.data.string(), error.what()));
  }
  const std::vector<Index> order = io::shuffled_order(file.labels.size(), options.seed);
  data::Problem problem = catalogue::assemble(catalogue::ball_set(file.matrix.cols(), kLogisticRadius),
                                              mean_logistic(file, first_of(order, rows, rows)),
                                              mean_logistic(file, first_of(order, 0, rows)), kLogisticAccuracy);
  if (!mapping.empty()) problem.notes.push_back(mapping);
  problem.notes.push_back(
      fmt::format("{0} training and {0} validation rows sampled with seed {1}", rows, options.seed));
  return problem;
}

std::string source(const PaperOptions& options, const char* stand_in) {
  return options.data.empty() ? fmt::format("Data: {}, seed {}.", stand_in, options.seed)
                              : fmt::format("Data: {}.", options.data.filename().string());
}

std::vector<Contestant> parsed(std::initializer_list<std::pair<const char*, const char*>> published) {
  std::vector<Contestant> all;
  for (const auto& [label, text] : published) {
    all.push_back(parse_contestants(text).front());
    all.back().label = label;
  }
  return all;
}

}  // namespace

PaperExperiment minimum_norm_experiment(const PaperOptions& options) {
  PaperExperiment experiment;
  experiment.title = "Minimum norm solution (first experiment of the FC-BiO paper)";
  experiment.introduction = source(options, "synthetic daily page views") + "\n";
  if (options.data.empty()) {
    const std::int64_t rows = options.rows > 0 ? options.rows : kMinimumNormRows;
    experiment.data =
        catalogue::find_entry("min-norm-wikipedia").make({{"rows", fmt::format("{}", rows)}}, options.seed).data;
  } else {
    experiment.data = sampled_regression(options);
  }
  experiment.data.accuracy = kMinimumNormAccuracy;
  experiment.contestants = parsed({
      {"fcbio", "fcbio"},
      {"FC-BiO-sm", "fcbio-sm:cap=8000:lower_iterations=15000:upper_bound_below=0"},
      {"FC-BiO-Lip", "fcbio-lip:cap=8000:eta=3e-4:lower_iterations=15000:upper_bound_below=0"},
      {"AGM-BiO", "agm-bio:gamma=1"},
      {"PB-APG", "pb-apg:gamma=1e5"},
      {"Bi-SG", "bi-sg:alpha=0.75"},
      {"a-IRG", "a-irg:gamma0=1e-3:eta0=1e-3:output=last"},
      {"CG-BiO", "cg-bio:step=0.5:step_offset=1:lower_iterations=10000"},
      {"Bisec-BiO", "bisec-bio:round_iterations=10000:lower_iterations=15000"},
  });
  return experiment;
}

PaperExperiment logistic_experiment(const PaperOptions& options) {
  PaperExperiment experiment;
  experiment.title = "Over-parameterised logistic regression (second experiment of the FC-BiO paper)";
  experiment.introduction = source(options, "synthetic documents") + "\n";
  if (options.data.empty()) {
    const std::string rows = fmt::format("{}", options.rows > 0 ? options.rows : kLogisticRows);
    experiment.data =
        catalogue::find_entry("logistic-pair").make({{"rows", rows}, {"columns", "47236"}}, options.seed).data;
  } else {
    experiment.data = sampled_classification(options);
  }
  experiment.data.accuracy = kLogisticAccuracy;
  experiment.contestants = parsed({
      {"fcbio", "fcbio"},
      {"FC-BiO-sm", "fcbio-sm:cap=500:lower_iterations=1000:upper_bound_below=0"},
      {"FC-BiO-Lip", "fcbio-lip:cap=1000:eta=2:lower_iterations=1500:upper_bound_below=0"},
      {"AGM-BiO", "agm-bio:rule=heb:iterations=5000"},
      {"PB-APG", "pb-apg:gamma=1e4"},
      {"Bi-SG", "bi-sg:alpha=0.75"},
      {"a-IRG", "a-irg:gamma0=0.1:eta0=1e3:output=last"},
      {"CG-BiO", "cg-bio:lower_iterations=1500"},
  });
  return experiment;
}

}  // namespace fcbio::experiments
