#include "analysis/replay/machine/replay_steps.h"
#include "base/progress.h"
#include "base/task.h"

/* From one look to the next: less than 10 ms. */
enum { STEPS_UNLOOKED = 1 << 16 };

void steps_look(struct simulation *s)
{
	s->next_look = s->steps + STEPS_UNLOOKED;
	if (s->next_look > s->most_steps)
		s->next_look = s->most_steps;
	if (s->shows)
		progress_step((uint64_t)s->now, (uint64_t)s->o->duration);
	if (task_cancelled())
		s->result->stop = STOP_CANCELLED;
	else if (s->steps >= s->most_steps)
		s->result->stop = STOP_STEPS;
	s->stopped = s->result->stop != STOP_NONE;
}

void steps_begin(struct simulation *s)
{
	uint64_t all = (uint64_t)REPLAY_STEPS_EACH * s->o->all.n;

	s->most_steps = s->machine->most_steps    ? s->machine->most_steps
			: all > MOST_REPLAY_STEPS ? all
						  : MOST_REPLAY_STEPS;
	s->shows = s->machine->shows && !task_current; /* whose steps are shown, too */
	if (s->shows)
		progress_begin("replaying");
	steps_look(s);
	if (s->o->cut) {
		s->result->stop = STOP_CUT;
		s->stopped = true;
	}
}

void steps_end(struct simulation *s)
{
	if (s->shows)
		progress_end();
	s->result->steps = s->steps;
	s->result->reached = s->now;
}
