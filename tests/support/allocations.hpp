// Counting allocations.  A program that links support/allocations.cpp has its allocator replaced by one that
// counts (operator new and Eigen end in malloc).  The sanitizers bring their own allocator: under them nothing is
// counted, FCBIO_ALLOCATIONS_COUNTED is 0, and tests of allocation are compiled out.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FCBIO_ALLOCATIONS_COUNTED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define FCBIO_ALLOCATIONS_COUNTED 0
#endif
#endif
#ifndef FCBIO_ALLOCATIONS_COUNTED
#define FCBIO_ALLOCATIONS_COUNTED 1
#endif

namespace fcbio::test {

/// Allocations of this process so far.
long allocation_count();

}  // namespace fcbio::test
