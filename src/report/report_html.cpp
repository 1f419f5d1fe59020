// Report to one HTML file.  All text of the user is inside one <script type="application/json"> block, where the
// only thing that could end the block or change how it is read is '<': it is written as its JSON escape, which
// means the same.
#include "io/atomic_file.hpp"
#include "report/page.hpp"
#include "report/report.hpp"

namespace fcbio::report {

std::string to_html(const Report& report) {
  const std::string json = to_json(report);
  std::string html(page_before_data());
  html.reserve(html.size() + json.size() + page_after_data().size());
  for (const char character : json) {
    if (character == '<')
      html += "\\u003c";
    else
      html += character;
  }
  html += page_after_data();
  return html;
}

void write_html(const Report& report, const std::filesystem::path& file) {
  io::write_file_atomically(file, to_html(report));
}

}  // namespace fcbio::report
