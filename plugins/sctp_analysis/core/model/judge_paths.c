/* Judges heartbeats, path states and failover. */
#include "case.h"

void sctpa_judge_paths(sctpa_case_t *c)
{
    (void)c;
}
