#include "trace/label.h"
#include "base/array.h"
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *left, const void *right)
{
	const struct trace_thread *const *a = left, *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

void labels_make(struct trace_thread *threads, size_t n)
{
	struct trace_thread **by_name = array_new(n, sizeof *by_name);

	for (size_t i = 0; i < n; i++) {
		by_name[i] = &threads[i];
		threads[i].label = threads[i].name;
	}
	qsort(by_name, n, sizeof *by_name, compare_names);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && compare_names(&by_name[i], &by_name[end]) == 0; end++)
			;
		for (size_t k = i; k < end && end - i > 1; k++)
			by_name[k]->label =
			    text_format("%s (%" PRIu32 ")", by_name[k]->name, by_name[k]->number);
	}
	free(by_name);
}

void labels_free(struct trace_thread *threads, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (threads[i].label != threads[i].name)
			free((char *)threads[i].label);
}

bool label_matches(const char *pattern, const struct trace_thread *thread)
{
	return strcmp(pattern, thread->label) == 0 || fnmatch(pattern, thread->label, 0) == 0 ||
	       fnmatch(pattern, thread->name, 0) == 0;
}
