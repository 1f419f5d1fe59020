// A problem as a program of the room `interior`: terms become blocks of rows, Z becomes limits, sides and balls.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inner/engine.hpp"
#include "interior/interior_point.hpp"
#include "interior/tight.hpp"
#include "sets/conditions.hpp"

namespace fcbio {

/// Z, taken apart once.
class InteriorRegion {
 public:
  explicit InteriorRegion(const ConvexSet& domain);
  /// Empty, or what of Z cannot be told to a program.
  static std::string misfit(const ConvexSet& domain);

  /// Adds sides, balls, and one block of limits (where Z has rows), for the first n variables.  Variables that an l1
  /// ball needs are added behind the others.
  struct Place {  ///< of what was added, in the program
    std::size_t block = 0;
    Index first_own = 0;
  };
  Place add_to(interior::Program& program) const;
  /// A point from which the method can begin, where Z has no interior but is a polyhedron: then rows and sides that leave
  /// nothing between them are equations of the programs.  Null: none, or none is needed.
  const Vector* relative_interior() const { return tight_ ? &tight_->x : nullptr; }
  /// Makes the entries of x that belong to variables of this region's own fit the others.
  void complete(const Place& place, VectorOut x) const;
  Index own_variables() const { return own_; }
  Index rows() const { return rows_; }
  struct Size {  ///< of the rows that a domain adds to a program
    Index rows = 0, numbers = 0;
  };
  static Size size_of(const ConvexSet& domain);
  /// What the multipliers of the method know about a bound of <slope, .> over Z.
  SetWitness hint(const Place& place, const interior::InteriorPoint& method, VectorIn slope) const;

 private:
  static Size size_of(const sets::Conditions& conditions);
  void find_tight();

  const ConvexSet& domain_;
  sets::Conditions conditions_;
  Index own_ = 0;
  std::optional<interior::Tight> tight_;  // Z has no interior but is a polyhedron
  Index rows_ = 0;
  bool balls_cut_ = true;  // false: they contain all that rows and sides leave
};

/// f and g, or g alone, over Z.
class InteriorModel {
 public:
  InteriorModel(const Problem& problem, const InteriorRegion& region, bool with_upper);
  /// Empty, or the term that cannot be told to a program.
  static std::string misfit(const Problem& problem);

  interior::InteriorPoint& method() { return *method_; }
  SetWitness hint(VectorIn slope) const { return region_.hint(place_, *method_, slope); }
  bool fits() const { return method_->fits(); }
  void set(const Weights& weights);
  /// From a point inside of Z.
  void start(VectorIn inside);
  /// One vector per part of the level, as its term wants it.
  void duals(Level level, PartVectors& out) const;
  /// See Engine::face_point; for piecewise linear g, and f that is piecewise linear or that plus a squared norm
  /// (interior_face.cpp).
  std::optional<Vector> face_point() const;
  Index numbers() const { return numbers_; }
  bool uses_data(Level level) const { return uses_data_[level]; }

  void archive(Archive& archive);

 private:
  struct Piece {
    Level level;
    std::size_t part;
    const Function::Part* source;
    enum class Kind { plain, rows, l1, max_affine, quadratic } kind;
    std::size_t block = 0;    // rows, l1, max_affine
    Index own = 0;            // max_affine: its variable
    DualBoxShape shape = {};  // rows: as told by the loss
    bool logistic = false;
    RowMajorMatrix matrix = {};  // quadratic
  };
  /// What f is on a face: a slope, that of pieces away from their kinks included, and a curvature.  Empty: a level is not
  /// piecewise linear but for that.
  struct OnFace {
    Vector slope;
    double curvature = 0.0;
  };
  std::optional<OnFace> upper_on_face() const;
  double weight(const Piece& piece) const { return weights_.of(piece.level) * piece.source->weight; }

  const Problem& problem_;
  const InteriorRegion& region_;
  InteriorRegion::Place place_;
  Weights weights_;
  std::vector<Piece> pieces_;
  interior::Program program_;
  std::unique_ptr<interior::InteriorPoint> method_;
  Index numbers_ = 0;
  PerLevel<bool> uses_data_;
};

}  // namespace fcbio
