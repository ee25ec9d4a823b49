#include "config.h"
#ifdef HAVE_BABELTRACE2
#include "formats/ctf_fields.h"
#include "formats/ctf_kernel.h"
#include <stdlib.h>

enum { PROCESSORS_MOST = 1 << 14 };

enum ctf_kernel_event ctf_kernel_event(const char *name)
{
	static const char *const names[] = {
	    [KERNEL_SWITCH] = "sched_switch",
	    [KERNEL_WAKING] = "sched_waking",
	    [KERNEL_WAKEUP] = "sched_wakeup",
	    [KERNEL_FORK] = "sched_process_fork",
	    [KERNEL_EXEC] = "sched_process_exec",
	    [KERNEL_EXIT] = "sched_process_exit",
	    [KERNEL_PROCESS] = "lttng_statedump_process_state",
	};

	for (unsigned i = KERNEL_SWITCH; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return (enum ctf_kernel_event)i;
	return KERNEL_OTHER;
}

void ctf_kernel_begin(struct ctf_kernel *k, struct logs *l)
{
	if (!k->begun)
		switches_begin(&k->switches, l, 0);
	k->begun = true;
}

void ctf_kernel_end(struct ctf_kernel *k)
{
	if (k->begun)
		switches_end(&k->switches);
	free(k->running.at);
}

/* ---- fields ---- */

static uint32_t number_of(const bt_field *payload, const char *name)
{
	const bt_field *f = ctf_integer_member(payload, name);

	return f ? (uint32_t)ctf_integer(f) : 0;
}

/* Returns the text of a member, which the caller frees; NULL: there is none. */
static char *text_of(const bt_field *payload, const char *name)
{
	const bt_field *f = ctf_string_member(payload, name);

	return f ? text_format("%.*s", (int)bt_field_string_get_length(f),
			       bt_field_string_get_value(f))
		 : NULL;
}

static void thread_note(struct ctf_kernel *k, const bt_field *payload, const char *tid,
			const char *pid, const char *name)
{
	char *text = text_of(payload, name);

	switches_thread(&k->switches, number_of(payload, tid), pid ? number_of(payload, pid) : 0,
			text);
	free(text);
}

static uint32_t *running_at(struct ctf_kernel *k, uint32_t cpu)
{
	while (k->running.n <= cpu)
		vector_add(&k->running);
	return &k->running.at[cpu];
}

/* ---- events ---- */

/* The state of a thread that goes, as the kernel's mask: 0 and from 0x100 on it could go on. */
static enum switch_why why_of(int64_t state)
{
	enum { DEAD = 0x10, ZOMBIE = 0x20, REPORTED = 0xff };

	if (!(state & REPORTED))
		return SWITCH_PREEMPTED;
	return state & (DEAD | ZOMBIE) ? SWITCH_EXITS : SWITCH_BLOCKS;
}

static void switch_take(struct ctf_kernel *k, int64_t time, uint32_t cpu, const bt_field *payload)
{
	const bt_field *state = ctf_integer_member(payload, "prev_state");
	uint32_t to = number_of(payload, "next_tid");

	thread_note(k, payload, "prev_tid", NULL, "prev_comm");
	thread_note(k, payload, "next_tid", NULL, "next_comm");
	switches_switch(&k->switches, time, cpu, number_of(payload, "prev_tid"),
			why_of(state ? ctf_integer(state) : 1), to);
	*running_at(k, cpu) = to;
}

static void wake_take(struct ctf_kernel *k, enum ctf_kernel_event kind, int64_t time, uint32_t cpu,
		      const bt_field *payload)
{
	/* A wake-up is the second half of one whose first half said who wakes. */
	k->waking |= kind == KERNEL_WAKING;
	if (kind == KERNEL_WAKEUP && k->waking)
		return;
	thread_note(k, payload, "tid", NULL, "comm");
	switches_wake(&k->switches, time, *running_at(k, cpu), number_of(payload, "tid"));
}

static void exec_take(struct ctf_kernel *k, int64_t time, const bt_field *payload)
{
	char *name = text_of(payload, "filename");

	switches_exec(&k->switches, time, number_of(payload, "tid"), name ? name : "");
	free(name);
}

void ctf_kernel_take(struct ctf_kernel *k, enum ctf_kernel_event kind, int64_t time, uint32_t cpu,
		     const bt_field *payload)
{
	cpu = cpu < PROCESSORS_MOST ? cpu : 0;
	switch (kind) {
	case KERNEL_SWITCH:
		switch_take(k, time, cpu, payload);
		break;
	case KERNEL_WAKING:
	case KERNEL_WAKEUP:
		wake_take(k, kind, time, cpu, payload);
		break;
	case KERNEL_FORK:
		thread_note(k, payload, "child_tid", "child_pid", "child_comm");
		switches_fork(&k->switches, time, number_of(payload, "parent_tid"),
			      number_of(payload, "child_tid"));
		break;
	case KERNEL_EXEC:
		exec_take(k, time, payload);
		break;
	case KERNEL_EXIT:
		switches_exit(&k->switches, time, number_of(payload, "tid"));
		break;
	case KERNEL_PROCESS:
		thread_note(k, payload, "tid", "pid", "name");
		break;
	case KERNEL_OTHER:
		break;
	}
}

struct logs_thread *ctf_kernel_thread(struct ctf_kernel *k, uint32_t cpu)
{
	uint32_t tid = k->begun && cpu < k->running.n ? k->running.at[cpu] : 0;

	return tid ? switches_logs_thread(&k->switches, tid) : NULL;
}

void ctf_kernel_lost(struct ctf_kernel *k, uint32_t cpu, uint64_t records)
{
	if (!k->begun)
		return;
	if (cpu < k->running.n)
		k->running.at[cpu] = 0;
	switches_lost(&k->switches, k->switches.last, cpu, records);
}
#endif
