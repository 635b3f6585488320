/* Judges stream re-configuration. */
#include "case.h"

void sctpa_judge_streams(sctpa_case_t *c)
{
    (void)c;
}
