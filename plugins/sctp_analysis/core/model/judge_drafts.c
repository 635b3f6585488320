/* Judges chunks of drafts and private ones. */
#include "case.h"

void sctpa_judge_drafts(sctpa_case_t *c)
{
    (void)c;
}
