/* Dims all lanes but those that something is about: a finding, or a part of the headline. One at a time. */
/* uses: view */
const spotlight = (() => {
	let isLit = null, of = null;

	/* owner: whoever may turn it off again. lit: whether a lane stays bright. */
	function show(owner, lit) {
		of = owner;
		isLit = lit;
		view.paintSoon();
	}

	/* Returns whether there was one of that owner. */
	function clear(owner) {
		if (of === null || of !== owner)
			return false;
		show(null, null);
		return true;
	}

	/* Whether a lane is of one of these threads. */
	function hasThread(lane, numbers) {
		return lane.threads.some(([a, b]) => [...numbers].some((n) => a <= n && n <= b));
	}

	function paint(context, p) {
		if (!isLit)
			return;
		context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--veil");
		for (const lane of p.lanes)
			if (!isLit(lane))
				context.fillRect(p.left - p.indent, lane.top, p.columns + 2 * p.indent, lane.height);
	}

	view.on("paint", paint);

	return { show, clear, hasThread, owner: () => of };
})();
