/* Judges the data receiver: what SACKs say and when they are due. */
#include "case.h"

void sctpa_judge_receiver(sctpa_case_t *c)
{
    (void)c;
}
