/*
 * Event types by the names that another tool gives its events, with attributes for the arguments of
 * the first event of that name. Later events need not have the same arguments: those that are
 * missing are 0 or "", those that are new are counted. Names beyond NAMED_MOST share a type with
 * the name as an attribute. named_end() says what was counted.
 */
#ifndef GLIMPSE_FORMATS_LOGS_NAMED_H
#define GLIMPSE_FORMATS_LOGS_NAMED_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/import.h"

enum { NAMED_MOST = 600, ARGUMENTS_MOST = 60 };

struct logs_argument {
	const char *name;
	struct logs_value value;
};

/*
 * The events of one name: those that happen at one moment, or the beginnings and ends of what
 * lasts.
 */
struct named_type {
	char *key;
	const struct logs_event *event, *end; /* end: NULL if it lasts no time */
	VECTOR(char *) arguments;             /* names, in the order of the attributes */
	bool shared;                          /* the first attribute is the name */
};

struct named_types {
	struct logs *logs;
	const char *style; /* of all events of SPAN_NONE but "other event"; NULL: none */
	VECTOR(struct named_type *) types;
	struct hash_table by_key;
	struct named_type *other_event, *other_slice;
	struct hash_table by_type; /* of balances */
	VECTOR(int64_t) balances;  /* of types: beginnings less ends */
	uint64_t dropped; /* arguments of events whose first one of the name had no such field */
	uint64_t crowded; /* arguments beyond ARGUMENTS_MOST */
	uint64_t shared;  /* events whose names share a type */
};

/* What an interval between two events of a name is. */
enum named_span {
	SPAN_NONE, /* one moment */
	/* begins and ends in one thread, within those that began before: (kind "work") */
	SPAN_NESTED,
	SPAN_KEYED /* begins and ends anywhere, with equal first arguments: a line */
};

void named_begin(struct named_types *n, struct logs *l);
/* Frees the types; if `good`, warns of what their events lack. */
void named_end(struct named_types *n, struct import_input *in, bool good);
/*
 * Counts a beginning (1) or an end (-1) of a type whose two are events apart: named_end() warns of
 * those without the other.
 */
void named_balance(struct named_types *n, const struct named_type *type, int change);
/* Returns whether an event with n arguments has room for another one; counts it, if not. */
bool named_has_room(struct named_types *n, size_t narguments);

/*
 * Returns the type of a name, made at its first event with the arguments of that. NULL after a
 * report to diag, when the specification can take no more.
 */
const struct named_type *named_type(struct named_types *n, enum named_span span, const char *name,
				    const struct logs_argument *arguments, unsigned narguments);
/* Logs an event, or the beginning of what lasts, with the arguments that its type has. */
void named_write(struct named_types *n, struct logs_thread *t, int64_t time,
		 const struct named_type *type, const char *name,
		 const struct logs_argument *arguments, unsigned narguments);
/* Logs the end of what lasts; key: the first argument, of SPAN_KEYED; else NULL. */
void named_write_end(struct logs_thread *t, int64_t time, const struct named_type *type,
		     const struct logs_value *key);

#endif
