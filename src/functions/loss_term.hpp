// A loss term under a name of its own: the l1 norm is the absolute loss of the identity.
#pragma once

#include "fcbio/term.hpp"

namespace fcbio::functions {

/// `name` must outlive the term: a literal, or the loss's own.
TermPtr named_loss_term(LinearMapPtr map, LossPtr loss, std::string_view name);

}  // namespace fcbio::functions
