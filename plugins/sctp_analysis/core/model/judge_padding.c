/* Judges PAD chunks and padding parameters. */
#include "case.h"

void sctpa_judge_padding(sctpa_case_t *c)
{
    (void)c;
}
