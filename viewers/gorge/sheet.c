#include "viewers/gorge/sheet.h"
#include "viewers/vector.h"
#include <math.h>
#include <stdlib.h>

unsigned thread_index(const struct trace *t, uint32_t number)
{
	const struct trace_thread *found;

	if (number < t->nthreads && t->threads[number].number == number)
		return number;
	found = trace_thread(t, number);
	return found ? (unsigned)(found - t->threads) : t->nthreads;
}

static double number_of(const struct event *e)
{
	struct value v = record_value(e->type, (unsigned)e->type->offset_attribute, e->record);

	return v.kind == VALUE_INT ? (double)v.integer : v.kind == VALUE_REAL ? v.real : 0;
}

/*
 * The values of the attribute over the whole trace, so that a symbol's height does not change with
 * the window.
 */
struct range shift_range(const struct event_list *list)
{
	struct range range = {INFINITY, -INFINITY};
	struct event e;

	for (size_t i = 0; i < event_list_size(list); i++) {
		event_list_look(list, i, &e);
		range.low = fmin(range.low, number_of(&e));
		range.high = fmax(range.high, number_of(&e));
	}
	return range;
}

uint8_t range_shift(const struct range *r, const struct event *e)
{
	double part = (number_of(e) - r->low) / (r->high - r->low);

	return part >= 0 && part <= 1 ? (uint8_t)lround(part * (SHIFTS - 1)) : SHIFTS / 2;
}

static struct sheet *sheet_new(const struct trace *t, struct moments moments, unsigned shifts)
{
	struct sheet *s = zeroed(1, sizeof *s);

	s->moments = moments;
	s->nthreads = t->nthreads;
	s->shifts = shifts;
	s->first = zeroed((size_t)t->nthreads * shifts + 1, sizeof *s->first);
	return s;
}

static size_t group_of(const struct sheet *s, const struct trace *t, size_t i)
{
	struct event e;

	moments_look(&s->moments, i, &e);
	return (size_t)thread_index(t, e.thread) * s->shifts +
	       (s->shifts > 1 ? range_shift(&s->range, &e) : 0);
}

/* A moment that the sheet leaves out belongs to a partner. */
static bool left_out(const uint32_t *partner_of, size_t i)
{
	return partner_of && partner_of[i] != UNMATCHED;
}

/* Counts each group, makes room, and fills it: twice the same walk. */
static void fill(struct sheet *s, const struct trace *t, const uint32_t *partner_of)
{
	size_t groups = (size_t)s->nthreads * s->shifts, *next = zeroed(groups + 1, sizeof *next);

	for (size_t i = 0; i < s->moments.count; i++)
		if (!left_out(partner_of, i))
			s->first[group_of(s, t, i) + 1]++;
	for (size_t g = 0; g < groups; g++) {
		s->first[g + 1] += s->first[g];
		next[g + 1] = s->first[g + 1];
	}
	s->order = zeroed(s->first[groups], sizeof *s->order);
	for (size_t i = 0; i < s->moments.count; i++)
		if (!left_out(partner_of, i))
			s->order[next[group_of(s, t, i)]++] = (uint32_t)i;
	free(next);
}

struct sheet *sheet_of_events(struct trace *t, const struct event_type *type)
{
	const struct event_list *list = trace_events(t, type);
	bool shifted = type->offset_attribute >= 0;
	struct sheet *s;

	if (!list)
		memory_exhausted();
	s = sheet_new(t, (struct moments){.trace = t, .list = list, .count = event_list_size(list)},
		      shifted ? SHIFTS : 1);
	if (shifted)
		s->range = shift_range(list);
	fill(s, t, NULL);
	return s;
}

struct sheet *sheet_of_unmatched(const struct trace *t, const struct matches *m)
{
	struct sheet *s = sheet_new(t, m->anchors, 1);

	fill(s, t, m->partner_of);
	return s;
}

void sheet_free(struct sheet *s)
{
	if (!s)
		return;
	free(s->first);
	free(s->order);
	free(s);
}

static int64_t time_at(const struct sheet *s, size_t place)
{
	return moments_time(&s->moments, s->order[place]);
}

/* The first place within [i, end) that is not before the time: by doubling steps, then by halves. */
static size_t seek(const struct sheet *s, size_t i, size_t end, int64_t time)
{
	size_t step = 1, low = i, high;

	while (low + step < end && time_at(s, low + step) < time) {
		low += step;
		step *= 2;
	}
	high = low + step < end ? low + step : end;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (time_at(s, middle) < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint64_t put_group(const struct sheet *s, size_t group, const struct scene *scene,
			  struct marks *marks, uint32_t lane)
{
	size_t end = s->first[group + 1], i = s->first[group], begin, next;
	uint8_t shift = (uint8_t)(group % s->shifts);

	if (i == end)
		return 0;
	begin = i = seek(s, i, end, scene->window.from);
	for (; i < end && time_at(s, i) <= scene->window.to; i = next) {
		int32_t column = scene_column(scene, time_at(s, i));
		next = seek(s, i, end, scene_column_end(scene, column));
		marks_count(marks, lane, column, shift, s->order[i], next - i);
	}
	return i - begin;
}

uint64_t sheet_put(const struct sheet *s, unsigned thread, const struct scene *scene,
		   struct marks *marks, uint32_t lane)
{
	uint64_t count = 0;

	for (unsigned shift = 0; shift < s->shifts; shift++)
		count += put_group(s, (size_t)thread * s->shifts + shift, scene, marks, lane);
	return count;
}
