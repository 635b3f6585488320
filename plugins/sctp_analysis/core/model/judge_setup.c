/* Judges set-up, its parameters, collision and restart. */
#include "case.h"

void sctpa_judge_setup(sctpa_case_t *c)
{
    (void)c;
}
