/* Lists the addresses that the page asks. */
#ifndef GLIMPSE_GORGE_ANSWERS_ROUTES_H
#define GLIMPSE_GORGE_ANSWERS_ROUTES_H

/* How a request is answered: at once; slowly; slowly, and about a picture. */
enum pace { QUICK, SLOW, SLOW_PICTURED };

/*
 * Each address, whether it takes POST instead of GET, its pace, and the function that answers,
 * which answers.h declares from this list.
 */
/* clang-format off */
#define ROUTES(ROUTE) \
	ROUTE("", false, QUICK, answer_page) \
	ROUTE("start", false, QUICK, answer_start) \
	ROUTE("view", false, QUICK, answer_view) \
	ROUTE("state", false, QUICK, answer_state) \
	ROUTE("overview", false, QUICK, answer_overview) \
	ROUTE("at", false, QUICK, answer_at) \
	ROUTE("outline", false, QUICK, answer_outline) \
	ROUTE("durations", false, SLOW_PICTURED, answer_durations) \
	ROUTE("statistics", false, SLOW_PICTURED, answer_statistics) \
	ROUTE("shares", false, SLOW_PICTURED, answer_shares) \
	ROUTE("flame", false, SLOW_PICTURED, answer_flame) \
	ROUTE("stretches", false, SLOW_PICTURED, answer_stretches) \
	ROUTE("object", false, SLOW, answer_object) \
	ROUTE("headline", false, QUICK, answer_headline) \
	ROUTE("why", false, SLOW, answer_why) \
	ROUTE("path", false, SLOW_PICTURED, answer_path) \
	ROUTE("meanwhile", false, SLOW, answer_meanwhile) \
	ROUTE("differences", false, SLOW, answer_differences) \
	ROUTE("find", false, SLOW, answer_find) \
	ROUTE("events", false, SLOW, answer_events) \
	ROUTE("assertions", false, SLOW, answer_assertions) \
	ROUTE("violations", false, SLOW, answer_violations) \
	ROUTE("step", false, SLOW, answer_step) \
	ROUTE("tracks", false, SLOW_PICTURED, answer_tracks) \
	ROUTE("picture.svg", false, SLOW_PICTURED, answer_document) \
	ROUTE("picture.png", false, SLOW_PICTURED, answer_document) \
	ROUTE("picture.pdf", false, SLOW_PICTURED, answer_document) \
	ROUTE("notes", false, QUICK, answer_notes) \
	ROUTE("definitions", true, SLOW, answer_definitions) \
	ROUTE("requests", false, QUICK, answer_requests) \
	ROUTE("stop", true, QUICK, answer_stop) \
	ROUTE("present", true, QUICK, answer_presence) \
	ROUTE("left", true, QUICK, answer_presence) \
	ROUTE("pulse", false, QUICK, answer_pulse)
/* clang-format on */

#endif
