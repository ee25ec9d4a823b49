#include "recorder/samples/kernel.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/search.h"
#include "recorder/messages.h"
#include "recorder/refusals.h"
#include "recorder/samples/kernel_cache.h"
#include "recorder/samples/made.h"
#include "recorder/samples/made_names.h"
#include "recorder/samples/spaces.h"
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Stands for all code of the kernel if its names cannot be read. No code is there. */
#define NAMELESS (UINT64_C(1) << 63)

enum { PLACES_MOST = 1 << 18, FIRST_LINES = 64 };

/* A frame in a process. */
struct kernel_frame {
	uint64_t address;
	struct space_identity of;
};

static enum { NAMES_UNASKED, NAMES_HIDDEN, NAMES_SHOWN } names;
static VECTOR(struct kernel_frame) places;
static struct hash_table known;

/*
 * Without the right to see them, all addresses are zeros. With it, the first few may be, as offsets
 * of a processor's data.
 */
static bool names_seen(void)
{
	FILE *f = fopen(kernel_files.list, "re");
	unsigned long long address = 0;

	for (int i = 0; f && !address && i < FIRST_LINES; i++)
		if (fscanf(f, "%llx%*[^\n]", &address) != 1)
			break;
	if (f)
		fclose(f);
	return address != 0;
}

/* Looks when the first frame comes: most short programs have none. */
static bool names_shown(void)
{
	if (names == NAMES_UNASKED)
		names = names_seen() ? NAMES_SHOWN : NAMES_HIDDEN;
	return names == NAMES_SHOWN;
}

void kernel_close(void)
{
	free(places.at);
	hash_table_free(&known);
	memset(&places, 0, sizeof places);
	known = (struct hash_table){0};
	names = NAMES_UNASKED;
}

/* ---- frames ---- */

bool kernel_has(uint64_t address)
{
	return address >> 63;
}

unsigned kernel_frames(const unsigned char *chain, uint64_t n, uint64_t frames[KERNEL_FRAMES_MOST])
{
	unsigned kept = 0;

	for (uint64_t i = 0; i < n && kept < KERNEL_FRAMES_MOST; i++) {
		uint64_t address;

		memcpy(&address, chain + i * sizeof address, sizeof address);
		/* words that say whose frames follow are no frames */
		if (address >= (uint64_t)PERF_CONTEXT_MAX || !kernel_has(address))
			continue;
		frames[kept] = address - (kept > 0);
		kept++;
	}
	if (kept && !names_shown()) {
		frames[0] = NAMELESS;
		kept = 1;
	}
	return kept;
}

/* ---- names ---- */

void kernel_note(const struct space *s, uint64_t address)
{
	struct hash_slot *slot;

	if (places.n == PLACES_MOST)
		return;
	slot = hash_table_slot(&known, hash_mix(address), space_number(s));
	if (slot->head != HASH_NOTHING)
		return;
	slot->head = 0;
	*vector_add(&places) = (struct kernel_frame){address, space_identity(s)};
}

static int by_address(const void *left, const void *right)
{
	const struct kernel_frame *a = left, *b = right;

	return (a->address > b->address) - (a->address < b->address);
}

static int by_process(const void *left, const void *right)
{
	const struct space_identity *a = &((const struct kernel_frame *)left)->of,
				    *b = &((const struct kernel_frame *)right)->of;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->since > b->since) - (a->since < b->since);
}

/* Writes a function once for each process that was sampled in it. */
static void function_write(void *context, const struct made_name *m)
{
	size_t from = lower_bound(i, 0, places.n, places.at[i].address < m->start),
	       to = lower_bound(i, from, places.n, places.at[i].address < m->end);

	if (from < to)
		qsort(places.at + from, to - from, sizeof *places.at, by_process);
	for (size_t i = from; i < to; i++)
		if (i == from || by_process(&places.at[i - 1], &places.at[i]) != 0)
			made_name_write(context, (pid_t)places.at[i].of.pid, places.at[i].of.since,
					m);
}

/* Returns the addresses, each once, to be freed. */
static uint64_t *addresses_make(size_t *n)
{
	uint64_t *addresses = array_new(places.n, sizeof *addresses);

	*n = 0;
	for (size_t i = 0; i < places.n; i++)
		if (!*n || addresses[*n - 1] != places.at[i].address)
			addresses[(*n)++] = places.at[i].address;
	return addresses;
}

static void names_write(FILE *out)
{
	size_t n;
	uint64_t *addresses = addresses_make(&n);

	if (!kernel_names_find(&kernel_files, addresses, n, function_write, out) ||
	    places.n == PLACES_MOST)
		record_note("some kernel functions have no names: %s",
			    places.n == PLACES_MOST ? "too many functions"
						    : "/proc/kallsyms cannot be read");
	free(addresses);
}

void kernel_names_write(FILE *out)
{
	static const char name[] = "[kernel]";

	if (!places.n)
		return;
	qsort(places.at, places.n, sizeof *places.at, by_address);
	if (names_shown()) {
		names_write(out);
		return;
	}
	function_write(out, &(struct made_name){0, NAMELESS, NAMELESS + 1, name, strlen(name)});
	refusal_note("names", geteuid() ? "sysctl kernel.kptr_restrict=1, and record as root"
					: "sysctl kernel.kptr_restrict=1");
}
