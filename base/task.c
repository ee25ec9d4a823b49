#include "base/task.h"

_Thread_local struct task *task_current;
