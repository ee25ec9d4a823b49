/*
 * A range of time that stays selected until it is cleared: a band over the ruler and the lanes with its
 * duration. The shares beside the lanes, and the statistics, are those of the selection then.
 */
/* uses: server, labels, view, requests, address */
const selection = (() => {
	const band = document.getElementById("selection"), text = band.querySelector("output");
	const scroll = document.getElementById("scroll"), ruler = document.getElementById("ruler");
	const [zoomButton, clearButton] = band.querySelectorAll("button");
	/* After the last picture, so that dragging is not held up. */
	const PAUSE = 60;
	let range = null, found = null, of = null, timer = 0;

	/* What a question about a part of the picture's time has more than one about the picture. */
	const values = () => range ? { begin: range[0], end: range[1] } : {};
	const name = () => range ? "the selection" : "this window";

	/* ---- what is selected ---- */

	function changed() {
		found = of = null;
		ask();
		view.paintSoon();
		view.tell("selected");
	}

	/* Only what the trace has can be selected. */
	function set(a, b) {
		const from = Math.max(0, Math.round(Math.min(a, b)));
		const to = Math.min(Math.max(view.state.duration, 1000), Math.round(Math.max(a, b)));
		range = to > from ? [from, to] : null;
		changed();
	}

	/* Returns whether there was anything to let go of. */
	function clear() {
		if (!range)
			return false;
		range = null;
		changed();
		return true;
	}

	/* Fills the view with it. Returns false if nothing is selected. */
	function zoom() {
		if (!range)
			return false;
		view.setWindow(...range);
		return true;
	}

	/* ---- shares ---- */

	/* Where the lanes are: other shares stand elsewhere. */
	const placesOf = (picture) => picture.lanes.map((l) => l.top + " " + l.height).join();

	async function ask() {
		const mine = range, picture = view.state.picture;
		if (!mine || !picture || !picture.states || document.body.classList.contains("logical"))
			return;
		try {
			const answer = await server.ask("shares", { ...view.state.asked, ...values() });
			if (mine !== range || view.state.picture !== picture)
				return;
			found = answer;
			of = placesOf(picture);
		} catch (e) {
			if (e.message)
				view.say(e.message);
		}
		view.paintSoon();
	}

	function refresh() {
		clearTimeout(timer);
		if (range)
			timer = setTimeout(ask, PAUSE);
	}

	/* What to paint at the right of the lanes, and above that: nothing while it is being found. */
	function sharesOf(picture) {
		if (!range)
			return [picture.shares, picture.sharesHead];
		return found && of === placesOf(picture) ? [found.shares, found.sharesHead] : [[], []];
	}

	/* ---- on the plot ---- */

	function paint(context, p) {
		band.hidden = !range;
		if (!range)
			return;
		const left = p.left - p.indent, right = p.left + p.columns + p.indent;
		const x0 = Math.min(Math.max(view.xOf(range[0]), left), right), x1 = Math.min(Math.max(view.xOf(range[1]), left), right);
		const top = ruler.offsetTop;
		band.style.left = x0 + "px";
		band.style.width = Math.max(x1 - x0, 1) + "px";
		band.style.top = top + "px";
		band.style.height = scroll.offsetTop + scroll.clientHeight - top + "px";
		text.textContent = labels.duration(range[1] - range[0]) + " selected";
		/* the text stays in the plot */
		const half = band.firstElementChild.offsetWidth / 2, middle = (x0 + x1) / 2;
		band.firstElementChild.style.left = Math.min(Math.max(middle, half), ruler.clientWidth - half) - x0 + "px";
	}

	/* "120ms,150ms" */
	function restore(text) {
		if (!text) {
			clear();
			return;
		}
		const [a, b, ...more] = text.split(",").map(address.readTime);
		if (!(b > a) || more.length)
			throw new Error("a selection is two times, the earlier first");
		set(a, b);
	}

	address.add("select", () => (range || []).map(address.time).join(), restore, { late: true });
	zoomButton.addEventListener("click", zoom);
	clearButton.addEventListener("click", clear);
	view.on("paint", paint);
	view.on("picture", refresh);
	view.on("clear", clear);
	requests.add({ shares: "shares of the selection" });

	return { set, clear, zoom, values, name, sharesOf, current: () => found !== null, state: () => ({ range, found }) };
})();
