#include "python/callable.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio::python {

void Failures::attach(std::atomic<bool>* stop) {
  const std::lock_guard lock(mutex_);
  stops_.push_back(stop);
}

void Failures::detach(std::atomic<bool>* stop) {
  const std::lock_guard lock(mutex_);
  std::erase(stops_, stop);
  if (!stops_.empty()) return;
  first_ = nullptr;
  failed_ = false;
}

void Failures::keep_current() {
  const std::lock_guard lock(mutex_);
  if (!first_) first_ = std::current_exception();
  failed_ = true;
  for (std::atomic<bool>* stop : stops_) stop->store(true);
}

void Failures::rethrow() const {
  std::exception_ptr failure;
  {
    const std::lock_guard lock(mutex_);
    failure = first_;
  }
  if (failure) std::rethrow_exception(failure);
}

std::shared_ptr<const py::object> held(py::object object) {
  return {new py::object(std::move(object)), [](const py::object* kept) {
            const py::gil_scoped_acquire lock;
            delete kept;
          }};
}

py::array_t<double> to_array(VectorIn vector) {
  py::array_t<double> array(vector.size());
  std::copy_n(vector.data(), vector.size(), array.mutable_data());
  return array;
}

py::object Callable::to_python(VectorIn vector) { return to_array(vector); }

void Callable::refuse(const std::string& expected, const py::handle& answer) const {
  const std::string found =
      answer.is_none() ? std::string("None") : py::str(py::type::of(answer)).cast<std::string>();
  throw py::type_error(name_ + ": expected " + expected + ", found " + found);
}

void Callable::refuse_numbers(const std::string& expected, VectorIn numbers) const {
  Index place = 0;
  while (place + 1 < numbers.size() && std::isfinite(numbers[place])) ++place;
  throw py::value_error(name_ + ": expected " + expected + ", found " + std::to_string(numbers[place]) + " at " +
                        std::to_string(place));
}

double Callable::number(const py::handle& answer, const char* what) const {
  if (answer.is_none() || PyComplex_Check(answer.ptr())) refuse(std::string("a number as ") + what, answer);
  const double value = PyFloat_AsDouble(answer.ptr());
  if (value == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse(std::string("a number as ") + what, answer);
  }
  return value;
}

void Callable::vector(const py::handle& answer, const char* what, VectorOut out) const {
  const std::string expected = "an array of " + std::to_string(out.size()) + " numbers as " + what;
  if (answer.is_none()) refuse(expected, answer);
  py::array raw = py::array::ensure(answer);
  if (!raw) {
    PyErr_Clear();
    refuse(expected, answer);
  }
  const char kind = raw.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'b')
    throw py::type_error(name_ + ": expected " + expected + ", found dtype " +
                         py::str(raw.dtype()).cast<std::string>());
  if (raw.ndim() != 1 || raw.size() != out.size())
    throw py::value_error(name_ + ": expected " + expected + ", found shape " +
                          py::str(raw.attr("shape")).cast<std::string>());
  const auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(raw);
  if (!numbers) throw py::error_already_set();
  std::copy_n(numbers.data(), out.size(), out.data());
}

}  // namespace fcbio::python
