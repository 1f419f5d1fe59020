#include "io/problem_file_terms.hpp"

#include <fmt/format.h>

#include "data/input_error.hpp"
#include "io/problem_keys.hpp"
#include "io/problem_select.hpp"

namespace fcbio::io {
namespace {

/// Numbers with their rules come before data files, which may be large.
struct NumberReader {
  const TableReader& table;
  void operator()(const data::NumberField& field, double& number) const { number = read_number(table, field); }
  template <class Field, class Member>
  void operator()(const Field&, Member&) const {}
};

/// Everything that is not a plain number, in the order of the fields.  The data comes first and is told by its
/// target.
class TermFieldReader {
 public:
  TermFieldReader(const TableReader& table, DataStore& store, TermSource& source)
      : table_(table), store_(store), source_(source) {}

  void operator()(const data::DataField&, data::Matrix&) const {}  // DataPlacer
  void operator()(const data::TargetField& field, Vector& target) {
    rows_ = read_rows(table_, store_, field, data::name_of(source_.term));
    target = std::move(rows_.target);
    source_.intercept = rows_.intercept;
    source_.intercept_entry = rows_.intercept_entry;
    source_.encoded = rows_.encoded;
    source_.notes = rows_.notes;
    source_.names = rows_.names;
    source_.data_source = rows_.source;
    source_.units = rows_.units;
    if (!source_.names.empty() && rows_.intercept) source_.names.emplace_back(kInterceptName);
    source_.claims.push_back({rows_.data.cols() + (rows_.intercept ? 1 : 0),
                              rows_.intercept ? rows_.source + " and its intercept" : rows_.source,
                              table_.line_of("data"), rows_.paddable});
  }
  void operator()(const data::SampleWeightsField&, Vector& weights) { weights = std::move(rows_.sample_weights); }
  void operator()(const data::AverageField&, bool& average) {
    average = table_.flag_if("average").value_or(false);
  }
  void operator()(const data::SquareMatrixField&, data::Matrix& matrix) const;
  void operator()(const data::VectorField& field, Vector&) const;
  void operator()(const data::NumberField&, double&) const {}  // NumberReader
  data::Matrix take_data() { return std::move(rows_.data); }

 private:
  const TableReader& table_;
  DataStore& store_;
  TermSource& source_;
  TermRows rows_;
};

void TermFieldReader::operator()(const data::SquareMatrixField&, data::Matrix& matrix) const {
  matrix = table_.matrix("matrix");
  if (matrix.rows() != matrix.cols())
    table_.refuse("matrix", fmt::format("a square `matrix` in {}", table_.place()),
                  fmt::format("{} rows and {} columns", matrix.rows(), matrix.cols()));
  source_.claims.push_back(
      {matrix.cols(), fmt::format("`matrix` of {}", table_.place()), table_.line_of("matrix"), false});
}

void TermFieldReader::operator()(const data::VectorField& field, Vector&) const {
  if (field.required) table_.require(field.key, "a number, an array of numbers or a file of numbers");
  source_.vectors.push_back(table_.named_vector_if(field.key));
  if (!source_.vectors.back()) return;
  const VectorValue& value = *source_.vectors.back();
  if (field.rule == data::NumberRule::not_negative && value.smallest() < 0.0)
    table_.refuse(field.key, fmt::format("`{}` >= 0 in {}", field.key, table_.place()),
                  number_text(value.smallest()));
  if (value.size())
    source_.claims.push_back({*value.size(),
                              value.source.front() == '`'
                                  ? fmt::format("`{}` of {}", field.key, table_.place())
                                  : fmt::format("`{}` of {}, {}", field.key, table_.place(), value.source),
                              value.line, false});
}

/// Moves the data in once all is read.
struct DataPlacer {
  data::Matrix data;
  void operator()(const data::DataField&, data::Matrix& place) { place = std::move(data); }
  template <class Field, class Member>
  void operator()(const Field&, Member&) {}
};

/// What depends on n and on the names of the variables.
struct TermFinisher {
  const TermSource& source;
  Index n;
  const std::vector<std::string>& names;
  const std::filesystem::path& file;
  std::size_t vectors = 0;

  void operator()(const data::DataField&, data::Matrix& data) const {
    pad_columns(data, n - (source.intercept ? 1 : 0));
    if (source.intercept) append_column(data, source.intercept_entry);
  }
  void operator()(const data::VectorField& field, Vector& vector) {
    const std::optional<VectorValue>& value = source.vectors[vectors++];
    vector = value ? value->expanded(n, names, field.absent, file) : Vector(Vector::Constant(n, field.absent));
  }
  template <class Field, class Member>
  void operator()(const Field&, Member&) const {}
};

/// Of a function that is maximised: the negative of what is given, or of its coefficients where it is linear.
double read_weight(const TableReader& table, bool maximize, bool linear) {
  const double weight = table.real_if("weight").value_or(1.0);
  if (maximize && !linear) {
    if (weight > 0.0)
      table.refuse(table.has("weight") ? "weight" : "maximize",
                   fmt::format("`weight` <= 0 beside `maximize` in {}: only concave functions are maximised",
                               table.place()),
                   number_text(weight), "maximise a linear function, or give the weight its sign");
    return -weight;
  }
  if (weight < 0.0)
    table.refuse("weight", fmt::format("`weight` >= 0 in {}", table.place()), number_text(weight),
                 "a negative weight makes the objective nonconvex");
  return weight;
}

}  // namespace

TermSource read_term(const TableReader& table, DataStore& store) {
  constexpr std::type_identity<data::FunctionKind> kFunctions{};
  TermSource source;
  data::Term& term = source.term;
  term.kind = *data::kind_called(table.name("function", "the function", data::names_of(kFunctions)), kFunctions);
  term.line = table.line();
  table.allow_only(keys_of(term.kind));
  std::visit(
      [&](auto& kind) {
        source.maximize = table.flag_if("maximize").value_or(false);
        term.weight =
            read_weight(table, source.maximize, std::is_same_v<std::decay_t<decltype(kind)>, data::Linear>);
        term.lower_bound = table.real_if("lower_bound");
        if (source.maximize && term.lower_bound)
          table.refuse("lower_bound", "no `lower_bound` beside `maximize`", "both", "remove one of them");
        data::for_each_field(kind, NumberReader{table});
        TermFieldReader reader(table, store, source);
        data::for_each_field(kind, reader);
        data::for_each_field(kind, DataPlacer{reader.take_data()});
      },
      term.kind);
  return source;
}

data::Term finish_term(TermSource source, Index n, const std::vector<std::string>& names,
                       const std::filesystem::path& file) {
  std::visit(
      [&](auto& kind) {
        data::for_each_field(kind, TermFinisher{source, n, names, file});
      },
      source.term.kind);
  if (auto* linear = std::get_if<data::Linear>(&source.term.kind); linear != nullptr && source.maximize)
    linear->coefficients = -linear->coefficients;
  return std::move(source.term);
}

}  // namespace fcbio::io
