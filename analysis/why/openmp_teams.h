/*
 * Finds threads that share out the work of OpenMP's parallel regions, from their samples: the
 * first function of the program that an OpenMP library calls is the body of a region. The thread
 * that begins the region runs it, too, and has another name than the others.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_OPENMP_TEAMS_H
#define GLIMPSE_ANALYSIS_WHY_OPENMP_TEAMS_H

#include "analysis/why/evidence.h"

/*
 * Sets the teams of the evidence's threads: by thread, a number that threads of a process have in
 * common which ran the body of one region, or are of one group.
 */
void openmp_teams_set(struct evidence *g);
/*
 * Returns the share of a thread's samples between two times that are in bodies of regions; 1 of a
 * thread that is never in one, or without samples there. The time in which a thread waits for its
 * team, and keeps its processor, is not in them.
 */
double openmp_body_share(const struct evidence *g, uint32_t thread, int64_t from, int64_t to);

/* Returns whether a thread ran a region's body together with threads of another group. */
bool openmp_team_has(const struct evidence *g, uint32_t thread);

#endif
