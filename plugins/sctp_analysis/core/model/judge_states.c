/* Judges states, verification tags and packets out of the blue. */
#include "case.h"

void sctpa_judge_states(sctpa_case_t *c)
{
    (void)c;
}
