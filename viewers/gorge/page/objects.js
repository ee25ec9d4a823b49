/* Which lanes there are: of threads, and of each kind of object that the trace has. */
const objects = (() => {
	const { make } = labels;
	const place = document.getElementById("lanes");
	let kinds = [], list = "threads";

	/* What --lanes takes. Single objects, which only the command line names, stay. */
	function words() {
		return list.split(",").filter((word) => word);
	}

	function shows(kind) {
		return words().includes(kind) || (kind !== "threads" && words().includes("objects"));
	}

	/* The list in its order, with a word more or less. */
	function toggle(kind) {
		let now = words().flatMap((word) => word === "objects" ? kinds : [word]);
		now = now.includes(kind) ? now.filter((word) => word !== kind) : [...now, kind];
		list = now.join(",") || "threads";
		fill();
		view.refresh();
	}

	function box(kind) {
		const input = make("input");
		input.type = "checkbox";
		input.checked = shows(kind);
		input.dataset.name = kind;
		input.addEventListener("change", () => toggle(kind));
		return make("label", "", input, make("span", "name", kind));
	}

	function fill() {
		place.hidden = kinds.length === 0;
		place.querySelector("p").replaceChildren(...["threads", ...kinds].map(box));
	}

	/* The lane of one object is shown as well, if it can have one; null: no more. */
	let extra = null;

	async function show(name) {
		const before = extra;
		extra = null;
		if (name && kinds.length && !/[,*?[]/.test(name) && (await server.ask("object", { name })).there)
			extra = name;
		if (extra !== before)
			view.refresh();
	}

	/* All kinds of objects, or none. */
	function all() {
		const any = kinds.some(shows);
		list = any ? "threads" : ["threads", ...kinds].join(",");
		fill();
		view.refresh();
	}

	function start(what) {
		kinds = what.kinds;
		list = what.lanes;
		fill();
	}

	function renew(what) {
		kinds = what.kinds;
		fill();
	}

	function nameOf(lane) {
		return kinds[lane.kind];
	}

	return { start, renew, toggle, all, nameOf, show,
		 list: () => kinds.length ? [list, ...(extra ? [extra] : [])].join(",") : undefined };
})();
