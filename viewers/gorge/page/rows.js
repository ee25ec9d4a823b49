/*
 * Lists that may be long: of more rows than MOST only those in sight are elements, and the room of
 * the others is kept. All rows of such a list have one height, which the style sheet has as well.
 */
/* uses: none */
const rows = (() => {
	const MOST = 200, HEIGHT = 20, BEYOND = 20;

	/* A list in an element that scrolls. */
	function list(place, scroll) {
		let makers = [], first = -1, last = -1;

		function inSight() {
			const above = scroll.getBoundingClientRect().top - place.getBoundingClientRect().top;
			const from = Math.floor(above / HEIGHT) - BEYOND;
			const to = Math.ceil((above + scroll.clientHeight) / HEIGHT) + BEYOND;
			const within = (row) => Math.min(Math.max(row, 0), makers.length);
			return makers.length > MOST ? [within(from), within(to)] : [0, makers.length];
		}

		function show(anew) {
			const [from, to] = inSight();
			if (!anew && from === first && to === last)
				return;
			[first, last] = [from, to];
			place.classList.toggle("long", makers.length > MOST);
			place.style.paddingTop = from * HEIGHT + "px";
			place.style.paddingBottom = (makers.length - to) * HEIGHT + "px";
			place.replaceChildren(...makers.slice(from, to).map((make) => make()));
		}

		/* makers: a function for each row, which makes its element. */
		function fill(what) {
			makers = what;
			show(true);
		}

		/* A fast drag may pass many rows: what is shown is far ahead, and made anew rarely. */
		function scrolled() {
			const [from, to] = inSight();
			if (Math.abs(from - first) > BEYOND / 2 || Math.abs(to - last) > BEYOND / 2)
				show(false);
		}

		scroll.addEventListener("scroll", scrolled);
		window.addEventListener("resize", () => show(false));
		return { fill };
	}

	return { list };
})();
