/*
 * Abandons an answer if a log is truncated while it is read: the thread that read beyond its end
 * has stopped with what it holds (base/file_shrink.h), and so may others that wait for it. From
 * then on each request is told so.
 */
#ifndef GLIMPSE_GORGE_SERVER_ATTEMPT_H
#define GLIMPSE_GORGE_SERVER_ATTEMPT_H

#include "viewers/web/server.h"

/* Answers a request of a session, as session_answer(), or says what happened to the log. */
struct reply attempt_answer(void *session, const struct http_request *request);

#endif
