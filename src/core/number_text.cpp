#include "core/number_text.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace fcbio {
namespace {

template <class Number>
bool is_number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

bool read_real(std::string_view text, double& out) { return is_number(text, out) && std::isfinite(out); }

bool read_integer(std::string_view text, std::int64_t& out) {
  if (is_number(text, out)) return true;
  constexpr double kMost = 9e15;  // beyond it a double may stand for several integers
  double real = 0.0;
  if (!read_real(text, real) || real != std::floor(real) || std::abs(real) > kMost) return false;
  out = static_cast<std::int64_t>(real);
  return true;
}

bool read_flag(std::string_view text, bool& out) {
  out = text == "true" || text == "1" || text == "yes" || text == "on";
  return out || text == "false" || text == "0" || text == "no" || text == "off";
}

}  // namespace fcbio
