/*
 * Several comparisons at once, where candidates are taken: queries must be answered in the order of
 * the stream. By one comparison the candidates are halved over and over (halves.c), and the others
 * are looked up in what is left.
 */
#ifndef GLIMPSE_TRACE_LAYERS_H
#define GLIMPSE_TRACE_LAYERS_H

#include "trace/questions.h"

void layers_answer(struct questions *q);

#endif
