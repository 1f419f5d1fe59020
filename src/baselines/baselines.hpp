// The published competitors, one file each, in the order of docs/methods.md.
#pragma once

#include <vector>

#include "fcbio/method.hpp"

namespace fcbio {

std::vector<MethodInfo> baseline_methods();

// One file each; a file may hold several variants.
std::vector<MethodInfo> a_irg_methods();
std::vector<MethodInfo> bi_sg_methods();
std::vector<MethodInfo> penalty_apg_methods();
std::vector<MethodInfo> r_apm_methods();
std::vector<MethodInfo> big_sam_methods();
std::vector<MethodInfo> dbgd_methods();
std::vector<MethodInfo> fbi_pg_methods();
std::vector<MethodInfo> bi_fista_methods();
std::vector<MethodInfo> stabim_methods();
std::vector<MethodInfo> adabim_methods();
std::vector<MethodInfo> sedm_methods();
std::vector<MethodInfo> cg_bio_methods();
std::vector<MethodInfo> agm_bio_methods();
std::vector<MethodInfo> bisec_bio_methods();
std::vector<MethodInfo> mng_methods();
std::vector<MethodInfo> ircg_methods();
std::vector<MethodInfo> bi_cs_methods();
std::vector<MethodInfo> iiba_methods();
std::vector<MethodInfo> polyak_switching_methods();
std::vector<MethodInfo> nesterov_smooth_methods();
std::vector<MethodInfo> nesterov_level_methods();

}  // namespace fcbio
