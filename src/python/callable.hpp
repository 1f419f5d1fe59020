// Calls from the solver back into Python.  The solver runs without the interpreter's lock and must not be thrown
// through: a call takes the lock, and what it raises is kept, stops the solve, and is raised again when that has
// ended.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio::python {

namespace py = pybind11;

/// Where the exceptions of one callable go.  Several solves may share it.
class Failures {
 public:
  /// A solve that is to be stopped by a failure.
  void attach(std::atomic<bool>* stop);
  /// Forgets the failure with the last solve.
  void detach(std::atomic<bool>* stop);
  bool any() const { return failed_.load(std::memory_order_relaxed); }
  /// Keeps the exception that is being handled, if it is the first.
  void keep_current();
  void rethrow() const;

 private:
  mutable std::mutex mutex_;
  std::atomic<bool> failed_{false};
  std::exception_ptr first_;
  std::vector<std::atomic<bool>*> stops_;
};

using FailuresPtr = std::shared_ptr<Failures>;

/// A Python object that may be let go of without the interpreter's lock.
std::shared_ptr<const py::object> held(py::object object);

/// A Python callable with its name for messages.
class Callable {
 public:
  Callable(py::object function, std::string name, FailuresPtr failures)
      : function_(held(std::move(function))), name_(std::move(name)), failures_(std::move(failures)) {}

  /// use(answer) with what the callable answers; `fallback` where it failed, now or before.
  template <class Answer, class Use, class... Arguments>
  Answer call(Answer fallback, const Use& use, const Arguments&... arguments) const {
    if (failures_->any()) return fallback;
    const py::gil_scoped_acquire lock;
    try {
      return use((*function_)(to_python(arguments)...));
    } catch (...) {
      failures_->keep_current();
      return fallback;
    }
  }

  /// A number, or TypeError or ValueError that names the callable.
  double number(const py::handle& answer, const char* what) const;
  /// out <- an array of as many numbers, likewise.
  void vector(const py::handle& answer, const char* what, VectorOut out) const;
  [[noreturn]] void refuse(const std::string& expected, const py::handle& answer) const;
  /// For numbers that are not finite: names the first of them.
  [[noreturn]] void refuse_numbers(const std::string& expected, VectorIn numbers) const;

 private:
  static py::object to_python(VectorIn vector);
  static py::object to_python(double number) { return py::float_(number); }

  std::shared_ptr<const py::object> function_;
  std::string name_;
  FailuresPtr failures_;
};

/// A copy as a NumPy array.
py::array_t<double> to_array(VectorIn vector);

}  // namespace fcbio::python
