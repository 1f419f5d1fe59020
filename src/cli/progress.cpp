// See progress.hpp.
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cli/text.hpp"
#include "io/memory.hpp"

namespace fcbio::cli {
namespace {

constexpr std::chrono::milliseconds kRepaint{100};

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

std::string progress_text(const Progress& progress, const Forecast& forecast) {
  const auto known = [](const std::optional<double>& number, const char* text) {
    return number ? fmt::format(fmt::runtime(text), *number) : std::string();
  };
  // The most wanted first: a narrow terminal cuts the end off.
  return fmt::format(
      "{} {}  {} passes{}  {:.1f} s  g-g* <= {}  f-f* <= {}{}  {} MB  f* >= {}  f {}", progress.phase,
      progress.round, progress.work->passes(), known(forecast.passes_per_second(), " at {:.3g}/s"),
      progress.seconds, short_number(progress.lower_gap), short_number(progress.upper_excess),
      known(forecast.passes_to_go(), "  about {:.2g} passes to go"), io::resident_memory() / 1'000'000,
      short_number(progress.bracket_low), short_number(progress.bracket_high));
}

TerminalLine::TerminalLine(std::chrono::milliseconds delay)
    : terminal_(::isatty(STDERR_FILENO) == 1), next_(std::chrono::steady_clock::now() + delay) {}

bool TerminalLine::is_due() {
  if (!terminal_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + kRepaint;
  return true;
}

void TerminalLine::paint(const std::string& text) {
  painted_ = true;
  fmt::print(stderr, "\r{}\x1b[K", text.substr(0, std::max<std::size_t>(terminal_width(), 2) - 1));
  std::fflush(stderr);
}

void TerminalLine::clear() {
  if (!painted_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  painted_ = false;
}

bool ProgressLine::on_progress(const Progress& progress) {
  forecast_.see(progress);
  if (line_.is_due()) line_.paint(progress_text(progress, forecast_));
  return true;
}

io::ReadProgress ReadLine::progress() {
  if (quiet_) return {};
  return [this](const std::string& file, std::uint64_t done, std::uint64_t size) {
    if (!line_.is_due() || size == 0) return;
    line_.paint(fmt::format("reading {}  {} of {} MB  {:.0f} %", file, done / 1'000'000, size / 1'000'000,
                            100.0 * static_cast<double>(done) / static_cast<double>(size)));
  };
}

bool ProgressTable::on_progress(const Progress& progress) {
  const bool first = phase_.empty();
  latest_ = progress;
  work_ = *progress.work;
  phase_ = progress.phase;
  pending_ = true;
  if (first)
    fmt::print("{:>9} {:>8}  {:<12} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "iteration", "passes", "phase", "f(x)",
               "g(x)", "f* at least", "f(x)-f* <=", "g(x)-g* <=");
  if (work_.iterations >= next_iteration_ || latest_.round != printed_round_ || phase_ != printed_phase_)
    print_row();
  return true;
}

void ProgressTable::print_row() {
  while (next_iteration_ <= work_.iterations) next_iteration_ *= 2;
  printed_round_ = latest_.round;
  printed_phase_ = phase_;
  pending_ = false;
  const std::string phase = latest_.round > 0 ? fmt::format("{} {}", phase_, latest_.round) : phase_;
  fmt::print("{:>9} {:>8}  {:<12} {:>12} {:>12} {:>12} {:>12} {:>12}\n", work_.iterations, work_.passes(), phase,
             short_number(latest_.upper_value), short_number(latest_.lower_value),
             short_number(latest_.bracket_low), short_number(latest_.upper_excess),
             short_number(latest_.lower_gap));
}

void ProgressTable::finish() {
  if (pending_) print_row();
}

}  // namespace fcbio::cli
