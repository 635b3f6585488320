/* Judges dynamic address reconfiguration. */
#include "case.h"

void sctpa_judge_addresses(sctpa_case_t *c)
{
    (void)c;
}
