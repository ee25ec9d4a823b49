#include "viewers/nibble/sweep.h"
#include "base/array.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a file is of, by its first line. */
enum content { CONTENT_SWEEP, CONTENT_PROFILE, CONTENTS };

static const char *const heads[CONTENTS] = {
    [CONTENT_SWEEP] = "what,factor,predicted,low,high",
    [CONTENT_PROFILE] = "what,kind,factor,predicted,low,high,gain",
};

struct sweep_row {
	double x, y, low, high;
};

/*
 * Cuts the first field off a line of CSV, in place; quotes in quotes are doubled. Returns NULL in
 * an error.
 */
static char *field_cut(char **line)
{
	char *from = *line, *to = from, *field = from;

	if (*from != '"') {
		from += strcspn(from, ",");
		to = from;
	} else {
		for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
			from += *from == '"';
			*to++ = *from;
		}
		if (*from++ != '"')
			return NULL;
	}
	if (*from != ',')
		return NULL;
	*line = from + 1;
	*to = 0;
	return field;
}

static struct curve *curve_named(const char *what, const char *rest, enum content content)
{
	bool profile = content == CONTENT_PROFILE, cores = strcmp(what, "cores") == 0;
	struct curve *c = curve_new(SHAPE_LINES, profile ? DIMENSION_NONE : DIMENSION_TIME);

	c->distribution = true;
	c->xdimension = DIMENSION_NONE;
	c->title = text_format("%s%s", what, rest);
	curve_set_string(&c->quantity,
			 profile ? "speed-up of the run (% of its time)" : "predicted time");
	curve_set_string(&c->xquantity, profile ? "speed-up of the part (% of its time)"
					: cores ? "processors"
						: "times as fast");
	return c;
}

/*
 * Of one thing, by its points in the order of factors. Ranges of all rows of a profile would hide
 * each other.
 */
static void curves_add(struct family *f, const char *what, const struct sweep_row *points, size_t n,
		       enum content content)
{
	bool ranges = false, ranged = content == CONTENT_SWEEP || !f->n;
	struct curve *predicted = curve_named(what, "", content),
		     *range = curve_named(what, ", between", content);

	if (content == CONTENT_PROFILE)
		curve_append(predicted, 0, 0);
	for (size_t i = 0; i < n; i++) {
		curve_append(predicted, points[i].x, points[i].y);
		curve_append(range, points[i].x, points[i].low);
		ranges |= points[i].low < points[i].high;
	}
	for (size_t i = n; i-- > 0;)
		curve_append(range, points[i].x, points[i].high);
	if (content == CONTENT_PROFILE && n)
		curve_append(range, points[0].x, points[0].low);
	family_append(f, predicted);
	if (ranges && ranged)
		family_append(f, range);
	else
		curve_free(range);
}

/* Makes shares of the run of a point's times; x: by how much of its time the thing takes less. */
static struct sweep_row profile_point(const struct sweep_row *times, double gain)
{
	double before = (times->y + gain) / 100;

	return (struct sweep_row){100 * (1 - 1 / times->x), gain / before,
				  (before * 100 - times->high) / before,
				  (before * 100 - times->low) / before};
}

/*
 * Reads a point, without what it is of. *known: false if it has no values, or is of a run without a
 * lock, which is another change.
 */
static bool point_read(char *text, enum content content, struct sweep_row *p, bool *known)
{
	static const char removed[] = "removed,";
	double gain;
	char *rest;

	if (content == CONTENT_PROFILE && !field_cut(&text))
		return false;
	p->x = strtod(text, &rest);
	*known = strncmp(rest, ",,,", 3) != 0 && strncmp(text, removed, strlen(removed)) != 0;
	if (!*known || rest == text)
		return !*known;
	if (content == CONTENT_SWEEP)
		return sscanf(rest, ",%lf,%lf,%lf", &p->y, &p->low, &p->high) == 3;
	if (sscanf(rest, ",%lf,%lf,%lf,%lf", &p->y, &p->low, &p->high, &gain) != 4 ||
	    p->y + gain <= 0)
		return false;
	*p = profile_point(p, gain);
	return true;
}

struct sweep_reader {
	struct family *family;
	enum content content;
	char *what; /* that the points are of; NULL: none have been read */
	VECTOR(struct sweep_row) points;
};

/* Adds the curves of the points that were read. */
static void what_end(struct sweep_reader *r)
{
	if (r->what)
		curves_add(r->family, r->what, r->points.at, r->points.n, r->content);
	r->points.n = 0;
	free(r->what);
	r->what = NULL;
}

/* Returns whether a line is the first one of such a file. */
static bool head_read(struct sweep_reader *r, const char *line)
{
	while (r->content < CONTENTS &&
	       strncmp(line, heads[r->content], strlen(heads[r->content])) != 0)
		r->content++;
	return r->content < CONTENTS;
}

static bool line_read(struct sweep_reader *r, char *line)
{
	char *what = field_cut(&line);
	struct sweep_row p;
	bool known;

	if (!what || !point_read(line, r->content, &p, &known))
		return false;
	if (r->what && strcmp(r->what, what) != 0)
		what_end(r);
	if (!r->what)
		r->what = text_format("%s", what);
	if (known)
		*vector_add(&r->points) = p;
	return true;
}

static bool lines_read(struct family *f, FILE *in, const char *path, char **title,
		       struct diag *diag)
{
	static char *const titles[CONTENTS + 1] = {"predicted times", "causal profile", ""};
	struct sweep_reader r = {.family = f};
	char *line = NULL;
	size_t room = 0, number = 0;
	bool fine = true;

	while (fine && getline(&line, &room, in) >= 0)
		fine = number++ ? line_read(&r, line) : head_read(&r, line);
	if (!fine)
		diag_error(diag, DIAG_NOWHERE,
			   "%s:%zu: not the output of glimpse whatif --sweep --format=csv", path,
			   number);
	else if (number < 2)
		diag_error(diag, DIAG_NOWHERE, "%s: the file has no predictions", path);
	if (fine)
		what_end(&r);
	*title = titles[r.content];
	free(r.points.at);
	free(r.what);
	free(line);
	return fine && number >= 2;
}

bool sweep_read(struct family *f, const char *path, char **title, struct diag *diag)
{
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	bool fine;

	if (!in) {
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, strerror(errno));
		return false;
	}
	fine = lines_read(f, in, path, title, diag);
	if (in != stdin)
		fclose(in);
	return fine;
}
