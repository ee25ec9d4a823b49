/* Runs the program of a live search, recorded by a separate process. */
#ifndef GLIMPSE_CLI_LIVE_PROGRAM_H
#define GLIMPSE_CLI_LIVE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct live_program {
	pid_t recorder;
	int ended;              /* a descriptor that can be read when it has ended */
	int64_t began;          /* CLOCK_MONOTONIC */
	int status;             /* of the recorder: the program's, as a shell has it */
	int signal;             /* that ended both; 0: none did */
	int64_t processor_time; /* of recorder and program, ns; after the end */
};

/*
 * Records a program to an empty directory, with probes (a list separated by commas) whose events
 * begin switched off. Signals of the terminal then end the program, not us. Returns false with
 * errno set.
 */
bool live_program_begin(struct live_program *p, const char *directory, const char *probes,
			const char *off, char **program);
/* Waits for its end, but no longer than that; returns whether it has ended. */
bool live_program_wait(struct live_program *p, int64_t ns);
/* After the end. */
void live_program_end(struct live_program *p);

#endif
