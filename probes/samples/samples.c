/*
 * Samples of call stacks where the kernel refuses perf_event: each thread gets a signal after each
 * period of its own processor time, and the handler unwinds the stack and logs it.
 */
#include "probes/follow_exec/filter.h"
#include "probes/samples/signals.h"
#include "probes/samples/threads.h"
#include "probes/samples/timers.h"
#include "probes/unwind/loaded.h"
#include "probes/unwind/stacks.h"
#include "probes/valgrind.h"
#include "samples_glimpse.h"
#include <errno.h>
#include <stdlib.h>
#include <ucontext.h>

#define FIRST_NUMBER (UINT32_C(1) << 31) /* of stacks: samples.spec */

enum { DEFAULT_RATE = 997, RATE_MOST = 10000 };

static struct stack_context context_of(const ucontext_t *c)
{
#if defined(__x86_64__)
	return (struct stack_context){(uintptr_t)c->uc_mcontext.gregs[REG_RIP],
				      (uintptr_t)c->uc_mcontext.gregs[REG_RSP],
				      (uintptr_t)c->uc_mcontext.gregs[REG_RBP]};
#elif defined(__aarch64__)
	return (struct stack_context){c->uc_mcontext.pc, c->uc_mcontext.sp,
				      c->uc_mcontext.regs[29]};
#else
	(void)c;
	return (struct stack_context){0, 0, 0};
#endif
}

static void frame_log(uint64_t time, uint32_t number, uint32_t parent, uintptr_t pc)
{
	SampleFrame_StampAt(time, number, parent, (const void *)(pc ? pc - 1 : 0));
}

/*
 * Our own code counts for the function of the program that called it. Where there is none, the next
 * sample stands for the time.
 */
static void sample_take(struct sampled *s, const ucontext_t *c)
{
	uint64_t time = glimpse_now();
	uint32_t number;
	unsigned depth;
	bool whole;

	depth = stack_unwind_interrupted(context_of(c), s->frames, FRAMES_MOST, &whole);
	if (!depth)
		return;
	number = stack_number_of(s->frames, depth, whole, time, frame_log);
	if (number)
		Sample_StampAt(time, number);
	else
		SamplesLost_StampAt(time, 1);
}

static void arrived(int number, siginfo_t *info, void *context)
{
	int error = errno;

	if (!timers_sent(info))
		signals_foreign(number, info, context);
	else if (sampled_self && timers_signal() && !glimpse_inside() && !glimpse_paused())
		sample_take(sampled_self, context);
	errno = error;
}

/* Returns the time between two samples, ns. */
static int64_t period(void)
{
	const char *text = getenv("GLIMPSE_SAMPLE");
	long rate = text ? strtol(text, NULL, 10) : 0;

	return 1000000000 / (rate > 0 && rate <= RATE_MOST ? rate : DEFAULT_RATE);
}

/* After the constructors of other probes, which log the thread's start. */
__attribute__((constructor(103))) static void samples_load(void)
{
	int number;

	stacks_first(FIRST_NUMBER);
	threads_begin();
	if (!GL_MODULES_LOCKLESS)
		return;
	if (valgrind_runs()) {
		SamplesNone_Stamp();
		return;
	}
	number = signals_begin(arrived);
	if (!number)
		return;
	timers_begin(period(), number);
	signals_thread(false);
}

/* Signals that are on their way arrive as this returns: the handler's return is a system call. */
void glimpse_samples_pause(int paused)
{
	static int paused_signal;

	if (paused) {
		paused_signal = timers_signal();
		timers_change(0);
	} else {
		timers_change(paused_signal);
	}
}

__attribute__((destructor(103))) static void samples_unload(void)
{
	if (!glimpse_filtered())
		timers_change(0);
}
