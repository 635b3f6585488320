/* Judges retransmission timers, RTO and error counters. */
#include "case.h"

void sctpa_judge_timer(sctpa_case_t *c)
{
    (void)c;
}
