/* Events of LTTng's kernel traces that say what threads do, as those of logs_switches. */
#ifndef GLIMPSE_FORMATS_CTF_KERNEL_H
#define GLIMPSE_FORMATS_CTF_KERNEL_H

#include "formats/logs_switches.h"
#include <babeltrace2/babeltrace.h>

/* What an event class is of these. */
enum ctf_kernel_event {
	KERNEL_OTHER,
	KERNEL_SWITCH,
	KERNEL_WAKING,
	KERNEL_WAKEUP,
	KERNEL_FORK,
	KERNEL_EXEC,
	KERNEL_EXIT,
	KERNEL_PROCESS /* a process that was there when the trace began */
};

struct ctf_kernel {
	struct logs_switches switches;
	bool begun;
	bool waking;              /* there are events of wake-ups by those who wake */
	VECTOR(uint32_t) running; /* thread by processor; 0: none that is known */
};

enum ctf_kernel_event ctf_kernel_event(const char *name);
void ctf_kernel_begin(struct ctf_kernel *k, struct logs *l);
void ctf_kernel_end(struct ctf_kernel *k);
/* Takes an event of a kind other than KERNEL_OTHER; they come in the order of time. */
void ctf_kernel_take(struct ctf_kernel *k, enum ctf_kernel_event kind, int64_t time, uint32_t cpu,
		     const bt_field *payload);
/* Returns the thread that runs on a processor; NULL: none that is known. */
struct logs_thread *ctf_kernel_thread(struct ctf_kernel *k, uint32_t cpu);
/* Says that records of a processor were lost. */
void ctf_kernel_lost(struct ctf_kernel *k, uint32_t cpu, uint64_t records);

#endif
