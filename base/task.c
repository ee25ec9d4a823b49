#include "base/task.h"

_Thread_local struct errand *errand;
