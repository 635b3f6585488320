/* Judges user message interleaving. */
#include "case.h"

void sctpa_judge_interleaving(sctpa_case_t *c)
{
    (void)c;
}
