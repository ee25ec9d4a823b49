#include "trace/errand.h"

_Thread_local struct errand *errand;
