/*
 * Abandons an answer if a log is truncated while it is read. The thread that read beyond its end
 * has stopped and still holds its locks (base/file_shrink.h); threads that wait for it may stop,
 * too. From then on, each answer reports this.
 */
#ifndef GLIMPSE_GORGE_SERVER_ATTEMPT_H
#define GLIMPSE_GORGE_SERVER_ATTEMPT_H

#include "viewers/web/server.h"

/* Answers a request of a session, as session_answer(), or says what happened to the log. */
struct reply attempt_answer(void *session, const struct http_request *request);

#endif
