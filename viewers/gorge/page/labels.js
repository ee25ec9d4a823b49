/* Numbers as people read them: the same words as the documents have. */
/* uses: none */
const labels = (() => {
	const units = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];

	function unitFor(ns) {
		return units.find(([, size]) => Math.abs(ns) >= size) || units[3];
	}

	/* What goes right is columns, not time; a column is so many nanoseconds. */
	const COLUMN = 1000;
	let columns = false;

	/* Three significant digits: "17 ns", "1.24 s". */
	function duration(ns) {
		if (columns)
			return plural(Math.round(ns / COLUMN), "column");
		let [name, size] = unitFor(ns);
		if (size < 1e9 && Math.abs(ns) / size >= 999.5)
			[name, size] = units[units.findIndex((u) => u[0] === name) - 1];
		const value = ns / size, magnitude = Math.abs(value);
		const decimals = size === 1 || magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
		return value.toFixed(decimals) + " " + name;
	}

	/* All digits: "12.345678 s"; of a time within so many nanoseconds those that matter: "12.346 s". */
	function time(ns, within) {
		if (columns)
			return "column " + count(Math.round(ns / COLUMN));
		return clock(ns, within);
	}

	/* A ten thousandth of a window is less than a pixel. */
	const PARTS = 10000;

	function clock(ns, within) {
		const [name, size] = unitFor(ns || within || 0), all = { s: 9, ms: 6, us: 3, ns: 0 }[name];
		const some = within ? Math.ceil(Math.log10(size * PARTS / within)) : all;
		const digits = Math.min(all, Math.max(0, some));
		const text = (ns / size).toFixed(digits);
		return (digits ? text.replace(/\.?0+$/, "") : text) + " " + name;
	}

	function count(n) {
		return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
	}

	function plural(n, noun) {
		return count(n) + " " + noun + (n === 1 ? "" : "s");
	}

	/* The end of a long name is cut off, as in bars. */
	function shorten(text, most = 34) {
		const letters = [...text];
		return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "\u2026";
	}

	/* An element with classes, text or children: make("td", "count", "17"). */
	function make(tag, classes, ...content) {
		const element = document.createElement(tag);
		if (classes)
			element.className = classes;
		element.append(...content);
		return element;
	}

	/* The element of a text of HTML. */
	function parse(html) {
		const template = make("template");
		template.innerHTML = html;
		return template.content.firstElementChild;
	}

	return { duration, time, clock, setColumns: (on) => { columns = on; }, count, plural, shorten, make, parse };
})();
