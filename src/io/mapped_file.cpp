#include "io/mapped_file.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>

#include "data/input_error.hpp"

namespace fcbio::io {

MappedFile::MappedFile(const std::filesystem::path& file, const FileKind& kind) {
  const RegularFile open(file, kind);
  size_ = static_cast<std::size_t>(open.size());
  map(open.descriptor(), open.name());
}

MappedFile::MappedFile(int descriptor, std::uint64_t size, const std::string& name)
    : size_(static_cast<std::size_t>(size)) {
  map(descriptor, name);
}

void MappedFile::map(int descriptor, const std::string& name) {
  if (size_ == 0) return;
  void* const place = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor, 0);
  if (place == MAP_FAILED)
    throw InputError({name, 0, "a file that can be mapped into memory", std::generic_category().message(errno),
                      "copy it to a local disk"});
  data_ = static_cast<const char*>(place);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace fcbio::io
