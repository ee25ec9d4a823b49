#include "viewers/gorge/server/why_search.h"
#include "analysis/rank/rank.h"
#include "analysis/why/search_json.h"
#include "analysis/why/why.h"
#include "base/array.h"
#include <stdlib.h>

void found_why_free(struct found_why *w)
{
	if (!w)
		return;
	free(w->said);
	if (w->path)
		critical_path_free(w->path);
	free(w);
}

static struct critical_path *path_copy(const struct critical_path *p)
{
	struct critical_path *copy = array_new(1, sizeof *copy);

	*copy = *p;
	copy->pieces = array_new(p->n, sizeof *p->pieces);
	memcpy(copy->pieces, p->pieces, p->n * sizeof *p->pieces);
	return copy;
}

static void search_write(struct trace *t, const char *directory, const struct hypotheses *h,
			 struct found_why *w, FILE *out)
{
	struct conditions conditions = {0};
	struct rank *rank = NULL;
	struct search *found;
	struct ground *g;

	for (size_t i = 0; i < h->all.n; i++)
		conditions_collect(&conditions, h->all.at[i]->condition);
	g = ground_of(t, 0, conditions);
	found = search_run(g, h->all.at, (unsigned)h->all.n, 0, t->duration);
	if (found->findings.n)
		rank = rank_of(g->graph, g->path, t, (1u << NSUBJECTS) - 1, false);
	search_json(out, directory, found, rank);
	if (rank)
		rank_free(rank);
	w->path = path_copy(g->path);
	search_free(found);
	ground_free(g);
}

struct found_why *found_why_new(struct trace *t, const char *directory)
{
	struct found_why *w = array_zero(1, sizeof *w);
	FILE *out = open_memstream(&w->said, &w->size);
	struct diag diag = {.out = out, .program = "gorge"};
	struct hypotheses h;

	if (!out)
		array_exhausted();
	if (hypotheses_read(&h, t->spec, NULL, &diag)) {
		search_write(t, directory, &h, w, out);
		hypotheses_free(&h);
	}
	if (fclose(out) != 0)
		array_exhausted();
	return w;
}
