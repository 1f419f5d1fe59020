#include "io/section_spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "data/input_error.hpp"
#include "io/checksum.hpp"

namespace fcbio::io {

namespace {

/// Open, and gone with the program whatever happens to it; negative: errno tells.
int nameless_file(const std::filesystem::path& directory) {
  const std::string place = directory.empty() ? "." : directory.string();
#ifdef O_TMPFILE
  if (const int descriptor = ::open(place.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); descriptor >= 0)
    return descriptor;
#endif
  std::string name = place + "/.fcbio.XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

}  // namespace

SectionSpool::SectionSpool(Section kind, const std::filesystem::path& target) : target_(target) {
  entry_.kind = kind;
  descriptor_ = nameless_file(target.parent_path());
  if (descriptor_ < 0) fail(errno);
}

SectionSpool::~SectionSpool() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SectionSpool::fail(int error) const {
  throw InputError({target_.string(), 0, "a path that can be written",
                    "write failed: " + std::generic_category().message(error),
                    "check that the directory exists, is writable and has space"});
}

void SectionSpool::append(std::string_view bytes) {
  entry_.size += bytes.size();
  while (!bytes.empty()) {
    const std::size_t count = std::min<std::size_t>(bytes.size(), kFcbBlock - block_.size());
    block_.append(bytes.substr(0, count));
    bytes.remove_prefix(count);
    if (block_.size() == kFcbBlock) flush();
  }
}

void SectionSpool::flush() {
  entry_.checksums.push_back(checksum(block_));
  for (std::string_view rest = block_; !rest.empty();) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno != EINTR) fail(errno);
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  }
  block_.clear();
}

void SectionSpool::finish() {
  if (!block_.empty()) flush();
  mapped_ = std::make_unique<const MappedFile>(descriptor_, entry_.size, target_.string());
}

SectionEntry SectionSpool::write_to(AtomicFile& file, std::uint64_t offset) const {
  file.write(mapped_->bytes());
  SectionEntry entry = entry_;
  entry.offset = offset;
  return entry;
}

}  // namespace fcbio::io
