# From the text of `glimpse events` to a line for each thread: name, ns of life, running, ready, blocked, switches; of
# the time that it was ready that after it was woken; of the time that it was blocked that which may have been ready.
function ns(t) { return sprintf("%.0f", t * 1e9) + 0 }
{
	time = ns($1); thread = $2; end[thread] = time
	if ($3 == "Started") begin[thread] = time
	else if ($3 == "SwitchIn") {
		if (ready_at[thread] != "") {
			ready[thread] += time - ready_at[thread]
			if (!preempted[thread]) late[thread] += time - ready_at[thread]
		}
		ready_at[thread] = ""; in_at[thread] = time
	} else if ($3 == "SwitchOut") running[thread] += time - in_at[thread]
	else if ($3 == "Blocks") { blocked_at[thread] = time; switches[thread]++ }
	else if ($3 == "StillBlocked") { blocked[thread] += time - blocked_at[thread]; blocked_at[thread] = "" }
	else if ($3 == "Readied") {
		if (blocked_at[thread] != "") {
			blocked[thread] += time - blocked_at[thread]
			if ($4 ~ /unknown/) unknown[thread] += time - blocked_at[thread]
		}
		blocked_at[thread] = ""; ready_at[thread] = time
		preempted[thread] = $4 ~ /preempted/
		switches[thread] += preempted[thread]
	}
}
END {
	for (thread in begin)
		printf "%s %.0f %.0f %.0f %.0f %d %.0f %.0f\n", thread, end[thread] - begin[thread], running[thread],
			ready[thread], blocked[thread], switches[thread], late[thread], unknown[thread]
}
