#include "data/functions.hpp"

namespace fcbio::data {
namespace {

/// Finds the rows, and the mean over them, among the fields of a kind.
struct RowFinder {
  const Matrix* rows = nullptr;
  bool average = false;
  void operator()(const DataField&, const Matrix& data) { rows = &data; }
  void operator()(const AverageField&, const bool& flag) { average = flag; }
  template <class Field, class Member>
  void operator()(const Field&, const Member&) {}
};

RowFinder find_rows(const Term& term) {
  RowFinder finder;
  std::visit([&finder](const auto& kind) { for_each_field(kind, finder); }, term.kind);
  return finder;
}

}  // namespace

bool is_absent(const Vector& vector, double absent) {
  return vector.size() == 0 || (vector.array() == absent).all();
}

const Matrix* rows_of(const Term& term) { return find_rows(term).rows; }
bool is_average(const Term& term) { return find_rows(term).average; }

}  // namespace fcbio::data
