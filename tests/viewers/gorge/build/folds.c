/*
 * folds DIR [KEYS]: prints the lanes of threads in a view as the page has it, from the top: of each its name,
 * how many threads it has, and [KEY] if it can be folded, "+" if it is open. KEYS: what is folded; without it all of
 * what is at first. The last line are the keys of all that is folded.
 */
#include "base/array.h"
#include "viewers/gorge/build/build.h"
#include <stdlib.h>
#include <string.h>

/* A lane's threads: single ones and ranges count alike. */
static unsigned threads_of(const struct lane *lane)
{
	unsigned n = 0;

	for (size_t i = 0; i < lane->threads.n; i++)
		n += lane->threads.at[i].last - lane->threads.at[i].first + 1;
	return n;
}

static void print_lane(const struct lane *lane)
{
	printf("%s%s: %u", lane->indent ? "  " : "", lane->name, threads_of(lane));
	if (lane->heading)
		printf(" [%s]%s", lane->group, lane->collapsed ? "" : "+");
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "folds"};
	const char *directory[] = {argc > 1 ? argv[1] : ""};
	struct trace *t = trace_open(directory, 1, NULL, &diag);
	struct trace_index *m = t ? trace_index_new(t, &diag) : NULL;
	struct view v = {.width = 900,
			 .theme = &theme_light,
			 .lanes = "threads",
			 .complete = true,
			 .collapsed = argc > 2 ? argv[2] : NULL};
	struct scene *s = m ? scene_build(&v, m, &diag) : NULL;
	char *keys;

	if (!s)
		return 2;
	for (unsigned i = 0; i < s->nlanes; i++)
		if (!s->lanes[i].processors)
			print_lane(&s->lanes[i]);
	keys = view_folded(&v, m);
	printf("folded %s\n", keys);
	free(keys);
	scene_free(s);
	trace_index_free(m);
	return 0;
}
