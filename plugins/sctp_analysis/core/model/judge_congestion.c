/* Judges congestion control. */
#include "congestion_paths.h"

void sctpa_judge_congestion(sctpa_case_t *c)
{
    sctpa_cwnd_assoc_t *state = sctpa_congestion_state(c);
    sctpa_congestion_follow(c, state);
}
