# Sums the time in which threads waited and did not run, by the innermost wait and by whether they were
# ready: moment by moment, and for each all instances. Reads what `glimpse match --format=csv` prints.
BEGIN { FS = "," }
NR > 1 && $5 != "" {
	t = $2; n[t]++; k = n[t]
	name[t, k] = $1
	from[t, k] = $4 < $7 ? $4 : $7
	to[t, k] = $4 < $7 ? $7 : $4
}
function sort_points(t, m,    i, j, x) {
	for (i = 2; i <= m; i++) {
		x = p[i]
		for (j = i - 1; j >= 1 && p[j] > x; j--)
			p[j + 1] = p[j]
		p[j + 1] = x
	}
}
END {
	for (t in n) {
		m = 0
		for (k = 1; k <= n[t]; k++) { p[++m] = from[t, k]; p[++m] = to[t, k] }
		sort_points(t, m)
		for (i = 1; i < m; i++) {
			a = p[i]; b = p[i + 1]
			if (a == b) continue
			running = ready = 0; wait = ""; since = -1
			for (k = 1; k <= n[t]; k++) {
				if (from[t, k] > a || to[t, k] < b) continue
				if (name[t, k] == "Running") running = 1
				else if (name[t, k] == "Ready") ready = 1
				else if (from[t, k] > since) { since = from[t, k]; wait = name[t, k] }
			}
			if (!running && wait != "") sum[wait " " ready] += b - a
		}
	}
	for (w in sum) print w, sum[w]
}
