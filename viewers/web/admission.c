#include "viewers/web/admission.h"
#include "base/array.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Of more invitations that nobody has used the oldest ends. */
enum { SECRET_BYTES = 16, INVITATIONS = 16 };
/* "/DIGITS/" */
enum { PATH_LENGTH = 2 * SECRET_BYTES + 2 };

struct admission {
	pthread_mutex_t lock;                           /* of the invitations */
	char invitations[INVITATIONS][PATH_LENGTH + 1]; /* ""; none */
	unsigned next;
	char path[PATH_LENGTH + 1], key[PATH_LENGTH + 1];
	char *cookie;                /* its name */
	char *hosts[2], *origins[2]; /* by number and by name */
};

/* Makes "/DIGITS/". Returns false if the system gives no random numbers. */
static bool secret_make(char text[PATH_LENGTH + 1])
{
	unsigned char bytes[SECRET_BYTES];

	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		return false;
	for (int i = 0; i < SECRET_BYTES; i++)
		sprintf(text + 1 + 2 * i, "%02x", bytes[i]);
	text[0] = text[PATH_LENGTH - 1] = '/';
	text[PATH_LENGTH] = '\0';
	return true;
}

/* Compares so many bytes; takes as long for different ones as for equal ones. */
static bool secret_equals(const char *text, const char *secret, size_t n)
{
	unsigned char difference = 0;

	for (size_t i = 0; i < n; i++)
		difference |= (unsigned char)(text[i] ^ secret[i]);
	return difference == 0;
}

static bool secret_begins(const char *text, const char *secret)
{
	return *secret && strnlen(text, PATH_LENGTH) == PATH_LENGTH &&
	       secret_equals(text, secret, PATH_LENGTH);
}

struct admission *admission_new(unsigned port)
{
	static const char *const names[] = {"127.0.0.1", "localhost"};
	struct admission *a = array_zero(1, sizeof *a);

	pthread_mutex_init(&a->lock, NULL);
	if (!secret_make(a->path) || !secret_make(a->key)) {
		admission_free(a);
		return NULL;
	}
	for (int i = 0; i < 2; i++) {
		a->hosts[i] = text_format("%s:%u", names[i], port);
		a->origins[i] = text_format("http://%s", a->hosts[i]);
	}
	a->cookie = text_format("gorge-%u", port);
	return a;
}

void admission_free(struct admission *a)
{
	if (!a)
		return;
	for (int i = 0; i < 2; i++) {
		free(a->hosts[i]);
		free(a->origins[i]);
	}
	free(a->cookie);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

char *admission_invite(struct admission *a)
{
	char text[PATH_LENGTH + 1];

	if (!secret_make(text))
		return NULL;
	pthread_mutex_lock(&a->lock);
	memcpy(a->invitations[a->next++ % INVITATIONS], text, sizeof text);
	pthread_mutex_unlock(&a->lock);
	return text_format("%s%s", a->origins[0], text);
}

/* Returns the invitation that a text begins with, or NULL; under the lock. */
static char *invitation_find(struct admission *a, const char *text)
{
	char *found = NULL;

	for (int i = 0; i < INVITATIONS; i++)
		if (secret_begins(text, a->invitations[i]))
			found = a->invitations[i];
	return found;
}

bool admission_is_open(struct admission *a, const char *address)
{
	bool open;

	pthread_mutex_lock(&a->lock);
	open = invitation_find(a, address + strlen(a->origins[0]));
	pthread_mutex_unlock(&a->lock);
	return open;
}

static bool admission_spend(struct admission *a, const char *url)
{
	char *found;

	pthread_mutex_lock(&a->lock);
	found = strlen(url) == PATH_LENGTH ? invitation_find(a, url) : NULL;
	if (found)
		memset(found, 0, PATH_LENGTH + 1);
	pthread_mutex_unlock(&a->lock);
	return found;
}

static bool is_one_of(const char *value, char *const known[2])
{
	return !strcmp(value, known[0]) || !strcmp(value, known[1]);
}

static bool is_text(const char *value, const char *text)
{
	return value && !strcmp(value, text);
}

enum admittance admission_decide(struct admission *a, const struct request_head *v,
				 const char **why)
{
	bool foreign = v->site && strcmp(v->site, "same-origin") && strcmp(v->site, "none");

	/* Another site's page can make the browser ask this server, but not by its name. */
	if (!v->host || !is_one_of(v->host, a->hosts)) {
		*why = "The request names another host.";
		return ADMITTANCE_REFUSED;
	}
	/*
	 * Pages of other ports of this host are foreign, too. Whoever has an invitation may be led
	 * here by a page or a file, but not be made to load this one as a part of another.
	 */
	if ((v->origin && !is_one_of(v->origin, a->origins)) ||
	    (foreign && (!is_text(v->mode, "navigate") || !is_text(v->destination, "document")))) {
		*why = "gorge does not answer pages of other sites.";
		return ADMITTANCE_REFUSED;
	}
	if (v->has_cookie && !foreign && secret_begins(v->url, a->path))
		return ADMITTANCE_GRANTED;
	if (v->has_cookie && !foreign && is_text(v->method, "GET"))
		return ADMITTANCE_RETURNED;
	if (is_text(v->method, "GET") && admission_spend(a, v->url))
		return ADMITTANCE_INVITED;
	*why =
	    "This address does not admit you: each address that gorge prints admits one browser, "
	    "once. To get another address, press Enter in the terminal where gorge runs, or start "
	    "gorge again.";
	return ADMITTANCE_REFUSED;
}

bool admission_is_key(const struct admission *a, const char *name, const char *value)
{
	return !strcmp(name, a->cookie) && strlen(value) == PATH_LENGTH - 2 &&
	       secret_equals(value, a->key + 1, PATH_LENGTH - 2);
}

const char *admission_rest(const char *url)
{
	return url + PATH_LENGTH;
}

char *admission_cookie(const struct admission *a, const char *path)
{
	return text_format("%s=%.*s; Path=%s; HttpOnly; SameSite=Strict", a->cookie,
			   PATH_LENGTH - 2, a->key + 1, path);
}

const char *admission_path(const struct admission *a)
{
	return a->path;
}
