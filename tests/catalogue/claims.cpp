// The program's own translation of a result into claims for the checker; it is part of no library.
#include "cli/claims.cpp"  // NOLINT(bugprone-suspicious-include)
