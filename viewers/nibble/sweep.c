#include "viewers/nibble/sweep.h"
#include "base/array.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
	double factor, predicted, low, high;
};

/* Cuts the first field off a line of CSV, in place; quotes in quotes are doubled. Returns NULL in an error. */
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

static struct curve *curve_named(const char *what, const char *rest, bool cores)
{
	struct curve *c = curve_new(SHAPE_LINES, DIMENSION_TIME);

	c->distribution = true;
	c->xdimension = DIMENSION_NONE;
	c->title = text_format("%s%s", what, rest);
	curve_set_string(&c->quantity, "predicted time");
	curve_set_string(&c->xquantity, cores ? "processors" : "times as fast");
	return c;
}

/* Of one thing, by its points in the order of factors. */
static void curves_add(struct family *f, const char *what, const struct point *points, size_t n)
{
	bool cores = strcmp(what, "cores") == 0, ranges = false;
	struct curve *predicted = curve_named(what, "", cores), *range = curve_named(what, ", between", cores);

	for (size_t i = 0; i < n; i++) {
		curve_append(predicted, points[i].factor, points[i].predicted);
		curve_append(range, points[i].factor, points[i].low);
		ranges |= points[i].low < points[i].high;
	}
	for (size_t i = n; i-- > 0;)
		curve_append(range, points[i].factor, points[i].high);
	family_append(f, predicted);
	if (ranges)
		family_append(f, range);
	else
		curve_free(range);
}

static bool lines_read(struct family *f, FILE *in, const char *path, struct diag *diag)
{
	VECTOR(struct point) points = {0};
	char *line = NULL, *what = NULL;
	size_t room = 0, number = 0;
	bool fine = true;

	while (fine && getline(&line, &room, in) >= 0) {
		char *at = line, *field;
		struct point p;

		if (number++ == 0 && strncmp(line, "what,factor,predicted,low,high", 30) == 0)
			continue;
		field = number > 1 ? field_cut(&at) : NULL;
		fine = field && sscanf(at, "%lf,%lf,%lf,%lf", &p.factor, &p.predicted, &p.low, &p.high) == 4;
		if (!fine)
			diag_error(diag, DIAG_NOWHERE, "%s:%zu: this is not what glimpse whatif --sweep "
				   "--format=csv prints", path, number);
		if (!fine)
			break;
		if (what && strcmp(what, field) != 0) {
			curves_add(f, what, points.at, points.n);
			points.n = 0;
		}
		if (!what || strcmp(what, field) != 0) {
			free(what);
			what = text_format("%s", field);
		}
		*vector_add(&points) = p;
	}
	if (fine && what)
		curves_add(f, what, points.at, points.n);
	else if (fine)
		diag_error(diag, DIAG_NOWHERE, "%s: there are no predictions in it", path);
	fine &= what != NULL;
	free(points.at);
	free(what);
	free(line);
	return fine;
}

bool sweep_read(struct family *f, const char *path, struct diag *diag)
{
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	bool fine;

	if (!in) {
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, strerror(errno));
		return false;
	}
	fine = lines_read(f, in, path, diag);
	if (in != stdin)
		fclose(in);
	return fine;
}
