/* A row that compares our event with the same event of another tool, in one process. */
#ifndef GLIMPSE_BENCH_PEER_H
#define GLIMPSE_BENCH_PEER_H

/* Logs n of the other tool's events with two ints. */
void peer_loop(long n);

#endif
