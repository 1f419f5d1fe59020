#include "baselines/baselines.hpp"

#include <iterator>

namespace fcbio {

std::vector<MethodInfo> baseline_methods() {
  std::vector<MethodInfo> all;
  for (auto make : {a_irg_methods,
                    cg_bio_methods,
                    agm_bio_methods,
                    bisec_bio_methods,
                    mng_methods,
                    ircg_methods,
                    bi_sg_methods,
                    penalty_apg_methods,
                    r_apm_methods,
                    big_sam_methods,
                    dbgd_methods,
                    fbi_pg_methods,
                    bi_fista_methods,
                    stabim_methods,
                    adabim_methods,
                    sedm_methods,
                    bi_cs_methods,
                    iiba_methods,
                    polyak_switching_methods,
                    nesterov_smooth_methods,
                    nesterov_level_methods}) {
    std::vector<MethodInfo> some = make();
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return all;
}

}  // namespace fcbio
