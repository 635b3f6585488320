/* Judges the receiver's window and the sender's use of it. */
#include "case.h"

void sctpa_judge_window(sctpa_case_t *c)
{
    (void)c;
}
