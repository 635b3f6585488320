/* Judges partial reliability. */
#include "case.h"

void sctpa_judge_partial(sctpa_case_t *c)
{
    (void)c;
}
