/* Finds who has the other end of a pipe or Unix socket, or the lock of a file. */
#ifndef GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_PEERS_H
#define GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_PEERS_H

#include "recorder/live_process/live_threads.h"

/* A look begins: the search in all processes takes a fifth of a second of each look at most. */
void live_peers_begin(void);

/* Each returns the processes as a text, "written by sort (812)", to be freed; NULL: not known. */
char *live_pipe_peer(pid_t pid, int descriptor, const char *target);
char *live_socket_peer(const char *target);
/* Of a thread of the process that waits in flock() or fcntl(). */
char *live_lock_holder(pid_t pid, pid_t tid);

/* Returns the descriptors that an epoll has, "5 pipe:[1], 7 socket:[2]", to be freed. */
char *live_epoll_list(pid_t pid, int descriptor);
/* Returns those of an array of struct pollfd in the process's memory. */
char *live_poll_list(pid_t pid, uint64_t array, uint64_t n);

#endif
