// Visitors of variants, one lambda per alternative.  Without a generic one among them, an alternative that is
// added later does not compile until every visitor has an answer for it.
#pragma once

namespace fcbio {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 does not deduce it

}  // namespace fcbio
