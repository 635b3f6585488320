/* Judges congestion control. */
#include "case.h"

void sctpa_judge_congestion(sctpa_case_t *c)
{
    (void)c;
}
