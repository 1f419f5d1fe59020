// Everything a C++ program needs.
#pragma once

#include "fcbio/check.hpp"
#include "fcbio/eigen_sparse.hpp"
#include "fcbio/error.hpp"
#include "fcbio/function.hpp"
#include "fcbio/linear_map.hpp"
#include "fcbio/method.hpp"
#include "fcbio/monitor.hpp"
#include "fcbio/problem.hpp"
#include "fcbio/result.hpp"
#include "fcbio/set.hpp"
#include "fcbio/threads.hpp"
#include "fcbio/user_set.hpp"
#include "fcbio/version.hpp"
