#include "viewers/gorge/server/beside_session.h"
#include "viewers/gorge/index/trace_index.h"
#include <stdlib.h>

struct session *beside_session_open(const struct session *beside, const struct log_source *source,
				    struct diag *diag)
{
	struct trace *trace = reopen_trace(source, source->spec, diag);
	struct trace_index *index = trace ? trace_index_new(trace, diag) : NULL;
	struct session *s;

	if (!index)
		return NULL;
	matcher_begin(index->matcher);
	s = session_new(beside->view, index);
	/* its times are others */
	free(s->notes);
	s->notes = NULL;
	s->source = source;
	s->queue = beside->queue;
	return s;
}
