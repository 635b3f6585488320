/* Judges zero checksum. */
#include "case.h"

void sctpa_judge_checksum(sctpa_case_t *c)
{
    (void)c;
}
