/* Judges explicit congestion notification. */
#include "case.h"

void sctpa_judge_ecn(sctpa_case_t *c)
{
    (void)c;
}
