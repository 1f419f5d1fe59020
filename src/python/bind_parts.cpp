// Matrices, functions and sets for Python.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <cmath>

#include "fcbio/error.hpp"
#include "python/bindings.hpp"
#include "python/parts.hpp"
#include "python/sparse_rows.hpp"

namespace fcbio::python {
namespace {

using Doubles = py::array_t<double>;

std::optional<py::object> given(const py::object& object) {
  if (object.is_none()) return std::nullopt;
  return object;
}

/// Rows or columns without gaps are used where they are.  Python has made a copy of everything else.
data::Matrix borrow_dense(const Doubles& array) {
  if (array.ndim() != 2) throw py::value_error("expected 2 dimensions");
  const Index rows = array.shape(0), cols = array.shape(1);
  const auto step = [&array](int axis) { return static_cast<Index>(array.strides(axis)); };
  constexpr Index kNumber = sizeof(double);
  DenseView view{array.data(), rows, cols, 0, true};
  if (step(1) == kNumber && step(0) >= cols * kNumber && step(0) % kNumber == 0) {
    view.stride = step(0) / kNumber;
  } else if (step(0) == kNumber && step(1) >= rows * kNumber && step(1) % kNumber == 0) {
    view.stride = step(1) / kNumber;
    view.by_rows = false;
  } else {
    throw py::value_error("expected rows or columns without gaps");
  }
  return {data::BorrowedDense{view, held(array)}};
}

using Starts = py::array_t<std::int64_t>;
using Places = py::array_t<std::int32_t>;

template <class Array>
auto span_of(const Array& array) {
  if (array.ndim() != 1 || (array.size() > 1 && array.strides(0) != array.itemsize()))
    throw py::value_error("expected one dimension without gaps");
  return std::span(array.data(), static_cast<std::size_t>(array.size()));
}

data::Matrix borrow_csr(Index rows, Index cols, const Starts& starts, const Places& columns,
                        const Doubles& values) {
  CsrView view{rows, cols, span_of(starts), span_of(columns), span_of(values)};
  require_sound(view);
  return {data::BorrowedCsr{view, held(py::make_tuple(starts, columns, values))}};
}

/// Sparse numbers in an order that the solver does not want: rows are made of them when it asks.
template <class Sparse>
data::Matrix borrow_in_any_order(const Sparse& sparse, py::object arrays) {
  require_sound(sparse);
  return {data::RowsOnDemand{sparse.rows, sparse.cols,
                             [sparse, owner = held(std::move(arrays))] { return rows_of(sparse); }}};
}

data::Matrix borrow_lines(Index rows, Index cols, bool by_rows, const Starts& starts, const Places& places,
                          const Doubles& values) {
  return borrow_in_any_order(SparseLines{rows, cols, by_rows, span_of(starts), span_of(places), span_of(values)},
                             py::make_tuple(starts, places, values));
}

data::Matrix borrow_triples(Index rows, Index cols, const Places& row_of, const Places& column_of,
                            const Doubles& values) {
  return borrow_in_any_order(SparseTriples{rows, cols, span_of(row_of), span_of(column_of), span_of(values)},
                             py::make_tuple(row_of, column_of, values));
}

/// A map known by its products, with the place where their failures go.
struct OperatorMatrix {
  data::Matrix matrix;
  FailuresPtr failures;
};

OperatorMatrix borrow_operator(Index rows, Index cols, py::object apply, py::object transpose,
                               double squared_norm) {
  auto failures = std::make_shared<Failures>();
  const Callable forward(std::move(apply), "matvec", failures),
      backward(std::move(transpose), "rmatvec", failures);
  UserMap map;
  map.rows = rows;
  map.cols = cols;
  map.squared_norm = squared_norm;
  map.apply = [forward](VectorIn x, VectorOut image) {
    const bool done = forward.call(
        false,
        [&](const py::object& answer) {
          forward.vector(answer, "the product", image);
          return true;
        },
        x);
    if (!done) image.setConstant(kUnknown);
  };
  map.add_transpose = [backward](double weight, VectorIn dual, VectorOut gradient) {
    Vector product(gradient.size());
    const bool done = backward.call(
        false,
        [&](const py::object& answer) {
          backward.vector(answer, "the product with the transpose", product);
          return true;
        },
        dual);
    if (done)
      gradient += weight * product;
    else
      gradient.setConstant(kUnknown);
  };
  const LinearMapPtr made = user_map(std::move(map));
  bool consistent = false;
  {
    const py::gil_scoped_release unlocked;
    consistent = adjoint_is_consistent(*made);
  }
  if (failures->any()) {
    failures->rethrow();
  }
  if (!consistent)
    throw InvalidArgument(
        "data: expected an rmatvec that is the transpose of matvec, found products that disagree");
  return {{made}, failures};
}

Part user_part(const std::string& name, py::object evaluate, Index dimension, std::optional<double> smoothness,
               std::optional<double> lipschitz, std::optional<double> lower_bound, double strong_convexity,
               const py::object& prox, const py::object& hessp, bool differentiable) {
  Part part;
  auto failures = std::make_shared<Failures>();
  part.failures.push_back(failures);
  UserFunction user;
  user.name = name;
  user.dimension = dimension;
  const Callable fun(std::move(evaluate), name, failures);
  user.evaluate = [fun](VectorIn x, Vector* gradient) {
    const double value = fun.call(
        kUnknown,
        [&](const py::object& answer) {
          if (!py::isinstance<py::tuple>(answer) && !py::isinstance<py::list>(answer))
            fun.refuse("a pair (value, gradient)", answer);
          const auto pair = py::reinterpret_borrow<py::sequence>(answer);
          if (pair.size() != 2)
            fun.refuse("a pair (value, gradient), not " + std::to_string(pair.size()) + " things,", answer);
          const double found = fun.number(pair[0], "the value");
          if (gradient != nullptr) {
            fun.vector(pair[1], "the gradient", *gradient);
          } else {
            Vector unused(x.size());
            fun.vector(pair[1], "the gradient", unused);
          }
          return found;
        },
        x);
    if (std::isnan(value) && gradient != nullptr) gradient->setConstant(kUnknown);
    return value;
  };
  user.smoothness = smoothness;
  user.lipschitz = lipschitz;
  if (lower_bound) user.lower_bound = *lower_bound;
  user.strong_convexity = strong_convexity;
  user.differentiable = differentiable;
  if (given(prox)) {
    const Callable step_to(prox, name + ".prox", failures);
    user.prox = [step_to](double step, VectorOut x) {
      const Vector from = x;
      const bool done = step_to.call(
          false,
          [&](const py::object& answer) {
            step_to.vector(answer, "the proximal point", x);
            return true;
          },
          from, step);
      if (!done) x.setConstant(kUnknown);
    };
  }
  if (given(hessp)) {
    const Callable product(hessp, name + ".hessp", failures);
    user.hessian_product = [product](VectorIn x, VectorIn v, VectorOut out) {
      const bool done = product.call(
          false,
          [&](const py::object& answer) {
            product.vector(answer, "the product with the Hessian", out);
            if (!out.allFinite()) product.refuse_numbers("finite numbers as the product with the Hessian", out);
            return true;
          },
          x, v);
      if (!done) out.setConstant(kUnknown);
    };
  }
  part.user = std::make_shared<const UserFunction>(std::move(user));
  return part;
}

Domain user_domain(const std::string& name, Index dimension, py::object project, const py::object& support,
                   const py::object& minimize_linear, const Doubles& center, double radius,
                   const py::object& violation) {
  Domain domain;
  auto failures = std::make_shared<Failures>();
  domain.failures.push_back(failures);
  UserSet user;
  user.name = name;
  user.dimension = dimension;
  user.centre = Eigen::Map<const Vector>(center.data(), center.size());
  user.radius = radius;
  const Callable nearest(std::move(project), name + ".project", failures);
  user.project = [nearest](VectorOut x) {
    const Vector from = x;
    nearest.call(
        false,
        [&](const py::object& answer) {
          nearest.vector(answer, "the nearest point", x);
          return true;
        },
        from);
  };
  if (given(support)) {
    const Callable highest(support, name + ".support", failures);
    user.support = [highest](VectorIn direction) {
      return highest.call(
          kInfinity, [&](const py::object& answer) { return highest.number(answer, "the largest product"); },
          direction);
    };
  }
  if (given(minimize_linear)) {
    const Callable vertex_of(minimize_linear, name + ".minimize_linear", failures);
    user.minimize_linear = [vertex_of](VectorIn direction, VectorOut vertex) {
      const bool done = vertex_of.call(
          false,
          [&](const py::object& answer) {
            vertex_of.vector(answer, "a minimiser", vertex);
            return true;
          },
          direction);
      if (!done) vertex.setConstant(kUnknown);
    };
  }
  if (given(violation)) {
    const Callable outside(violation, name + ".violation", failures);
    user.violation = [outside](VectorIn x) {
      return outside.call(
          kInfinity, [&](const py::object& answer) { return outside.number(answer, "the distance"); }, x);
    };
  }
  domain.set.dimension = dimension;
  domain.user = std::make_shared<const UserSet>(std::move(user));
  return domain;
}

}  // namespace

void bind_parts(py::module_& module) {
  py::class_<data::Matrix>(module, "Matrix")
      .def_property_readonly("rows", &data::Matrix::rows)
      .def_property_readonly("cols", &data::Matrix::cols);
  py::class_<OperatorMatrix>(module, "OperatorMatrix").def_readonly("matrix", &OperatorMatrix::matrix);
  module.def("borrow_dense", &borrow_dense, py::arg("array").noconvert());
  module.def("borrow_csr", &borrow_csr, py::arg("rows"), py::arg("cols"), py::arg("starts").noconvert(),
             py::arg("columns").noconvert(), py::arg("values").noconvert());
  module.def("borrow_lines", &borrow_lines, py::arg("rows"), py::arg("cols"), py::arg("by_rows"),
             py::arg("starts").noconvert(), py::arg("places").noconvert(), py::arg("values").noconvert());
  module.def("borrow_triples", &borrow_triples, py::arg("rows"), py::arg("cols"), py::arg("row_of").noconvert(),
             py::arg("column_of").noconvert(), py::arg("values").noconvert());
  module.def("borrow_operator", &borrow_operator);

  py::class_<Part>(module, "Part")
      .def("scaled",
           [](const Part& part, double factor) {
             Part scaled = part;
             scaled.term.weight *= factor;
             return scaled;
           })
      .def("told_failures_of",
           [](const Part& part, const OperatorMatrix& source) {
             Part with = part;
             with.failures.push_back(source.failures);
             return with;
           })
      .def_property_readonly("weight", [](const Part& part) { return part.term.weight; })
      .def_property_readonly("words", [](const Part& part) { return in_words(part); })
      .def_property_readonly("is_callable", [](const Part& part) { return part.user != nullptr; });
  py::class_<Domain>(module, "Domain").def_property_readonly("words", [](const Domain& d) { return in_words(d); });
  module.def("kinds_of_functions", &kinds_of_functions);
  module.def("kinds_of_sets", &kinds_of_sets);
  module.def("make_part", &make_part);
  module.def("make_domain", &make_domain);
  module.def("user_part", &user_part);
  module.def("user_domain", &user_domain);
}

}  // namespace fcbio::python
