/* Judges the data sender: TSNs, streams, fragments, what is sent when. */
#include "case.h"

void sctpa_judge_sender(sctpa_case_t *c)
{
    (void)c;
}
