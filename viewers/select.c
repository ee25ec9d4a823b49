#include "viewers/select.h"
#include "base/array.h"
#include "base/nearest.h"
#include "trace/label.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Takes "all" and "none", unless something has that name. */
static bool take_word(const char *word, unsigned n, bool *chosen)
{
	bool all = !strcmp(word, "all");

	for (unsigned i = 0; all && i < n; i++)
		chosen[i] = true;
	return all || !strcmp(word, "none");
}

static bool take_name(const char *word, const char *const *names, unsigned n, bool *chosen)
{
	bool found = false;

	for (unsigned i = 0; i < n; i++)
		if (!strcmp(word, names[i]) || !fnmatch(word, names[i], 0))
			found = chosen[i] = true;
	return found;
}

/* Takes "3" or "0-7": threads by their numbers. */
static bool take_numbers(const char *word, const struct trace *t, bool *chosen)
{
	char *end;
	unsigned long first = strtoul(word, &end, 10), last = first;
	bool found = false;

	if (*word < '0' || *word > '9')
		return false;
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		last = strtoul(end + 1, &end, 10);
	if (*end)
		return false;
	for (unsigned i = 0; i < t->nthreads; i++)
		if (t->threads[i].number >= first && t->threads[i].number <= last)
			found = chosen[i] = true;
	return found;
}

/* Takes a label, or the name that several threads share. */
static bool take_labels(const char *word, const struct trace *t, bool *chosen)
{
	bool found = false;

	for (unsigned i = 0; i < t->nthreads; i++)
		if (label_matches(word, &t->threads[i]))
			found = chosen[i] = true;
	return found;
}

/* Refuses a name; the remedy is the nearest name, or the first few known ones. */
static void select_refuse(const char *option, const char *word, const char *const *names,
			  unsigned n, struct diag *diag)
{
	const char *near = nearest_name(word, names, n);
	char *list = text_format("%s", n ? names[0] : "none");

	for (unsigned i = 1; i < n && i < 12; i++) {
		char *longer = text_format("%s, %s", list, names[i]);
		free(list);
		list = longer;
	}
	if (near)
		diag_unknown(diag, DIAG_NOWHERE, near, "%s: the trace has no '%s'", option, word);
	else
		diag_error(diag, DIAG_NOWHERE, "%s: the trace has no '%s'; it has %s%s", option,
			   word, list, n > 12 ? ", ..." : "");
	free(list);
}

/* threads: the trace when the names are those of its threads, else NULL. */
static bool select_take_list(const char *option, const char *list, const char *const *names,
			     unsigned n, bool *chosen, const struct trace *threads,
			     struct diag *diag)
{
	char *copy = text_format("%s", list), *rest = copy, *word;
	bool good = true;

	while ((word = strsep(&rest, ","))) {
		word += strspn(word, " ");
		if (threads ? take_labels(word, threads, chosen)
			    : take_name(word, names, n, chosen))
			continue;
		if (take_word(word, n, chosen) || (threads && take_numbers(word, threads, chosen)))
			continue;
		select_refuse(option, word, names, n, diag);
		good = false;
	}
	free(copy);
	return good;
}

bool select_names(const char *option, const char *list, const char *const *names, unsigned n,
		  bool *chosen, struct diag *diag)
{
	return select_take_list(option, list, names, n, chosen, NULL, diag);
}

bool select_threads(const char *list, const struct trace *t, bool *chosen, struct diag *diag)
{
	const char **names = array_zero(t->nthreads, sizeof *names);
	bool good;

	for (unsigned i = 0; i < t->nthreads; i++)
		names[i] = t->threads[i].label;
	good = select_take_list("--threads", list, names, t->nthreads, chosen, t, diag);
	free(names);
	return good;
}
