#include "interior/kkt.hpp"
namespace fcbio::interior {
std::unique_ptr<KktForm> sparse_form(const Program&, const Stack&) { return nullptr; }
}  // namespace fcbio::interior
