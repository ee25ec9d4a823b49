/* heap_print DIRECTORY: the sums of its first interval of kind life, for tests to compare. */
#include "analysis/heap/heap.h"
#include "base/parallel.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct diag diag = {.program = "heap_print"};
	const char *directory = argc > 1 ? argv[1] : ".";
	struct trace *t = trace_open(&directory, 1, NULL, &diag);
	struct role *roles;
	struct heap *h;
	unsigned n;

	if (!t)
		return 2;
	roles = roles_of_kind(t->spec, KIND_LIFE, &n);
	h = heap_of(t, &roles[0]);
	for (size_t i = 0; i < h->nsites; i++) {
		const struct heap_site *s = &h->sites[i];

		printf("%" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		       " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       s->process, s->stack, s->taken.n, s->taken.bytes, s->elsewhere.n,
		       s->elsewhere.bytes, s->alive.n, s->alive.bytes, s->unseen);
	}
	printf("peak %" PRIu64 " %" PRId64 "\n", h->peak.bytes, h->peak_time);
	heap_free(h);
	free(roles);
	trace_close(t);
	return 0;
}
