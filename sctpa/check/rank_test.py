# SPDX-License-Identifier: GPL-2.0-or-later
"""The test of Mann and Whitney: do two samples come from one distribution? Two-sided.

H. B. Mann, D. R. Whitney, "On a Test of Whether One of Two Random Variables is Stochastically Larger than the Other", Annals of
Mathematical Statistics 18 (1947), 50-60. Exact, by the recurrence of their section 3, where no values are equal and the samples have at
most EXACT_MAX values together; else by the normal approximation with the variance corrected for ties (E. L. Lehmann, "Nonparametrics",
1975, section 1.4, (1.35)) and a continuity correction of a half.
"""

import functools
import math

EXACT_MAX = 40


@functools.cache
def _ways(u, m, n):
    """Orders of m and n distinct values in which u pairs have the value of the first sample above."""
    if u < 0:
        return 0
    if m == 0 or n == 0:
        return int(u == 0)
    return _ways(u - n, m - 1, n) + _ways(u, m, n - 1)


def p_value(first, second):
    """Probability of a difference at least as great, were both samples of one distribution. Neither may be empty. O((m n)^2) exactly,
    m, n the sizes; O(m n) else."""
    m, n = len(first), len(second)
    u = sum((a > b) + (a == b) / 2 for a in first for b in second)
    values = [*first, *second]
    counts = [values.count(value) for value in set(values)]
    low = min(u, m * n - u)
    if max(counts) == 1 and m + n <= EXACT_MAX:
        return min(1.0, 2 * sum(_ways(k, m, n) for k in range(int(low) + 1)) / math.comb(m + n, m))
    total = m + n
    variance = m * n / 12 * (total + 1 - sum(count**3 - count for count in counts) / (total * (total - 1)))
    if variance == 0:
        return 1.0
    return min(1.0, math.erfc(max(0.0, m * n / 2 - low - 0.5) / math.sqrt(2 * variance)))
