#include "viewers/gorge/server/predicted_run.h"
#include "base/array.h"
#include "base/directory.h"
#include "viewers/gorge/server/beside_session.h"
#include <stdatomic.h>
#include <stdlib.h>

struct predicted_run {
	atomic_uint holders;
	char *folder, *directory;
	const char *directories[1];
	struct log_source source;
	struct session *session;
};

static void run_free(struct predicted_run *p)
{
	if (p->session)
		session_free(p->session);
	directory_remove(p->folder);
	free(p->folder);
	free(p->directory);
	free(p);
}

struct predicted_run *predicted_run_open(const struct session *beside, const char *folder,
					 struct diag *diag)
{
	struct predicted_run *p = array_zero(1, sizeof *p);

	p->holders = 1;
	p->folder = text_format("%s", folder);
	p->directory = text_format("%s/run", folder);
	p->directories[0] = p->directory;
	p->source = (struct log_source){
	    .directories = p->directories, .ndirectories = 1, .spec = beside->source->spec};
	p->session = beside_session_open(beside, &p->source, diag);
	if (p->session)
		return p;
	run_free(p);
	return NULL;
}

struct predicted_run *predicted_run_hold(struct predicted_run *p)
{
	p->holders++;
	return p;
}

void predicted_run_release(struct predicted_run *p)
{
	if (p && --p->holders == 0)
		run_free(p);
}

struct session *predicted_run_session(const struct predicted_run *p)
{
	return p->session;
}
