/* Judges authentication. */
#include "case.h"

void sctpa_judge_auth(sctpa_case_t *c)
{
    (void)c;
}
