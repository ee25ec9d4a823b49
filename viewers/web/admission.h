/*
 * Decides who is admitted by a web server on the loopback address, which every user of the machine
 * and every page in the browser can reach.
 *
 * An invitation is an address with a token that is good once: the first visit with it is given a
 * cookie. All else is below a path of random digits, and needs the cookie. A browser sends cookies
 * to all ports of a host alike; that path keeps the cookie from servers on other ports.
 */
#ifndef GLIMPSE_VIEWERS_WEB_ADMISSION_H
#define GLIMPSE_VIEWERS_WEB_ADMISSION_H

#include <stdbool.h>

struct admission;

/* What a request says before its body; NULL: nothing. */
struct request_head {
	const char *method, *url, *host, *origin;
	const char *site, *mode, *destination; /* Sec-Fetch-... */
	bool has_cookie;                       /* one that admission_is_key() found right */
};

enum admittance {
	ADMITTANCE_REFUSED,
	ADMITTANCE_INVITED,  /* is given the cookie, and sent to the path */
	ADMITTANCE_RETURNED, /* has the cookie, and is sent to the path */
	ADMITTANCE_GRANTED,
};

/* Returns NULL, and errno says why, if the system gives no random numbers. */
struct admission *admission_new(unsigned port);
void admission_free(struct admission *a);

/* Makes an invitation and returns its address, for the caller to free; NULL as above. */
char *admission_invite(struct admission *a);
/* Tells whether nobody has come with the invitation of that address yet. */
bool admission_is_open(struct admission *a, const char *address);

/*
 * Decides about a visitor, and spends the invitation that it has. Sets *why to why it is refused.
 */
enum admittance admission_decide(struct admission *a, const struct request_head *v,
				 const char **why);
/* Tells whether a cookie of that name and value is the right one. */
bool admission_is_key(const struct admission *a, const char *name, const char *value);
/* Returns what follows the path of random digits in the URL of an admitted visitor. */
const char *admission_rest(const char *url);

/* Returns the header Set-Cookie for one path, for the caller to free: "/DIGITS/" */
char *admission_cookie(const struct admission *a, const char *path);
/* Returns the path that needs the cookie: "/DIGITS/" */
const char *admission_path(const struct admission *a);

#endif
