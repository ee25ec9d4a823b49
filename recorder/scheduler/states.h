/*
 * Turns the kernel's records into the states of threads: running, ready, blocked. The records do
 * not say when a blocked thread could go on. That is found from the thread's run delay: the time
 * that it waited for a processor, which the kernel counts (/proc/PID/task/TID/schedstat).
 */
#ifndef GLIMPSE_RECORDER_SCHEDULER_STATES_H
#define GLIMPSE_RECORDER_SCHEDULER_STATES_H

#include "recorder/scheduler/blocked_call.h"
#include "recorder/scheduler/records.h"

/* Begins: the process and its threads are there, and observed from the time now on. */
void states_open(const struct recording *r, int64_t now);
/*
 * Takes the records, which records_sort() has put in order, up to the time bound; returns how many
 * these are.
 */
size_t states_take(const struct kernel_record *records, size_t n, int64_t bound);
/*
 * Reads what the kernel counts of the threads that waited since the last reading, by the records
 * from an index on, and appends what was read to them. Returns whether there are such threads.
 */
bool states_read_figures(struct kernel_records *records, size_t from);
/*
 * Looks what the threads wait for that are blocked for long, each wait once, and appends that to
 * the records.
 */
void states_read_calls(struct kernel_records *records);
/* From now on states_read_calls() reads waits for futexes with it; NULL: not any more. */
void states_calls_by(blocked_call_reader *read);
/* Logs all that is known; threads that are still there end with the recording. */
void states_close(int64_t now);

/* How often a thread left its processor, and how many records the kernel lost. */
extern uint64_t states_switches, states_lost;
/* How long threads ran, ns. */
extern int64_t states_ran;

#endif
