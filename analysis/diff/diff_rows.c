#include "analysis/diff/diff_rows.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t name_hash(const char *name)
{
	uint64_t hash = 0;

	for (; *name; name++)
		hash = hash_mix(hash ^ (unsigned char)*name);
	return hash;
}

/* Names whose hashes are the same are told apart by the slot's second word. */
struct diff_row *diff_row_find(struct diff_rows *r, const char *name)
{
	uint64_t hash = name_hash(name);

	for (uint64_t rest = 0;; rest++) {
		struct hash_slot *slot = hash_table_slot(&r->known, hash, rest);

		if (slot->head == HASH_NOTHING) {
			slot->head = (uint32_t)r->all.n;
			*vector_add(&r->all) = (struct diff_row){
			    .name = text_format("%s", name),
			    .runs = array_zero(r->nruns, sizeof(struct sample[DIFF_SAMPLES])),
			};
		}
		if (strcmp(r->all.at[slot->head].name, name) == 0)
			return &r->all.at[slot->head];
	}
}

struct sample *diff_row_samples(struct diff_rows *r, const char *name, unsigned run)
{
	return diff_row_find(r, name)->runs[run];
}

static double aspect_value(enum aspect aspect, const struct sample *s)
{
	if (aspect == ASPECT_COUNT)
		return (double)s->n;
	if (aspect == ASPECT_MEAN)
		return s->n ? s->sum / (double)s->n : NAN;
	return s->sum;
}

/* A mean weighs what the number of its values does, in the run that has most. */
static double measure_weight(const struct diff_rows *r, const struct diff_row *row,
			     const struct diff_measure *m)
{
	double most = 0;

	for (unsigned run = 0; run < r->nruns; run++)
		most = fmax(most, (double)row->runs[run][m->sample].n);
	return m->aspect == ASPECT_MEAN ? most : 1;
}

void diff_row_compare(const struct diff_rows *r, const struct diff_row *row, struct diff_changes *c,
		      enum diff_table table, const struct diff_measure *measures, unsigned n)
{
	for (const struct diff_measure *m = measures; m < measures + n; m++) {
		double *values = array_new(r->nruns, sizeof *values);

		for (unsigned run = 0; run < r->nruns; run++)
			values[run] = aspect_value(m->aspect, &row->runs[run][m->sample]);
		change_add(c, (struct change){
				  .table = table,
				  .name = text_format("%s", row->name),
				  .measure = m->name,
				  .unit = m->unit,
				  .sums = row->sums,
				  .recorder = row->recorder,
				  .values = values,
				  .weight = measure_weight(r, row, m),
			      });
	}
}

void diff_rows_compare(struct diff_rows *r, struct diff_changes *c, enum diff_table table,
		       const struct diff_measure *measures, unsigned n)
{
	for (size_t i = 0; i < r->all.n; i++)
		diff_row_compare(r, &r->all.at[i], c, table, measures, n);
	diff_rows_free(r);
}

void diff_rows_free(struct diff_rows *r)
{
	for (size_t i = 0; i < r->all.n; i++) {
		free(r->all.at[i].name);
		free(r->all.at[i].runs);
	}
	free(r->all.at);
	hash_table_free(&r->known);
	*r = (struct diff_rows){0};
}
