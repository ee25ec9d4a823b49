#include "analysis/diff/changes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const diff_row_names[NDIFF_TABLES] = {"interval", "function", "thread", "lock", "memory"};

/* ---- changes ---- */

static double apart(const struct change *c)
{
	return fabs(c->weight_after - c->weight_before);
}

static enum verdict verdict_of(const struct changes *all, const struct change *c)
{
	if (isnan(c->before) || isnan(c->after))
		return VERDICT_UNTESTED;
	if (c->before == c->after || c->p >= DIFF_NOISE)
		return VERDICT_NOISE;
	if (apart(c) < all->floor[c->unit])
		return VERDICT_SMALL;
	if (isnan(c->p))
		return VERDICT_UNTESTED;
	return c->after > c->before ? VERDICT_MORE : VERDICT_LESS;
}

void change_add(struct changes *c, struct change change)
{
	change.verdict = verdict_of(c, &change);
	*vector_add(&c->all) = change;
}

double change_factor(const struct change *c)
{
	return c->before == c->after ? 1 : c->after / c->before;
}

bool change_exceeds(const struct change *c, double limit)
{
	return c->verdict == VERDICT_MORE && limit < INFINITY &&
	       c->after - c->before > limit * c->before;
}

/* How far apart, as a factor; what is near the floor counts less. */
static double distance(const struct change *c, const double *floor)
{
	double least = floor[c->unit] > 0 ? floor[c->unit] : 1;
	double factor = (c->weight_after + least) / (c->weight_before + least);

	return isnan(factor) ? 0 : fabs(log(factor));
}

static bool is_changed(const struct change *c)
{
	return c->verdict >= VERDICT_UNTESTED;
}

static int change_order(const void *a, const void *b, void *floor)
{
	const struct change *x = a, *y = b;
	double far = distance(x, floor), other = distance(y, floor);
	int order;

	if (is_changed(x) != is_changed(y))
		return is_changed(x) ? -1 : 1;
	if (far != other)
		return far > other ? -1 : 1;
	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->measure, y->measure);
}

void changes_sort(struct changes *c)
{
	if (c->all.n)
		qsort_r(c->all.at, c->all.n, sizeof *c->all.at, change_order, c->floor);
}

void changes_free(struct changes *c)
{
	for (size_t i = 0; i < c->all.n; i++)
		free(c->all.at[i].name);
	free(c->all.at);
}

/* ---- tables of sums ---- */

static uint64_t name_hash(const char *name)
{
	uint64_t hash = 0;

	for (; *name; name++)
		hash = hash_mix(hash ^ (unsigned char)*name);
	return hash;
}

/* Names whose hashes are the same are told apart by the slot's second word. */
struct diff_row *diff_row_find(struct diff_rows *r, const char *name, unsigned run)
{
	uint64_t hash = name_hash(name);
	struct diff_row *row;

	for (uint64_t rest = 0;; rest++) {
		struct hash_slot *slot = hash_table_slot(&r->known, hash, rest);

		if (slot->head == HASH_NOTHING) {
			slot->head = (uint32_t)r->all.n;
			*vector_add(&r->all) = (struct diff_row){.name = text_format("%s", name)};
		}
		row = &r->all.at[slot->head];
		if (strcmp(row->name, name) == 0)
			break;
	}
	row->has[run] = true;
	return row;
}

static double aspect_value(enum aspect aspect, const struct sample *s)
{
	if (aspect == ASPECT_COUNT)
		return (double)s->n;
	if (aspect == ASPECT_MEAN)
		return s->n ? s->sum / (double)s->n : NAN;
	return s->sum;
}

static double aspect_test(enum aspect aspect, const struct sample *a, const struct sample *b)
{
	switch (aspect) {
	case ASPECT_COUNT: return count_test((double)a->n, (double)b->n);
	case ASPECT_TOTAL: return total_test(a, b);
	case ASPECT_MEAN: return mean_test(a, b);
	default: return a->sum == b->sum ? 1 : NAN;
	}
}

/* A mean weighs what its number of values does; that of fewer, as far as they can be compared. */
static double aspect_weight(enum aspect aspect, const struct sample *s, const struct sample *other)
{
	double n = (double)(s->n > other->n ? s->n : other->n), value = aspect_value(aspect, s);

	return aspect == ASPECT_MEAN ? value * n : value;
}

static struct change row_change(enum diff_table table, const struct diff_row *row,
				const struct diff_measure *m)
{
	const struct sample *a = &row->samples[0][m->sample], *b = &row->samples[1][m->sample];

	return (struct change){
	    .table = table,
	    .name = text_format("%s", row->name),
	    .measure = m->name,
	    .unit = m->unit,
	    .before = aspect_value(m->aspect, a),
	    .after = aspect_value(m->aspect, b),
	    .p = aspect_test(m->aspect, a, b),
	    .weight_before = aspect_weight(m->aspect, a, b),
	    .weight_after = aspect_weight(m->aspect, b, a),
	};
}

void diff_rows_compare(struct diff_rows *r, struct changes *c, enum diff_table table,
		       const struct diff_measure *measures, unsigned n)
{
	for (size_t i = 0; i < r->all.n; i++) {
		for (unsigned k = 0; k < n; k++)
			change_add(c, row_change(table, &r->all.at[i], &measures[k]));
		free(r->all.at[i].name);
	}
	free(r->all.at);
	hash_table_free(&r->known);
	*r = (struct diff_rows){0};
}
