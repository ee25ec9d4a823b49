#include "viewers/gorge/scene/dump.h"
#include "base/visible.h"
#include "viewers/gorge/scene/object_scene.h"
#include "viewers/gorge/scene/stack_scene.h"
#include "viewers/gorge/style/text_width.h"
#include <inttypes.h>
#include <stdlib.h>

void dump_quote(FILE *out, const char *text)
{
	char *clean = visible_text(text);

	putc('"', out);
	for (const char *p = clean; *p; p++) {
		if (*p == '"' || *p == '\\')
			putc('\\', out);
		putc(*p, out);
	}
	putc('"', out);
	free(clean);
}

static void dump_quoted(FILE *out, const char *what, const char *text)
{
	fprintf(out, "%s ", what);
	dump_quote(out, text);
	putc('\n', out);
}

static void dump_threads(const struct lane *l, FILE *out)
{
	fputs(l->object ? " objects" : l->heading ? " process" : " threads", out);
	for (size_t i = 0; i < l->threads.n; i++)
		fprintf(out, "%c%" PRIu32 "-%" PRIu32, i ? ',' : ' ', l->threads.at[i].first,
			l->threads.at[i].last);
}

/* Writes how long the threads of a lane were in each state in the window: nanoseconds. */
static void dump_shares(const struct scene *s, unsigned lane, FILE *out)
{
	const struct lane *l = &s->lanes[lane];
	const double *shares = l->shares;

	if (!shares || l->object || (l->heading && !l->merged))
		return;
	fprintf(out, "shares lane %u", lane);
	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].band == BAND_STATES)
			fprintf(out, " %s:%.0f", s->intervals[i].name, shares[i]);
	putc('\n', out);
}

static void dump_lanes(const struct scene *s, FILE *out)
{
	for (unsigned i = 0; i < s->nlanes; i++) {
		const struct lane *l = &s->lanes[i];
		fprintf(out, "lane %u ", i);
		dump_quote(out, l->name);
		dump_threads(l, out);
		fprintf(out, " events %" PRIu64 " rows %u", l->events, l->rows);
		if (l->alive)
			fprintf(out, " life %" PRId64 "-%" PRId64, l->born, l->died);
		if (l->lost)
			fprintf(out, " lost %" PRIu64, l->lost);
		if (l->skipped)
			fprintf(out, " skipped %" PRIu64, l->skipped);
		putc('\n', out);
		for (size_t k = 0; k < l->lives.n; k++) {
			fprintf(out, "life lane %u %" PRId64 "-%" PRId64 " ", i,
				l->lives.at[k].born, l->lives.at[k].died);
			dump_quote(out, l->lives.at[k].name);
			putc('\n', out);
		}
		dump_shares(s, i, out);
	}
}

static void dump_gaps(const struct scene *s, FILE *out)
{
	for (size_t i = 0; i < s->gaps.n; i++) {
		const struct gap *g = &s->gaps.at[i];
		fprintf(out, "%s %s", g->off ? "off" : "lost", g->type ? g->type : "any");
		if (g->lane != NO_KEY)
			fprintf(out, " lane %" PRIu32, g->lane);
		fprintf(out, " at %.1f-%.1f\n", g->x0, g->x1);
	}
}

static void dump_events(const struct scene *s, FILE *out)
{
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_key *e = &s->events[i];
		fprintf(out, "event %s ", e->name);
		dump_quote(out, e->label);
		fprintf(out, " %s #%06x count %" PRIu64,
			e->symbol ? symbol_name(e->symbol) : "stroke", e->colour >> 8, e->count);
		if (e->shifted)
			fputs(" shifted\n", out);
		else
			fprintf(out, " track %u\n", e->track);
	}
}

static void dump_intervals(const struct scene *s, FILE *out)
{
	for (unsigned i = 0; i < s->nintervals; i++) {
		const struct interval_key *n = &s->intervals[i];
		fprintf(out, "interval %s ", n->name);
		dump_quote(out, n->label);
		fprintf(out, " %s #%06x count %" PRIu64 " unmatched %" PRIu64,
			n->form == FORM_BAR ? "rectangle" : "line", n->colour >> 8, n->count,
			n->unmatched);
		if (n->count)
			fprintf(out, " shortest %" PRId64 " mean %.1f longest %" PRId64,
				n->shortest, n->total / (double)n->count, n->longest);
		putc('\n', out);
	}
}

static void dump_mark(FILE *out, const char *kind, const char *name, const struct scene_mark *m,
		      bool shifted)
{
	fprintf(out, "%s %s lane %" PRIu32 " at %" PRId32, m->level ? "strip" : kind, name, m->lane,
		m->x0);
	if (m->level)
		fprintf(out, "-%" PRId32 " level %u", m->x1, m->level);
	fprintf(out, " count %" PRIu64, m->count);
	if (shifted)
		fprintf(out, " shift %u", m->shift);
	putc('\n', out);
}

static void dump_marks(const struct scene *s, FILE *out)
{
	for (size_t i = 0; i < s->marks.n; i++) {
		const struct event_key *key = &s->events[s->marks.at[i].key];
		dump_mark(out, "mark", key->name, &s->marks.at[i], key->shifted);
	}
	for (size_t i = 0; i < s->stubs.n; i++) {
		const char *name = s->intervals[s->stubs.at[i].key].name;
		if (s->stubs.at[i].level)
			fputs("unmatched ", out);
		dump_mark(out, "unmatched", name, &s->stubs.at[i], false);
	}
}

static void dump_violations(const struct scene *s, FILE *out)
{
	for (size_t i = 0; i < s->violations.n; i++) {
		const struct scene_mark *m = &s->violations.at[i];
		if (m->level)
			fputs("violation ", out);
		dump_mark(out, "violation", s->intervals[m->key].name, m, false);
	}
}

static void dump_bars(const struct scene *s, FILE *out)
{
	for (size_t i = 0; i < s->bars.n; i++) {
		const struct bar *b = &s->bars.at[i];
		fprintf(out, "%s %s lane %" PRIu32 " row %" PRIu32 " at %.1f-%.1f",
			b->level ? "run" : "bar", s->intervals[b->key].name, b->lane, b->row, b->x0,
			b->x1);
		if (b->level)
			fprintf(out, " level %u count %" PRIu64, b->level, b->count);
		if (b->slices > 1)
			fprintf(out, " slice %u of %u", b->slice + 1, b->slices);
		fprintf(out, "%s%s%s", b->cut_left ? " cut-left" : "",
			b->cut_right ? " cut-right" : "", b->violates ? " violates" : "");
		if (b->name && b->name->text) {
			fputs(" function ", out);
			dump_quote(out, b->name->text);
		}
		putc('\n', out);
	}
}

/* Writes the threads of each column, of equal ones once. */
static void dump_merges(const struct scene *s, FILE *out)
{
	for (size_t i = 0; i < s->merges.n; i++) {
		const struct merged_state *m = &s->merges.at[i];
		fprintf(out, "merge %s lane %" PRIu32 " of %u at", s->intervals[m->key].name,
			m->lane, s->lanes[m->lane].most);
		for (unsigned c = 0; c < s->columns; c++)
			if (c == 0 || m->threads[c] != m->threads[c - 1])
				fprintf(out, " %u:%.3g", c, (double)m->threads[c]);
		putc('\n', out);
	}
}

static void dump_links(const struct scene *s, FILE *out)
{
	for (size_t i = 0; i < s->links.n; i++) {
		const struct link *l = &s->links.at[i];
		fprintf(out,
			"line %s from lane %" PRIu32 " at %.1f to lane %" PRIu32
			" at %.1f count %" PRIu64 "%s%s\n",
			s->intervals[l->key].name, l->start.lane, l->start.x, l->end.lane, l->end.x,
			l->count, l->passing ? " passing" : "", l->violates ? " violates" : "");
	}
}

static void dump_object_bar(const struct object_scene *o, const struct bar *b, FILE *out)
{
	fprintf(out, "%s lane %" PRIu32 " row %" PRIu32 " by ", b->key % 2 ? "waits" : "has",
		b->lane, b->row);
	dump_quote(out, o->bars->intervals[b->key].label);
	fprintf(out, " at %.1f-%.1f", b->x0, b->x1);
	if (b->level)
		fprintf(out, " level %u count %" PRIu64, b->level, b->count);
	fprintf(out, "%s%s\n", b->cut_left ? " cut-left" : "", b->cut_right ? " cut-right" : "");
}

static void dump_objects(const struct object_scene *o, FILE *out)
{
	for (size_t i = 0; o && i < o->bars->bars.n; i++)
		dump_object_bar(o, &o->bars->bars.at[i], out);
	for (size_t i = 0; o && i < o->marks.n; i++) {
		const struct object_mark *m = &o->marks.at[i];
		fprintf(out, "names %s lane %" PRIu32 " by ", m->type->name, m->lane);
		dump_quote(out, o->threads.at[m->thread].name);
		fprintf(out, " at %.1f\n", m->x);
	}
	for (size_t i = 0; o && i < o->links.n; i++) {
		const struct object_link *k = &o->links.at[i];
		fprintf(out,
			"hand-over %s lane %" PRIu32 " from row %" PRIu32 " at %.1f to row %" PRIu32
			" at %.1f\n",
			k->interval->name, k->lane, k->from_row, k->x0, k->to_row, k->x1);
	}
}

static void dump_stacks(const struct stack_scene *t, FILE *out)
{
	for (size_t i = 0; t && i < t->bars->bars.n; i++) {
		const struct bar *b = &t->bars->bars.at[i];
		const struct flame *f = time_window_flame(t->times->window, FLAME_CPU);
		const char *origin = f->nodes.at[b->anchor].origin;

		fprintf(out, "stack lane %" PRIu32 " row %" PRIu32 " at %.1f-%.1f", b->lane, b->row,
			b->x0, b->x1);
		if (b->level)
			fprintf(out, " level %u", b->level);
		putc(' ', out);
		dump_quote(out, b->name->text);
		fputs(" in ", out);
		dump_quote(out, origin ? origin : "");
		putc('\n', out);
	}
}

static void dump_curve(const struct track_curve *c, FILE *out)
{
	fprintf(out, "curve \"%s\" %s", c->name ? c->name : "", c->points ? "points" : "lines");
	for (size_t i = 0; i < c->vertices.n; i++)
		fprintf(out, " %.1f,%.6g", c->vertices.at[i].x, c->vertices.at[i].y);
	putc('\n', out);
}

static void dump_tracks(const struct scene *s, FILE *out)
{
	for (size_t i = 0; i < s->series.n; i++) {
		const struct series_track *t = s->series.at[i];
		fprintf(out, "track \"%s\" axis \"%s\" from %.6g to %.6g\n", t->expression,
			t->axis ? t->axis : "", t->low, t->high);
		for (size_t k = 0; k < t->curves.n; k++)
			dump_curve(&t->curves.at[k], out);
		for (size_t k = 0; k < t->tiles.n; k++)
			fprintf(out, "tile %.1f-%.1f of %.6g-%.6g part %.3f\n", t->tiles.at[k].left,
				t->tiles.at[k].right, t->tiles.at[k].low, t->tiles.at[k].high,
				t->tiles.at[k].part);
	}
}

static void dump_path(const struct scene *s, FILE *out)
{
	for (size_t i = 0; i < s->path.n; i++) {
		const struct path_part *p = &s->path.at[i];

		fprintf(out, "path lane %" PRIu32 " at %.1f-%.1f%s", p->lane, p->x0, p->x1,
			p->runs ? " runs" : "");
		if (p->before != NO_LANE)
			fprintf(out, " from lane %" PRIu32, p->before);
		putc('\n', out);
	}
}

void scene_dump(const struct scene *s, FILE *out)
{
	dump_quoted(out, "title", s->title);
	dump_quoted(out, "subtitle", s->subtitle);
	for (unsigned i = 0; i < 2; i++)
		if (s->headline[i])
			dump_quoted(out, "headline", s->headline[i]);
	fprintf(out, "theme %s\n", s->theme->name);
	fprintf(out, "window %" PRId64 " %" PRId64 " columns %u tracks %u bundle %u\n",
		s->window.from, s->window.to, s->columns, s->tracks, s->bundle);
	if (s->processors)
		fprintf(out, "processors %u\n", s->processors);
	dump_lanes(s, out);
	dump_gaps(s, out);
	dump_events(s, out);
	dump_intervals(s, out);
	dump_marks(s, out);
	dump_violations(s, out);
	dump_bars(s, out);
	dump_merges(s, out);
	dump_links(s, out);
	dump_objects(s->objects, out);
	dump_stacks(s->stacks, out);
	dump_path(s, out);
	dump_tracks(s, out);
	if (s->hidden && *s->hidden)
		dump_quoted(out, "hidden", s->hidden);
	for (size_t i = 0; i < s->notes.n; i++)
		dump_quoted(out, "note", s->notes.at[i]);
}
