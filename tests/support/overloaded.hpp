// Lambdas as the overloads of one visitor: std::visit(overloaded{...}, kind).
#pragma once

namespace fcbio::test {

template <class... Lambdas>
struct overloaded : Lambdas... {
  using Lambdas::operator()...;
};
template <class... Lambdas>
overloaded(Lambdas...) -> overloaded<Lambdas...>;

}  // namespace fcbio::test
