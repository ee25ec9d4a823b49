#include "base/nearest.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Longer names are never suggested. */
enum { LONGEST_NAME = 64 };

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Returns how many edits turn a into b: insert, delete, replace or swap neighbours (optimal string
 * alignment). Ignores case, since a wrong case is the most frequent mistake.
 */
static unsigned edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned row[3][LONGEST_NAME + 1];
	for (size_t j = 0; j <= nb; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
		now[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned differs = !same_letter(a[i - 1], b[j - 1]);
			now[j] = smaller(smaller(last[j], now[j - 1]) + 1, last[j - 1] + differs);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				now[j] = smaller(now[j], before[j - 2] + 1);
		}
	}
	return row[na % 3][nb];
}

const char *nearest_name(const char *name, const char *const *names, size_t n)
{
	size_t length = strlen(name);
	if (length > LONGEST_NAME)
		return NULL;
	const char *best = NULL;
	unsigned best_distance = (unsigned)(length / 3) + 1;
	for (size_t i = 0; i < n; i++) {
		size_t other = strlen(names[i]);
		if (other > LONGEST_NAME || strcmp(name, names[i]) == 0)
			continue;
		unsigned distance = edit_distance(name, length, names[i], other);
		if (distance < best_distance) {
			best_distance = distance;
			best = names[i];
		}
	}
	return best;
}
