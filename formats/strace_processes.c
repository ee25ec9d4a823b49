#include "formats/strace_processes.h"
#include <stdlib.h>
#include <string.h>

static size_t member_of(struct strace_processes *p, uint32_t pid)
{
	struct hash_slot *slot = hash_table_slot(&p->by_pid, hash_mix(pid), pid);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)p->members.n;
		slot->tail = 0;
		*vector_add(&p->members) = (struct strace_member){pid, slot->head, 0, slot->head};
	}
	return slot->head;
}

static size_t representative(const struct strace_processes *p, size_t i)
{
	while (p->members.at[i].same != i)
		i = p->members.at[i].same;
	return i;
}

/* The one with the least number represents both: a process has that of its first thread. */
static void join(struct strace_processes *p, size_t a, size_t b)
{
	a = representative(p, a);
	b = representative(p, b);
	if (p->members.at[a].pid < p->members.at[b].pid)
		p->members.at[b].same = a;
	else
		p->members.at[a].same = b;
}

/* Returns whether the arguments of a futex call have an operation, all of which are short. */
static bool operates(const struct strace_line *l, const char *operation)
{
	char text[64];
	size_t n = l->arguments.length < sizeof text - 1 ? l->arguments.length : sizeof text - 1;

	memcpy(text, l->arguments.at, n);
	text[n] = '\0';
	return strstr(text, operation);
}

static void futex_begins(struct strace_processes *p, size_t by, const struct strace_line *l)
{
	uint64_t address = strtoull(l->arguments.at, NULL, 16);
	bool woke = l->kind == STRACE_UNFINISHED || l->result > 0;

	if (operates(l, "FUTEX_WAIT") && operates(l, "_PRIVATE")) {
		p->members.at[by].address = l->kind == STRACE_UNFINISHED ? address : 0;
		p->members.at[by].waker = by;
	} else if (woke && operates(l, "FUTEX_WAKE") && operates(l, "_PRIVATE")) {
		for (size_t i = 0; i < p->members.n; i++)
			if (address && p->members.at[i].address == address)
				p->members.at[i].waker = by;
	}
}

void strace_processes_take(struct strace_processes *p, const struct strace_line *l)
{
	size_t by;

	if (!l->pid || l->name.length != 5 || memcmp(l->name.at, "futex", 5) != 0)
		return;
	by = member_of(p, l->pid);
	if (l->kind == STRACE_CALL || l->kind == STRACE_UNFINISHED)
		futex_begins(p, by, l);
	if (l->kind != STRACE_RESUMED)
		return;
	if (p->members.at[by].address && l->result == 0 && !l->error.length)
		join(p, by, p->members.at[by].waker);
	p->members.at[by].address = 0;
}

uint32_t strace_processes_find(const struct strace_processes *p, uint32_t pid)
{
	const struct hash_slot *slot = hash_table_find(&p->by_pid, hash_mix(pid), pid);

	return slot ? p->members.at[representative(p, slot->head)].pid : pid;
}

void strace_processes_free(struct strace_processes *p)
{
	free(p->members.at);
	hash_table_free(&p->by_pid);
}
