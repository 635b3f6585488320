/* Judges UDP and DTLS encapsulation. */
#include "case.h"

void sctpa_judge_encapsulation(sctpa_case_t *c)
{
    (void)c;
}
