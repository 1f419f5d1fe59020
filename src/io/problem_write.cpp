// A problem to PROBLEM.toml and data files, such that read_problem() gives back the same mathematics to the bit.
// Dense data goes to LEVEL-I.npy with its targets in LEVEL-I.target.npy, sparse data to LEVEL-I.svm with the
// targets as labels, Q of a quadratic and the rows of a polyhedron to a .npy or .mtx file.  Vectors of equal
// entries become a number, short ones (and box bounds with infinities, which no file may hold) an array, others a
// .npy file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/input_error.hpp"
#include "io/atomic_file.hpp"
#include "io/libsvm.hpp"
#include "io/npy.hpp"
#include "io/number.hpp"
#include "io/problem_file.hpp"
#include "io/problem_text.hpp"

namespace fcbio::io {
namespace {

constexpr Index kInlineEntries = 8;

std::string toml_number(double number) {
  if (std::isinf(number)) return number > 0.0 ? "inf" : "-inf";
  std::string text;
  append_number(text, number);
  // A bare integer is an integer to TOML, and may be too long for one.
  if (text.find_first_of(".e") == std::string::npos) return text + ".0";
  // TOML wants a digit on both sides of the point and allows an exponent without one, as append_number writes it.
  return text;
}

std::string toml_array(const double* numbers, Index count) {
  std::string text = "[";
  for (Index i = 0; i < count; ++i) text.append(i > 0 ? ", " : "").append(toml_number(numbers[i]));
  return text + "]";
}

// "%%MatrixMarket matrix coordinate real general", entries row by row, counted from 1.
std::string matrix_market(const CsrMatrix& matrix) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", matrix.rows,
                                 matrix.cols, matrix.nonzeros());
  for (Index row = 0; row < matrix.rows; ++row) {
    for (auto k = matrix.starts[static_cast<std::size_t>(row)];
         k < matrix.starts[static_cast<std::size_t>(row) + 1]; ++k) {
      text += fmt::format("{} {} ", row + 1, matrix.columns[static_cast<std::size_t>(k)] + 1);
      append_number(text, matrix.values[static_cast<std::size_t>(k)]);
      text += '\n';
    }
  }
  return text;
}

// Readers refuse sparse files without any entry; an explicit zero changes nothing.
CsrMatrix with_an_entry(CsrMatrix matrix) {
  if (matrix.nonzeros() > 0 || matrix.rows == 0) return matrix;
  matrix.columns = {0};
  matrix.values = {0.0};
  for (std::size_t row = 1; row < matrix.starts.size(); ++row) matrix.starts[row] = 1;
  return matrix;
}

class Writer {
 public:
  explicit Writer(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// The value of a vector key; long ones go to STEM.KEY.npy.
  std::string vector(const Vector& numbers, const std::string& stem, std::string_view key) const {
    const bool constant = numbers.size() > 0 && (numbers.array() == numbers[0]).all();
    if (constant) return toml_number(numbers[0]);
    if (numbers.size() <= kInlineEntries || !numbers.allFinite())
      return toml_array(numbers.data(), numbers.size());
    const std::string name = fmt::format("{}.{}.npy", stem, key);
    write_npy(directory_ / name, numbers);
    return toml_string(name);
  }

  std::string matrix(const RowMajorMatrix& numbers, const std::string& stem) const {
    const std::string name = stem + ".npy";
    write_npy(directory_ / name, numbers);
    return toml_string(name);
  }

  /// KEY = "STEM.KEY.npy", also where all numbers are equal: a number would name a column.
  void file(std::string_view name, const Vector& numbers, const std::string& stem) {
    const std::string file_name = fmt::format("{}.{}.npy", stem, name);
    write_npy(directory_ / file_name, numbers);
    key(name, toml_string(file_name));
  }
  void key(std::string_view name, const std::string& value) { text_ += fmt::format("{} = {}\n", name, value); }
  void line(const std::string& text) { text_ += text + "\n"; }
  /// # lines; TOML allows no control characters in them.
  void comment(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string row = end == at ? "#" : "# " + text.substr(at, end - at);
      std::replace_if(
          row.begin(), row.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
      line(row);
      at = end + 1;
    }
  }

  void finish() const { write_file_atomically(directory_ / kProblemFileName, text_); }

  /// The keys of a term.
  void term(const data::Term& term, const std::string& stem);
  /// "set = "ball"SEPARATORradius = 1.0 ...": lines of a table, or the inside of an inline table.
  std::string set_keys(const data::Set& set, const std::string& stem, const char* separator) const;
  /// The file STEM.mtx with a sparse matrix, or STEM.npy with a dense one.
  std::string matrix(const data::Matrix& data, const std::string& stem) const;
  /// `data` and `target` of a term.
  void rows(const data::Matrix& data, const Vector& target, const std::string& stem);

 private:
  std::filesystem::path directory_;
  std::string text_;
};

std::string Writer::matrix(const data::Matrix& data, const std::string& stem) const {
  if (!data.is_owned()) return matrix(data.owned(), stem);
  if (const auto* dense = std::get_if<RowMajorMatrix>(&data.matrix)) return matrix(*dense, stem);
  write_file_atomically(directory_ / (stem + ".mtx"),
                        matrix_market(with_an_entry(std::get<CsrMatrix>(data.matrix))));
  return toml_string(stem + ".mtx");
}

void Writer::rows(const data::Matrix& data, const Vector& target, const std::string& stem) {
  if (!data.is_owned()) return rows(data.owned(), target, stem);
  if (const auto* dense = std::get_if<RowMajorMatrix>(&data.matrix)) {
    key("data", matrix(*dense, stem));
    file("target", target, stem);
    return;
  }
  write_libsvm(directory_ / (stem + ".svm"), with_an_entry(std::get<CsrMatrix>(data.matrix)), target);
  key("data", toml_string(stem + ".svm"));
  key("target", "\"labels\"");
}

struct TermFieldWriter {
  Writer& writer;
  const std::string& stem;
  const data::Matrix* data = nullptr;
  void operator()(const data::DataField&, const data::Matrix& matrix) { data = &matrix; }
  void operator()(const data::TargetField&, const Vector& target) { writer.rows(*data, target, stem); }
  void operator()(const data::AverageField&, const bool& average) {
    if (average) writer.key("average", "true");
  }
  void operator()(const data::SampleWeightsField&, const Vector& weights) {
    if (!data::is_absent(weights, 1.0)) writer.file("sample_weights", weights, stem);
  }
  void operator()(const data::SquareMatrixField&, const data::Matrix& matrix) {
    writer.key("matrix", writer.matrix(matrix, stem));
  }
  void operator()(const data::VectorField& field, const Vector& vector) {
    if (field.absent == 0.0 || !data::is_absent(vector, field.absent))
      writer.key(field.key, writer.vector(vector, stem, field.key));
  }
  void operator()(const data::NumberField& field, const double& number) {
    writer.key(field.key, toml_number(number));
  }
};

void Writer::term(const data::Term& term, const std::string& stem) {
  key("function", toml_string(data::name_of(term)));
  std::visit([&](const auto& kind) { data::for_each_field(kind, TermFieldWriter{*this, stem}); }, term.kind);
  if (term.weight != 1.0) key("weight", toml_number(term.weight));
  if (term.lower_bound) key("lower_bound", toml_number(*term.lower_bound));
}

/// Keys of a set but for `dimension`: radius after the others, members last.
struct SetFieldWriter {
  const Writer& writer;
  const std::string& stem;
  std::vector<std::string> keys = {}, last = {};
  std::string radius = {};
  std::map<std::string, std::vector<std::string>> inside = {};  // keys of inline tables

  void add(std::string_view name, const std::string& value) {
    keys.push_back(fmt::format("{} = {}", name, value));
  }
  void operator()(const data::RadiusField&, const std::optional<double>& number) {
    if (number) radius = fmt::format("radius = {}", toml_number(*number));
  }
  void operator()(const data::VectorField& field, const Vector& vector) {
    if (field.inside.empty()) {
      add(field.key, writer.vector(vector, stem, field.key));
    } else if (!(vector.array() == field.absent).all()) {
      const std::string file_key = fmt::format("{}.{}", field.inside, field.key);
      inside[std::string(field.inside)].push_back(
          fmt::format("{} = {}", field.key, writer.vector(vector, stem, file_key)));
    }
  }
  void operator()(const data::RowsField&, const data::Matrix& matrix) {
    add("matrix", writer.matrix(matrix, stem + ".matrix"));
  }
  void operator()(const data::RowSideField& field, const Vector& sides) {
    if (!(sides.array() == field.absent).all()) add(field.key, writer.vector(sides, stem, field.key));
  }
  void operator()(const data::NumberField& field, const double& number) { add(field.key, toml_number(number)); }
  void operator()(const data::EquationsField&, const RowMajorMatrix& matrix) {
    add("matrix", writer.matrix(matrix, stem + ".matrix"));
  }
  void operator()(const data::ValuesField&, const Vector& values) {
    add("values", writer.vector(values, stem, "values"));
  }
  void operator()(const data::MembersField&, const std::vector<data::Set>& sets) {
    std::vector<std::string> members;
    for (std::size_t i = 0; i < sets.size(); ++i)
      members.push_back(fmt::format("{{{}}}", writer.set_keys(sets[i], fmt::format("{}-{}", stem, i), ", ")));
    last.push_back(fmt::format("sets = [{}]", fmt::join(members, ", ")));
  }
};

std::string Writer::set_keys(const data::Set& set, const std::string& stem, const char* separator) const {
  SetFieldWriter fields{*this, stem};
  fields.add("set", toml_string(data::name_of(set)));
  std::visit([&](const auto& kind) { data::for_each_field(kind, fields); }, set.kind);
  for (const auto& [name, keys] : fields.inside) fields.add(name, fmt::format("{{{}}}", fmt::join(keys, ", ")));
  if (!fields.radius.empty()) fields.keys.push_back(fields.radius);
  fields.add("dimension", fmt::format("{}", set.dimension));
  fields.keys.insert(fields.keys.end(), fields.last.begin(), fields.last.end());
  return fmt::format("{}", fmt::join(fields.keys, separator));
}

bool is_bare(const std::string& option) {
  if (option == "true" || option == "false") return true;
  const bool digits = !option.empty() && option.size() < 18 && (option == "0" || option.front() != '0');
  return digits && std::all_of(option.begin(), option.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') quoted += '\\';
    if (static_cast<unsigned char>(character) < 0x20 || character == 0x7F)
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(character));
    else
      quoted += character;
  }
  return quoted + '"';
}

void write_problem(const data::Problem& data, const std::filesystem::path& directory, const std::string& comment) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  if (failure)
    throw InputError(
        {directory.string(), 0, "a directory that can be made", failure.message(), "choose another one"});

  Writer writer(directory);
  writer.comment(comment);
  writer.key("dimension", fmt::format("{}", data.dimension));
  if (!data.shape.empty()) writer.key("shape", fmt::format("[{}]", fmt::join(data.shape, ", ")));
  if (data.start) writer.key("start", writer.vector(*data.start, "start", "x0"));

  writer.line("\n[domain]");
  writer.line(writer.set_keys(data.domain, "domain", "\n"));
  for (const auto& [level, terms] : {std::pair("upper", &data.upper), std::pair("lower", &data.lower)}) {
    for (std::size_t i = 0; i < terms->size(); ++i) {
      writer.line(terms->size() == 1 ? fmt::format("\n[{}]", level) : fmt::format("\n[[{}]]", level));
      writer.term((*terms)[i], fmt::format("{}-{}", level, i));
    }
  }
  writer.line("\n[accuracy]");
  const auto accuracy = [&writer](std::string_view key, double number) {
    if (number > 0.0) writer.key(key, toml_number(number));
  };
  accuracy("upper", data.accuracy.upper);
  accuracy("lower", data.accuracy.lower);
  accuracy("upper_relative", data.accuracy.upper_relative);
  accuracy("lower_relative", data.accuracy.lower_relative);
  if (data.accuracy.tight) writer.key("tight", "true");
  if (data.accuracy.absolute) writer.key("absolute", "true");
  if (const std::optional<HolderBound>& holder = data.accuracy.holder)
    writer.key("holder", fmt::format("{{alpha = {}, beta = {}, gradient_bound = {}}}", toml_number(holder->alpha),
                                     toml_number(holder->beta), toml_number(holder->gradient_bound)));
  if (const data::RunLimits& limits = data.limits; limits.seconds || limits.iterations || limits.passes) {
    writer.line("\n[limits]");
    if (limits.seconds) writer.key("time", toml_number(*limits.seconds));
    if (limits.iterations) writer.key("iterations", fmt::format("{}", *limits.iterations));
    if (limits.passes) writer.key("passes", fmt::format("{}", *limits.passes));
  }
  if (!data.method.empty() || !data.options.empty()) {
    writer.line("\n[method]");
    if (!data.method.empty()) writer.key("name", toml_string(data.method));
    for (const auto& [name, value] : data.options) writer.key(name, is_bare(value) ? value : toml_string(value));
  }
  writer.finish();
}

}  // namespace fcbio::io
