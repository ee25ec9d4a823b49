#include "analysis/samples/sample_share.h"
#include <math.h>

struct share_range sample_share(uint64_t k, uint64_t n)
{
	const double z = 1.959963984540054; /* of the normal distribution, 2.5 % beyond */
	double p = n ? (double)k / (double)n : 0, all = (double)n;
	double middle, half;

	if (!n)
		return (struct share_range){0, 1};
	middle = (p + z * z / (2 * all)) / (1 + z * z / all);
	half = z / (1 + z * z / all) * sqrt(p * (1 - p) / all + z * z / (4 * all * all));
	/* rounding errors would be seen at the ends */
	return (struct share_range){k ? middle - half : 0, k < n ? middle + half : 1};
}
