/* Lists processes and threads from /proc. */
#ifndef GLIMPSE_RECORDER_PROCESSES_H
#define GLIMPSE_RECORDER_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Stores a new array of all processes, which the caller frees; returns how many. */
size_t processes_all(pid_t **pids);
/* Stores a new array of the process' threads, which the caller frees; returns how many. */
size_t process_threads(pid_t pid, pid_t **tids);
/* The same for the children of all its threads; none if the kernel does not list them. */
size_t process_children(pid_t pid, pid_t **pids);

/*
 * Returns whether the process has the thread. A list of a process' threads may lack some that are
 * there, while others end.
 */
bool thread_is_there(pid_t pid, pid_t tid);

/* Stores the name of a thread, as the kernel has it; "" if the thread is gone. */
#define THREAD_NAME 16
void thread_name_read(pid_t pid, pid_t tid, char name[THREAD_NAME]);

/* The same from an open file comm; leaves the name as it is if the thread is gone. */
void thread_name_update(int fd, char name[THREAD_NAME]);

/* Returns the letter of a thread's state (proc(5)); 0 if the thread is gone. */
char thread_state(pid_t pid, pid_t tid);

/*
 * Returns whether a thread is blocked in a wait on a futex that only another thread of its process
 * ends: it has no time limit, and is in memory of this process. False if that is not known.
 */
bool thread_waits_on_futex(pid_t pid, pid_t tid);

/*
 * Tells where in the kernel a thread waits that no signal can end (state D), as in page faults and
 * fsync(). Returns false if it does not, or the system lets nobody read it.
 */
#define KERNEL_FUNCTION 64
struct kernel_place {
	char function[KERNEL_FUNCTION]; /* of the kernel, in which it waits */
	long call;                      /* number of the system call; -1: a page fault */
	uint64_t code;                  /* the program's instruction that led there */
};
bool thread_waits_in_kernel(pid_t pid, pid_t tid, struct kernel_place *place);

/*
 * Returns a thread's number in the innermost namespace of process ids that it has one in; 0 if the
 * thread is gone.
 */
uint32_t thread_number_inside(pid_t pid, pid_t tid);

/* Opens /proc/PID/FILE, or /proc/PID/task/TID/FILE if tid is not 0; returns -1 on errors. */
int proc_file_open(pid_t pid, pid_t tid, const char *file);

/*
 * A file of /proc that is read often. Most of the cost of reading it is opening it, so it stays
 * open; but not if it would take one of the last half of our descriptors: then each reading opens
 * it.
 */
struct proc_file {
	pid_t pid, tid;   /* as those of proc_file_open() */
	const char *name; /* kept, not copied; NULL: it cannot be read */
	int fd;           /* -1: it is opened for each reading */
};
struct proc_file proc_file_keep(pid_t pid, pid_t tid, const char *name);
/*
 * Returns a descriptor to read from, -1 if the file cannot be read; proc_file_release() takes it
 * back.
 */
int proc_file_get(const struct proc_file *f);
void proc_file_release(const struct proc_file *f, int fd);
void proc_file_close(struct proc_file *f);

/*
 * Reads the first n numbers of a file of /proc that is open, after skipping some words; a word in
 * parentheses (a program's name) counts as one. Returns how many there were.
 */
unsigned process_numbers(int fd, unsigned skip, uint64_t *numbers, unsigned n);

/* Returns the number after a text in a file of /proc that is open; 0 if there is none. */
uint64_t process_number_of(int fd, const char *text);

/* What an open /proc/PID/task/TID/status says; returns false if it cannot be read. */
struct thread_status {
	char name[THREAD_NAME];
	uint64_t voluntary, involuntary; /* switches */
};
bool thread_status_read(int fd, struct thread_status *s);

#endif
