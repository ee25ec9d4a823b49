#include "trace/stream/unseen.h"
#include "base/array.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The kernel counts time of the program also before it is observed and after its last record; where
 * other programs or machines have the processors, both count a little differently.
 */
#define TIME_LEAST INT64_C(20000000)
#define SHARE_MOST 0.95

bool unseen_matters(int64_t ran, int64_t used)
{
	return used - ran > TIME_LEAST && unseen_share(ran, used) < SHARE_MOST;
}

double unseen_share(int64_t ran, int64_t used)
{
	return ran < used ? (double)ran / (double)used : 1;
}

/* Returns what the line `time` says, or NULL. */
static char *time_text(const struct trace *t)
{
	char *line = trace_refused(t, "time"), *text = NULL;
	int64_t ran, used;

	if (line && sscanf(line, "%" SCNi64 " %" SCNi64, &ran, &used) == 2 && ran >= 0 &&
	    used > ran)
		text = text_format("%.0f %% of the processor time was not recorded",
				   100 * (1 - unseen_share(ran, used)));
	free(line);
	return text;
}

/* The same of the line `left`. */
static char *left_text(const struct trace *t)
{
	char *line = trace_refused(t, "left"), *text = NULL;
	uint32_t n;
	int at = 0;

	if (line && sscanf(line, "%" SCNu32 " %n", &n, &at) == 1 && at)
		text =
		    text_format("%" PRIu32 " process%s went on after the recorder had ended (%s)",
				n, n == 1 ? "" : "es", line + at);
	free(line);
	return text;
}

char *unprobed_text(const char *line)
{
	const char *names = line, *why = line ? strstr(line, ": ") : NULL;
	size_t n, of;
	int at = 0, length;

	if (!why || sscanf(line, "%zu %zu %n", &n, &of, &at) != 2 || !at || line + at > why)
		return NULL;
	names += at;
	length = (int)(why - names);
	return text_format("%zu of %zu process%s no events of the probe%s %.*s (%s)", n, of,
			   of == 1  ? " has"
			   : n == 1 ? "es has"
				    : "es have",
			   memchr(names, ',', (size_t)length) ? "s" : "", length, names, why + 2);
}

/* Adds a part to a sentence, and frees both; each may be NULL. */
static char *joined(char *text, char *part)
{
	char *both;

	if (!text || !part)
		return text ? text : part;
	both = text_format("%s, %s", text, part);
	free(text);
	free(part);
	return both;
}

char *unseen_text(const struct trace *t)
{
	char *line = trace_refused(t, "unprobed");
	char *text = joined(time_text(t), unprobed_text(line));

	free(line);
	return joined(text, left_text(t));
}
