#include "viewers/nibble/sample/windows.h"
#include "base/array.h"
#include <math.h>
#include <stdlib.h>

#define MOST_WINDOWS 120

double window_width_for(struct limits r, unsigned most)
{
	static const double steps[] = {1, 2, 5};
	double length = r.to - r.from;

	for (double decade = 1;; decade *= 10)
		for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
			if (length <= steps[i] * decade * most)
				return steps[i] * decade;
}

double window_width(struct limits r)
{
	return window_width_for(r, MOST_WINDOWS);
}

struct windows windows_make(struct limits r, double width)
{
	double first = floor(r.from / width) + 1, last = ceil(r.to / width) - 1;
	struct windows g = {.width = width};

	/* An instant is one window of its own. */
	if (r.to <= r.from)
		r.to = r.from + 1;
	if (first * width - r.from < width / 2 && r.from < first * width &&
	    fmod(r.from, width) != 0)
		first++;
	if (r.to - last * width < width / 2)
		last--;
	g.edges = array_zero((size_t)fmax(last - first + 1, 0) + 2, sizeof *g.edges);
	g.edges[0] = r.from;
	for (double k = first; k <= last; k++)
		g.edges[++g.n] = k * width;
	g.edges[++g.n] = r.to;
	return g;
}

struct windows windows_even(struct limits r, size_t n)
{
	struct windows g = {array_zero(n + 1, sizeof *g.edges), n, (r.to - r.from) / (double)n};

	for (size_t i = 0; i <= n; i++)
		g.edges[i] = r.from + (r.to - r.from) * (double)i / (double)n;
	g.edges[n] = r.to;
	return g;
}

void windows_free(struct windows *g)
{
	free(g->edges);
	*g = (struct windows){0};
}

size_t windows_find(const struct windows *g, double x, size_t hint)
{
	if (x < g->edges[0] || x > g->edges[g->n])
		return g->n;
	if (x == g->edges[g->n])
		return g->n - 1;
	while (g->edges[hint + 1] <= x)
		hint++;
	return hint;
}
