/* The two tables of a parcel, as viewers/gorge/document/payload_columns.h writes them. */
#ifndef GLIMPSE_GORGE_WASM_TABLES_H
#define GLIMPSE_GORGE_WASM_TABLES_H

#include "match/join/match.h"
#include "viewers/gorge/wasm/reader.h"
#include "viewers/gorge/wasm/stored.h"

void events_read(struct reader *r, const struct event_type *type, const struct trace *t,
		 struct stored_events *s);
struct matches *instances_read(struct reader *r, struct trace *t, const struct interval *interval);

/* The linker puts the first in the place of match_interval(), which the second is. */
struct matches *__wrap_match_interval(struct trace *t, const struct interval *interval);
struct matches *__real_match_interval(struct trace *t, const struct interval *interval);

#endif
