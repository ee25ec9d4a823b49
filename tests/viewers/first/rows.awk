# Reads what `gorge --dump` says of a view. Says what is wrong with the rows of states: that a moment of a thread's life
# is in two bars, or in none; or that the states of a lane last for longer than its threads live, or much shorter.
# Bars have a digit behind the point, and what is narrower than a column is in the one in which it begins.
function complain(what) {
	print "lane " lane " \"" names[lane] "\": " what
	bad = 1
}
function overlap(from, to) {
	from = from > window_from ? from : window_from
	to = to < window_to ? to : window_to
	return to > from ? to - from : 0
}
function column(time) {
	return (time - window_from) / (window_to - window_from) * columns
}
function field_after(word, i) {
	for (i = 1; i < NF; i++)
		if ($i == word)
			return $(i + 1)
	return ""
}
/^window / { window_from = $2; window_to = $3; columns = $5 }
/^lane / {
	n = split($0, quoted, "\"")
	names[$2] = quoted[2]
	single[$2] = quoted[n] ~ /^ threads [0-9]+-[0-9]+ events/
	split(field_after("threads"), run, "-")
	if (run[1] != run[2])
		single[$2] = 0
	split(field_after("life"), life, "-")
	born[$2] = life[1]
	died[$2] = life[2]
	lived[$2] = overlap(life[1], life[2])
}
/^life lane / {
	split($4, life, "-")
	if (!($3 in lives))
		lived[$3] = 0
	lives[$3]++
	lived[$3] += overlap(life[1], life[2])
}
/^shares lane / {
	for (i = 4; i <= NF; i++) {
		split($i, share, ":")
		shares[$3] += share[2]
		if (share[1] == "Running")
			running[$3] = share[2]
	}
	shared[$3] = 1
}
/^interval / { known[$2] = 1 }
/^place lane / { states[$3] = $6 == "states" && $7 > 0 }
/^(bar|run) / && $6 == 0 {
	split($8, at, "-")
	lane = $4
	if ($1 == "run") {
		for (i = int(at[1]); i < at[2]; i++)
			narrow[lane, i] = 1
	} else {
		k = ++bars[lane]
		left[lane, k] = at[1]
		right[lane, k] = at[2]
	}
}
# Checks that between two columns all is in what is narrower than a column, and may reach into the next one.
function filled(from, to, c) {
	for (c = int(from) + 1; c < int(to); c++)
		if (!((lane, c) in narrow) && !((lane, c - 1) in narrow)) {
			complain("column " c " is in no bar")
			return
		}
}
function sort_bars(k, i, x, y) {
	for (k = 2; k <= bars[lane]; k++) {
		x = left[lane, k]
		y = right[lane, k]
		for (i = k - 1; i > 0 && left[lane, i] > x; i--) {
			left[lane, i + 1] = left[lane, i]
			right[lane, i + 1] = right[lane, i]
		}
		left[lane, i + 1] = x
		right[lane, i + 1] = y
	}
}
END {
	pixel = (window_to - window_from) / columns
	for (lane in states) {
		if (!states[lane])
			continue
		rows++
		sum = shares[lane]
		slack = (2 + 2 * lives[lane]) * pixel + lived[lane] / 1000
		if (sum > lived[lane] + slack || sum < lived[lane] - slack)
			complain("states last for " sum ", it lives for " lived[lane])
		all += running[lane]
		if (!single[lane])
			continue
		sort_bars()
		end = column(born[lane] > window_from ? born[lane] : window_from)
		for (k = 1; k <= bars[lane]; k++) {
			if (left[lane, k] < end - 0.11)
				complain("two bars at " left[lane, k])
			filled(end, left[lane, k])
			end = right[lane, k] > end ? right[lane, k] : end
			seen++
		}
		filled(end, column(died[lane] < window_to ? died[lane] : window_to))
	}
	if (rows == 0)
		print "no rows of states"
	exit bad || rows == 0
}
