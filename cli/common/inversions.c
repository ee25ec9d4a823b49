#include "cli/common/inversions.h"
#include "analysis/locks/hang_text.h"
#include "analysis/why/priorities.h"
#include "base/units.h"
#include "cli/common/table.h"
#include "cli/common/top.h"
#include <inttypes.h>

enum { INVERSIONS_SHOWN = 5, CELL = LOCK_TEXT };

static const char *urgency_text(char cell[CELL], const struct locks *l, uint32_t thread,
				int64_t priority)
{
	snprintf(cell, CELL, "%.200s (priority %" PRId64 ")", l->trace->threads[thread].label,
		 priority);
	return cell;
}

void inversions_text(FILE *out, const struct locks *l, int64_t least)
{
	struct columns columns = {.count = 6, .left = 1};
	unsigned shown = 0;

	for (size_t i = 0; i < l->nrows && shown < top_rows(l->nrows, INVERSIONS_SHOWN); i++) {
		const struct lock_inversions *v = &l->rows[i].inversions;
		char cells[6][CELL];

		if (!v->waits || v->total < least)
			continue;
		if (!shown++)
			columns_add(&columns, (const char *[]){"priority inversion", "waits",
							       "total", "max", "waiter", "holder"});
		columns_add(&columns,
			    (const char *[]){lock_name_text(cells[0], l, l->rows[i].lock),
					     units_count(cells[1], v->waits),
					     units_time(cells[2], (double)v->total),
					     units_time(cells[3], (double)v->max),
					     urgency_text(cells[4], l, v->waiter, v->urgent),
					     urgency_text(cells[5], l, v->holder, v->less)});
	}
	if (shown) {
		putc('\n', out);
		columns_print(&columns, out);
	}
}

void inversions_remark(FILE *out, struct trace *t)
{
	const struct lock_part all = LOCK_PART_ALL;
	struct locks *l;

	if (!trace_has_priorities(t))
		return;
	l = locks_of(t, &all, false);
	inversions_text(out, l, t->duration / 100);
	locks_free(l);
}
