#include "inner/interior_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/overloaded.hpp"

namespace fcbio {
namespace {


using interior::Block;
using interior::BlockKind;
using interior::Rows;

/// Stored numbers, as a share of all, from which on rows are dense whatever their format: an operation on numbers with
/// places takes several times as long as one on numbers side by side, and a factorisation has more than one for each.
constexpr double kDense = 0.25;

bool is_nearly_dense(const LinearMap& map) {
  return static_cast<double>(map.numbers()) >=
         kDense * static_cast<double>(map.rows()) * static_cast<double>(map.cols());
}

/// The rows of a map, dense or sparse; empty: not at hand.
std::optional<Rows> rows_of(const LinearMap& map) {
  if (map.free()) return Rows::identity(map.rows());
  if (map.copy_sparse_rows(nullptr) && !is_nearly_dense(map)) {
    CsrMatrix csr;
    map.copy_sparse_rows(&csr);
    return Rows::sparse(std::move(csr));
  }
  if (!map.copy_rows(nullptr)) return std::nullopt;
  RowMajorMatrix dense;
  map.copy_rows(&dense);
  return Rows::dense(std::move(dense));
}

/// A with one more column of -1 behind `cols` columns.
Rows with_column_of_minus_one(const Rows& rows, Index cols) {
  CsrMatrix csr;
  csr.rows = rows.rows();
  csr.cols = cols + 1;
  csr.starts = {0};
  for (Index i = 0; i < rows.rows(); ++i) {
    rows.visit_row(i, [&](Index j, double value) {
      csr.columns.push_back(static_cast<std::int32_t>(j));
      csr.values.push_back(value);
    });
    csr.columns.push_back(static_cast<std::int32_t>(cols));
    csr.values.push_back(-1.0);
    csr.starts.push_back(static_cast<std::int64_t>(csr.values.size()));
  }
  return Rows::sparse(std::move(csr));
}

std::string term_misfit(const Term& term) {
  if (term.dual_size() == 0 || term.l1_centre() != nullptr) return {};
  if (term.quadratic_map() != nullptr && term.quadratic_map()->copy_rows(nullptr)) return {};
  const std::string name(term.name());
  if (term.map() == nullptr) return "the term '" + name + "' is known by its values only";
  if (!term.map()->free() && !term.map()->copy_rows(nullptr))
    return "the numbers of the data of '" + name + "' are not at hand";
  if (term.loss() == nullptr || std::holds_alternative<std::monostate>(term.loss()->shape()))
    return "the loss '" + name + "' is not one that it knows by its dual";
  return {};
}

}  // namespace

std::string InteriorRegion::misfit(const ConvexSet& domain) {
  sets::Conditions conditions;
  if (!domain.describe(conditions, 0)) return "the domain does not tell what it is made of";
  return {};
}

InteriorRegion::InteriorRegion(const ConvexSet& domain) : domain_(domain) {
  domain.describe(conditions_, 0);
  for (const auto& ball : conditions_.l1_balls) own_ += ball.size;
  rows_ = size_of(conditions_).rows;
  balls_cut_ = !conditions_.balls.empty() && !std::holds_alternative<PolyhedronShape>(domain.shape());
  if (rows_ == 0 || balls_cut_ || !conditions_.l1_balls.empty()) return;
  Vector inside(domain.dimension());
  if (domain.interior_point(inside)) return;
  if (const interior::Tight* tight = domain.tight(); tight != nullptr)
    tight_ = *tight;
  else
    find_tight();
}

/// Of a domain that does not tell: a product.
void InteriorRegion::find_tight() {
  interior::Program program;
  program.variables = domain_.dimension();
  program.lower = Vector::Constant(program.variables, -kInfinity);
  program.upper = Vector::Constant(program.variables, kInfinity);
  add_to(program);
  const Block& block = program.blocks.front();
  const double size = 1.0 + domain_.reach();
  if (!std::isfinite(size)) return;
  interior::PolyhedronView view{
      .row_lower = &block.low, .row_upper = &block.high, .lower = &program.lower, .upper = &program.upper};
  (block.rows.is_sparse() ? void(view.sparse = &block.rows.sparse()) : void(view.dense = &block.rows.dense()));
  tight_ = interior::find_tight(view, interior::deepest_point(view, size, nullptr), size);
}

InteriorRegion::Size InteriorRegion::size_of(const sets::Conditions& conditions) {
  Size size{.rows = static_cast<Index>(conditions.planes.size() + conditions.equations.size()) +
                    conditions.row_count()};
  for (const auto& ball : conditions.l1_balls) size.rows += 2 * ball.size + 1;
  for (const auto& plane : conditions.planes) size.numbers += plane.normal->size();
  for (const auto& equation : conditions.equations) size.numbers += equation.row.size();
  for (const auto& block : conditions.rows)
    size.numbers += block.matrix.dense != nullptr
                        ? block.matrix.dense->size()
                        : (block.matrix.sparse != nullptr ? block.matrix.sparse->nonzeros() : 0);
  return size;
}

InteriorRegion::Size InteriorRegion::size_of(const ConvexSet& domain) {
  sets::Conditions conditions;
  return domain.describe(conditions, 0) ? size_of(conditions) : Size{};
}

InteriorRegion::Place InteriorRegion::add_to(interior::Program& program) const {
  const Place place{program.blocks.size(), program.variables - own_};
  for (const auto& sides : conditions_.sides)
    for (Index j = 0; j < sides.size; ++j) {
      double& lower = program.lower[sides.first + j];
      double& upper = program.upper[sides.first + j];
      lower = std::max(lower, sides.lower_side(j));
      upper = std::min(upper, sides.upper_side(j));
    }
  for (const auto& ball : conditions_.balls) {
    if (!balls_cut_) break;
    program.balls.push_back(
        {ball.first, ball.centre != nullptr ? *ball.centre : Vector::Zero(ball.size).eval(), ball.radius});
  }
  if (rows_ == 0) return place;

  // The order of the rows is that of the conditions: planes, rows, equations, then those of l1 balls.
  CsrMatrix csr;
  csr.cols = program.variables;
  csr.starts = {0};
  Vector low(rows_), high(rows_);
  const auto add_number = [&](Index j, double value) {
    if (value == 0.0) return;
    csr.columns.push_back(static_cast<std::int32_t>(j));
    csr.values.push_back(value);
  };
  const auto close_row = [&](double l, double h) {
    low[csr.rows] = l;
    high[csr.rows] = h;
    ++csr.rows;
    csr.starts.push_back(static_cast<std::int64_t>(csr.values.size()));
  };
  for (const auto& plane : conditions_.planes) {
    for (Index j = 0; j < plane.normal->size(); ++j) add_number(plane.first + j, (*plane.normal)[j]);
    close_row(-kInfinity, plane.value);
  }
  for (const auto& block : conditions_.rows)
    for (Index i = 0; i < block.matrix.count(); ++i) {
      block.matrix.each(i, [&](Index j, double value) { add_number(block.first + j, value); });
      close_row((*block.lower)[i], (*block.upper)[i]);
    }
  for (const auto& equation : conditions_.equations) {
    for (Index j = 0; j < equation.row.size(); ++j) add_number(equation.first + j, equation.row[j]);
    close_row(equation.value, equation.value);
  }
  Index own = place.first_own;
  for (const auto& ball : conditions_.l1_balls) {
    for (Index j = 0; j < ball.size; ++j) {  // |x_j - c_j| <= t_j
      const double centre = ball.centre != nullptr ? (*ball.centre)[j] : 0.0;
      for (const double sign : {1.0, -1.0}) {
        add_number(ball.first + j, sign);
        add_number(own + j, -1.0);
        close_row(-kInfinity, sign * centre);
      }
    }
    for (Index j = 0; j < ball.size; ++j) add_number(own + j, 1.0);
    close_row(-kInfinity, ball.radius);
    own += ball.size;
  }
  if (tight_) tight_->apply(csr, low, high, program.lower, program.upper);
  const Index count = csr.rows, stored = csr.nonzeros();
  Rows rows = Rows::sparse(std::move(csr));
  if (4 * stored > count * program.variables) {  // dense kernels are faster by more than that
    RowMajorMatrix dense = RowMajorMatrix::Zero(count, program.variables);
    for (Index i = 0; i < count; ++i) rows.visit_row(i, [&](Index j, double value) { dense(i, j) = value; });
    rows = Rows::dense(std::move(dense));
  }
  program.blocks.push_back({.kind = BlockKind::limits, .rows = std::move(rows), .low = low, .high = high});
  interior::open_rows_of_zeros(program.blocks.back());
  return place;
}

void InteriorRegion::complete(const Place& place, VectorOut x) const {
  Index own = place.first_own;
  for (const auto& ball : conditions_.l1_balls) {
    double sum = 0.0;
    for (Index j = 0; j < ball.size; ++j) {
      const double centre = ball.centre != nullptr ? (*ball.centre)[j] : 0.0;
      x[own + j] = std::abs(x[ball.first + j] - centre);
      sum += x[own + j];
    }
    const double room = std::max(ball.radius - sum, 0.0) / (2.0 * static_cast<double>(ball.size));
    x.segment(own, ball.size).array() += room;
    own += ball.size;
  }
}

// The slope of phi is s = -A'y - (multipliers of sides) - (those of balls).  In the terms of sets::ConditionDuals a row
// accounts for A'(-y): planes have y >= 0 and m = y.
SetWitness InteriorRegion::hint(const Place& place, const interior::InteriorPoint& method,
                                VectorIn slope) const {
  sets::ConditionDuals duals;
  const bool any = rows_ > 0;
  Vector multipliers = any ? method.dual(place.block) : Vector();
  if (tight_) multipliers = tight_->all_multipliers(multipliers, slope);
  Index row = 0;
  const auto take = [&](Index count) {
    row += count;
    return Vector(multipliers.segment(row - count, count));
  };
  duals.planes = any ? take(static_cast<Index>(conditions_.planes.size())) : Vector();
  duals.rows = any ? Vector(-take(conditions_.row_count())) : Vector();
  duals.equations = any ? Vector(-take(static_cast<Index>(conditions_.equations.size()))) : Vector();
  duals.balls.resize(conditions_.balls.size());
  for (std::size_t k = 0; balls_cut_ && k < conditions_.balls.size(); ++k) {
    const auto& ball = conditions_.balls[k];
    Vector offset = method.x().segment(ball.first, ball.size);
    if (ball.centre != nullptr) offset -= *ball.centre;
    duals.balls[k] = -method.ball_multiplier(k) * offset;
  }
  duals.l1_balls.resize(conditions_.l1_balls.size());
  for (std::size_t k = 0; k < conditions_.l1_balls.size(); ++k) {
    const Index size = conditions_.l1_balls[k].size;
    const Vector both = take(2 * size);
    take(1);
    duals.l1_balls[k] = Vector::NullaryExpr(size, [&](Index j) { return both[2 * j + 1] - both[2 * j]; });
  }
  for (const auto& sides : conditions_.sides)
    duals.sides.emplace_back(
        (method.lower_multipliers() - method.upper_multipliers()).segment(sides.first, sides.size));
  SetWitness witness;
  Vector share = Vector::Zero(domain_.dimension());
  domain_.take_duals(duals, share, witness);
  return witness;
}

std::string InteriorModel::misfit(const Problem& problem) {
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts())
      if (std::string why = term_misfit(*part.term); !why.empty()) return why;
  return {};
}

InteriorModel::InteriorModel(const Problem& problem, const InteriorRegion& region, bool with_upper)
    : problem_(problem), region_(region) {
  const Index n = problem.dimension();
  Index variables = n;
  for (Level level : kLevels) {
    if (level == Level::upper && !with_upper) continue;
    const std::vector<Function::Part>& parts = problem.function(level).parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Term& term = *parts[i].term;
      Piece piece{.level = level, .part = i, .source = &parts[i], .kind = Piece::Kind::plain};
      if (term.dual_size() == 0) {
        pieces_.push_back(std::move(piece));
        continue;
      }
      if (parts[i].weight == 0.0) continue;
      if (term.l1_centre() != nullptr) {
        piece.kind = Piece::Kind::l1;
      } else if (term.quadratic_map() != nullptr) {
        piece.kind = Piece::Kind::quadratic;
        term.quadratic_map()->copy_rows(&piece.matrix);
        numbers_ += term.quadratic_map()->numbers();
        uses_data_[level] = true;
      } else {
        const bool max_affine = std::holds_alternative<MaxAffineShape>(term.loss()->shape());
        piece.kind = max_affine ? Piece::Kind::max_affine : Piece::Kind::rows;
        if (max_affine) piece.own = variables++;
        numbers_ += term.map()->free() ? 0 : term.map()->numbers();
        uses_data_[level] = uses_data_[level] || !term.map()->free();
      }
      pieces_.push_back(std::move(piece));
    }
  }
  variables += region.own_variables();
  program_.variables = variables;
  program_.cost = program_.curvature = Vector::Zero(variables);
  program_.lower = Vector::Constant(variables, -kInfinity);
  program_.upper = Vector::Constant(variables, kInfinity);
  for (Piece& piece : pieces_) {
    const Term& term = *piece.source->term;
    if (piece.kind == Piece::Kind::plain || piece.kind == Piece::Kind::quadratic) continue;
    piece.block = program_.blocks.size();
    if (piece.kind == Piece::Kind::l1) {
      piece.shape = {Vector::Constant(n, -1.0), Vector::Constant(n, 1.0), *term.l1_centre(), 0.0};
      program_.blocks.push_back({.kind = BlockKind::loss, .rows = Rows::identity(n)});
      program_.blocks.back().kink = piece.shape.kink;
      continue;
    }
    Rows rows = *rows_of(*term.map());
    std::visit(
        Overloaded{
            [](std::monostate) {},
            [&](const DualBoxShape& shape) {
              piece.shape = shape;
              program_.blocks.push_back({.kind = BlockKind::loss, .rows = std::move(rows), .kink = shape.kink});
            },
            [&](const LogisticShape& shape) {
              piece.logistic = true;
              program_.blocks.push_back(
                  {.kind = BlockKind::logistic, .rows = std::move(rows), .kink = *shape.labels});
            },
            [&](const MaxAffineShape& shape) {  // u_i - t <= -b_i, and t costs
              program_.blocks.push_back({.kind = BlockKind::limits,
                                         .rows = with_column_of_minus_one(rows, piece.own),
                                         .low = Vector::Constant(rows.rows(), -kInfinity),
                                         .high = -*shape.offsets});
            },
        },
        term.loss()->shape());
  }
  place_ = region.add_to(program_);
  set({with_upper ? 1.0 : 0.0, 1.0});
  method_ = std::make_unique<interior::InteriorPoint>(program_);
  numbers_ = std::max({numbers_ + InteriorRegion::size_of(problem.domain()).numbers, n, Index{1}});
}

void InteriorModel::set(const Weights& weights) {
  weights_ = weights;
  const Index n = problem_.dimension();
  const Vector none;
  program_.cost.setZero();
  program_.curvature.setZero();
  program_.hessian.resize(0, 0);
  for (const Piece& piece : pieces_) {
    const double w = weight(piece);
    const Term& term = *piece.source->term;
    switch (piece.kind) {
      case Piece::Kind::plain: {
        term.add_slope(w, none, program_.cost.head(n));
        program_.curvature.head(n).array() += w * term.exact_curvature();
        break;
      }
      case Piece::Kind::quadratic: {
        if (program_.hessian.size() == 0) program_.hessian = RowMajorMatrix::Zero(n, n);
        program_.hessian += w * piece.matrix;
        const Vector origin = Vector::Zero(2 * n);  // the dual of the tangent at 0, whose slope is c
        term.add_slope(w, origin, program_.cost.head(n));
        break;
      }
      case Piece::Kind::max_affine:
        program_.cost[piece.own] = w;
        break;
      case Piece::Kind::l1:
      case Piece::Kind::rows: {
        Block& block = program_.blocks[piece.block];
        if (piece.logistic) {
          block.weight = w;
        } else {
          block.low = w * piece.shape.low;
          block.high = w * piece.shape.high;
          block.bend = piece.shape.bend / w;
        }
        break;
      }
    }
  }
}

void InteriorModel::archive(Archive& archive) {
  Weights weights = weights_;
  archive(weights);
  if (archive.is_reading()) set(weights);
  archive(*method_);
}

void InteriorModel::start(VectorIn inside) {
  Vector x = Vector::Zero(program_.variables);
  x.head(problem_.dimension()) = inside;
  region_.complete(place_, x);
  for (const Piece& piece : pieces_) {
    if (piece.kind != Piece::Kind::max_affine) continue;
    const Block& block = program_.blocks[piece.block];
    Vector image(block.rows.rows());
    x[piece.own] = 0.0;
    block.rows.apply(x, image);
    image -= block.high;
    x[piece.own] = image.maxCoeff() + 0.1 * (image.maxCoeff() - image.minCoeff()) +
                   1e-3 * (1.0 + image.cwiseAbs().maxCoeff());
  }
  method_->start(x);
}

void InteriorModel::duals(Level level, PartVectors& out) const {
  const Index n = problem_.dimension();
  for (const Piece& piece : pieces_) {
    if (piece.level != level) continue;
    Vector& dual = out[piece.part];
    switch (piece.kind) {
      case Piece::Kind::plain:
        break;
      case Piece::Kind::quadratic:
        dual.head(n) = method_->x().head(n);
        break;
      case Piece::Kind::max_affine:
      case Piece::Kind::l1:
      case Piece::Kind::rows:
        dual = method_->dual(piece.block) / weight(piece);
        break;
    }
    piece.source->term->repair_dual(dual);
  }
}

}  // namespace fcbio
