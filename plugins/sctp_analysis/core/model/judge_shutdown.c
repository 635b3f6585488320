/* Judges shutdown and abort. */
#include "case.h"

void sctpa_judge_shutdown(sctpa_case_t *c)
{
    (void)c;
}
