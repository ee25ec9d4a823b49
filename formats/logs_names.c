#include "base/print.h"
#include "formats/logs_inside.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The first address, and the bytes of each function: an address within one that calls is still its
 * own.
 */
enum { CODE_FIRST = 1 << 20, CODE_SIZE = 16 };

uint64_t logs_code(struct logs_process *p, const char *name)
{
	uint64_t hash = hash_text(name);
	struct hash_slot *slot = hash_table_slot(&p->by_code, hash_mix(hash), hash);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)p->code.n;
		slot->tail = 0;
		*vector_add(&p->code) = text_format("%s", name);
	}
	return CODE_FIRST + (uint64_t)slot->head * CODE_SIZE;
}

/* Returns the last name of an address, or NULL. */
struct address_name *logs_address_find(const struct logs_process *p, uint64_t address)
{
	const struct hash_slot *slot =
	    p->names.n ? hash_table_find(&p->by_address, hash_mix(address), address) : NULL;

	return slot ? &p->names.at[slot->head] : NULL;
}

bool logs_address_is_named(const struct logs_process *p, uint64_t address)
{
	return logs_address_find(p, address) != NULL;
}

void logs_address_name(struct logs_process *p, int64_t time, uint64_t address, const char *name)
{
	const struct address_name *last = logs_address_find(p, address);

	if (last && !last->ended && strcmp(last->name, name) == 0)
		return;
	logs_note(&p->by_address, address, p->names.n);
	*vector_add(&p->names) =
	    (struct address_name){address, time, text_format("%s", name), false};
}

static void code_print(FILE *out, const struct logs_process *p)
{
	for (size_t i = 0; i < p->code.n; i++) {
		uint64_t start = CODE_FIRST + i * CODE_SIZE;

		fprintf(out, "0 %016" PRIx64 " %016" PRIx64 " ", start, start + CODE_SIZE);
		print_octal_line(out, p->code.at[i], strlen(p->code.at[i]));
	}
}

static void address_names_print(FILE *out, const struct logs_process *p)
{
	for (size_t i = 0; i < p->names.n; i++) {
		const struct address_name *n = &p->names.at[i];

		fprintf(out, "%" PRId64 " %016" PRIx64 " ", n->time > 0 ? n->time : 0, n->address);
		print_octal_line(out, n->name, strlen(n->name));
	}
}

/* Writes a file that gives addresses their names: doc/log-format.md. */
static bool names_write(const struct logs_process *p, const char *file,
			void (*print)(FILE *out, const struct logs_process *p))
{
	char *path = text_format("%s/%s", p->path, file);
	FILE *out = fopen(path, "wxe");

	free(path);
	if (!out)
		return false;
	print(out, p);
	return !ferror(out) & (fclose(out) == 0);
}

bool logs_names_write(const struct logs_process *p)
{
	return (!p->code.n || names_write(p, "made", code_print)) &&
	       (!p->names.n || names_write(p, "objects", address_names_print));
}
