/* The parts of the programs of random_program.py. The result of a scene depends on n alone. */
#ifndef GLIMPSE_TESTS_HOSTILE_SCENES_H
#define GLIMPSE_TESTS_HOSTILE_SCENES_H

#include <functional>

namespace scenes
{
using scene = long(long n);
scene locks, conditions, semaphores, forks, spawns, execs, signals, timers, jumps, faults, throws,
    loads, cancels, contexts, pipes, memory, locals, timed, stops, kills, shells, small_stacks;

/* Runs work in so many threads, and returns the sum of what it returns for 0, 1, ... */
long in_threads(int threads, const std::function<long(int)> &work);
/* Runs work in a child of fork(), and returns what it returns. */
long in_child(const std::function<long()> &work);
/* Calls work below `depth` frames, of which each catches and throws on. */
long through_exceptions(int depth, const std::function<long()> &work);
void print(const char *what, long value);
/* How a program ends; it does not return. */
[[noreturn]] void end(int way, int status);
/* Called first: what a program does that execs() starts. */
void begin(int argc, char **argv);
} // namespace scenes

#endif
