/* The side panel: closed at first; one of its tabs is open, or none. */
/* uses: labels, view, requests, keys, address */
const panel = (() => {
	const place = document.querySelector("aside"), bar = document.getElementById("tabs"), views = {};
	let open = null;

	/*
	 * Adds a view, and returns its element. The parts of a view, all but the first two optional:
	 * - name: of its element, and for show()
	 * - tab: the title of its tab; tip: what the tab says at the pointer; last: the tab stands behind the others
	 * - html: what the element contains at first
	 * - opened: called when its tab opens; closed: called when the whole panel closes
	 * - show: opens the view, if that does more than open its tab
	 * - button: its title in the header; next: the button behind it, by default none of a view
	 * - key: opens and closes it; group: of the help (default Questions); before: the key whose row comes next
	 * - does: what the key does, for the help; hint: the same for the button (default: does)
	 * - asks: the addresses that it asks and that may take long, see requests.add()
	 */
	function add(v) {
		const tab = labels.make("button", v.last ? "last" : "", v.tab);
		const section = labels.parse(`<section id="${v.name}" hidden>${v.html || ""}</section>`);
		tab.setAttribute("role", "tab");
		tab.dataset.tab = v.name;
		tab.title = v.tip || "";
		tab.addEventListener("click", () => set(v.name));
		bar.querySelector(v.last ? ".close" : ".last, .close").before(tab);
		place.append(section);
		views[v.name] = { ...v, tab, section };
		requests.add(v.asks);
		keys.offer(v, () => toggle(v.name));
		return section;
	}

	function set(name) {
		if (name === open)
			return;
		open = name;
		place.hidden = open === null;
		place.scrollTop = 0;
		for (const { name: own, tab, section } of Object.values(views)) {
			section.hidden = own !== open;
			tab.setAttribute("aria-selected", own === open);
			tab.tabIndex = own === open ? 0 : -1;
		}
		for (const v of Object.values(views))
			if (open === null && v.closed)
				v.closed();
			else if (open === v.name && v.opened)
				v.opened();
		view.tell("panel");
	}

	function close() {
		if (place.contains(document.activeElement))
			document.activeElement.blur();
		set(null);
	}

	/* Closes the panel if that tab is open. */
	function toggle(name) {
		if (open === name)
			close();
		else
			(views[name].show || set)(name);
	}

	/* The arrow keys go from tab to tab. */
	function press(event) {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		const some = [...bar.querySelectorAll("[role=tab]:not([hidden])")];
		const at = some.indexOf(event.target);
		if (!by || at < 0)
			return;
		const next = some[(at + by + some.length) % some.length];
		event.preventDefault();
		event.stopPropagation();
		set(next.dataset.tab);
		next.focus();
	}

	/* Opens a tab as the address says; "": none. */
	function restore(name) {
		set(name ? address.oneOf(name, Object.keys(views)) : null);
	}

	bar.addEventListener("keydown", press);
	address.add("panel", () => open || "", restore, { late: true });
	bar.querySelector(".close").addEventListener("click", close);

	return { add, show: set, close, toggle, current: () => open };
})();
