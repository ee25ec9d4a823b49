#include "cli/whatif_hand_out.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 5 };

/* Pools of one call site, as those of a loop that runs several times. */
struct hand_out_row {
	struct hand_out_pool pool; /* the first of them, with the items of all */
	size_t npools;
};

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool belongs(const struct hand_out_row *r, const struct hand_out_pool *pool)
{
	return is_same(r->pool.name, pool->name) && is_same(r->pool.site, pool->site) &&
	       is_same(r->pool.doubt, pool->doubt);
}

/* Returns the pools, those of a call site joined. The caller frees them. */
static struct hand_out_row *rows_of(const struct prediction *p, size_t *n)
{
	const struct hand_out *h = p->hand_out;
	struct hand_out_row *rows = array_new(h ? h->pools.n : 0, sizeof *rows);

	*n = 0;
	for (size_t i = 0; h && i < h->pools.n; i++) {
		const struct hand_out_pool *pool = &h->pools.at[i];
		size_t k = 0;

		while (k < *n && !belongs(&rows[k], pool))
			k++;
		if (k == *n) {
			rows[(*n)++] = (struct hand_out_row){*pool, 1};
			continue;
		}
		rows[k].npools++;
		rows[k].pool.nitems += pool->nitems;
		if (pool->nthreads > rows[k].pool.nthreads)
			rows[k].pool.nthreads = pool->nthreads;
	}
	return rows;
}

/* Returns why the items stay with the threads that had them, or NULL. */
static const char *doubt_of(const struct prediction *p, const struct hand_out_row *r)
{
	return r->pool.doubt ? r->pool.doubt : p->copied;
}

static const char *group_of(const struct hand_out_pool *pool)
{
	return pool->group ? pool->group : pool->nthreads == 1 ? "thread" : "threads";
}

void hand_out_text(FILE *out, const struct prediction *p)
{
	size_t n;
	struct hand_out_row *rows = rows_of(p, &n);

	for (size_t i = 0; i < n && i < MOST_LINES; i++) {
		const struct hand_out_pool *pool = &rows[i].pool;
		const char *doubt = doubt_of(p, &rows[i]);

		fprintf(out, "hand-out: ");
		if (doubt)
			fprintf(out, "copied for %u x %s at %s", pool->nthreads, group_of(pool),
				pool->name);
		else
			fprintf(out, "%u x %s take %zu items at %s", pool->nthreads, group_of(pool),
				pool->nitems, pool->name);
		if (pool->site)
			fprintf(out, ", %s", pool->site);
		if (rows[i].npools > 1)
			fprintf(out, ", %zu times", rows[i].npools);
		fprintf(out, doubt ? ": %s\n" : "\n", doubt);
	}
	if (n > MOST_LINES)
		fprintf(out, "hand-out: %zu more (--format=json lists them)\n", n - MOST_LINES);
	free(rows);
}

static void text_json(struct json *j, const char *key, const char *text)
{
	if (text)
		json_string(j, key, text);
	else
		json_null(j, key);
}

void hand_out_json(struct json *j, const struct prediction *p)
{
	static const char *const kinds[] = {
	    [POOL_LOCK] = "lock", [POOL_LOOP] = "loop", [POOL_INTERVAL] = "interval"};
	size_t n;
	struct hand_out_row *rows = rows_of(p, &n);

	json_array(j, "hand_out");
	for (size_t i = 0; i < n; i++) {
		const struct hand_out_pool *pool = &rows[i].pool;
		const char *doubt = doubt_of(p, &rows[i]);

		json_object(j, NULL);
		json_string(j, "kind", kinds[pool->kind]);
		text_json(j, "name", pool->name);
		text_json(j, "site", pool->site);
		text_json(j, "group", pool->group);
		json_uint(j, "threads", pool->nthreads);
		json_uint(j, "items", pool->nitems);
		json_uint(j, "times", rows[i].npools);
		json_bool(j, "handed_out", !doubt);
		text_json(j, "copied_because", doubt);
		json_close(j);
	}
	json_close(j);
	free(rows);
}
