#include "spec/warnings.h"
#include <stddef.h>

const struct warning warnings[] = {
	{"narrow-match", "Match compares too little to tell the events of a pair from others"},
	{"never-holds", "a condition or assertion that can never hold"},
	{"unused-attribute", "an attribute that no interval, assertion or symbol uses"},
	{NULL, NULL},
};
