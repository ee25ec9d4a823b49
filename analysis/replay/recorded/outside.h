/*
 * Finds objects outside of the program that serve its threads one after another, such as a pipe
 * whose reader is not in the trace. If no lock keeps these threads apart any more, they still wait
 * there one after another.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_RECORDED_OUTSIDE_H
#define GLIMPSE_ANALYSIS_REPLAY_RECORDED_OUTSIDE_H

#include "analysis/replay/recorded/model.h"

/*
 * Returns the object (number in the register) for which a thread waits in a stretch that something
 * outside of the program ends, as the style `until` says. Returns NO_LOCK if it is no such wait, if
 * it is one for work (idle), or if the object is not known.
 */
uint32_t outside_object(const struct model *m, uint32_t thread, size_t stretch);

/*
 * Returns by object whether several threads waited there for the same, and never two at once. Where
 * two did, nobody knows how long each would have waited alone. The caller frees the result.
 */
bool *outside_find(const struct model *m);

/*
 * Returns the same by the graph's waits for those of kind "io" whose object is not known, such as
 * those for a disk: whether its threads never waited at the same time. The caller frees the result.
 */
bool *outside_devices(const struct model *m);

#endif
