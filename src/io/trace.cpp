#include "io/trace.hpp"

#include <cmath>

#include "io/json_number.hpp"
#include "io/value_at.hpp"

namespace fcbio::io {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

}  // namespace

bool belongs_to_trace(std::int64_t iteration, std::int64_t every) {
  if (every > 0) return iteration % every == 0;
  std::int64_t step = 1;
  for (std::int64_t rest = iteration; rest > 1000; rest = (rest + 9) / 10) step *= 10;
  return iteration % step == 0;
}

TraceWriter::TraceWriter(const std::filesystem::path& file, std::int64_t every, const Problem* problem,
                         std::chrono::milliseconds delay)
    : file_(file), every_(every), problem_(problem), delay_(delay) {}

bool TraceWriter::on_progress(const Progress& progress) {
  latest_ = progress;
  work_ = progress.work != nullptr ? *progress.work : Work{};
  phase_ = progress.phase;
  const bool tells_both = !std::isnan(progress.upper_value) && !std::isnan(progress.lower_value);
  point_.resize(0);
  if (!tells_both && problem_ != nullptr && progress.x != nullptr) point_ = *progress.x;
  pending_ = true;
  if (belongs_to_trace(work_.iterations, every_)) write_line();
  return true;
}

void TraceWriter::write_line() {
  if (point_.size() > 0) {
    if (std::isnan(latest_.upper_value)) latest_.upper_value = value_at(problem_->upper(), point_);
    if (std::isnan(latest_.lower_value)) latest_.lower_value = value_at(problem_->lower(), point_);
  }
  const OrderedJson line = {{"iteration", work_.iterations},
                            {"phase", phase_},
                            {"round", latest_.round},
                            {"upper_passes", work_.upper_passes},
                            {"lower_passes", work_.lower_passes},
                            {"seconds", json_number(latest_.seconds)},
                            {"upper_value", json_number(latest_.upper_value)},
                            {"lower_value", json_number(latest_.lower_value)},
                            {"level", json_number(latest_.level)},
                            {"bracket_low", json_number(latest_.bracket_low)},
                            {"bracket_high", json_number(latest_.bracket_high)},
                            {"upper_excess", json_number(latest_.upper_excess)},
                            {"lower_gap", json_number(latest_.lower_gap)}};
  buffer_ += line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
  pending_ = false;
  if (buffer_.size() >= kBufferBytes) flush();
  if (std::chrono::steady_clock::now() - appeared_ >= delay_) show();
}

void TraceWriter::flush() {
  file_.write(buffer_);
  buffer_.clear();
}

void TraceWriter::show() {
  flush();
  file_.publish();
  appeared_ = std::chrono::steady_clock::now();
}

void TraceWriter::finish() {
  if (pending_) write_line();
  flush();
  file_.commit();
}

}  // namespace fcbio::io
