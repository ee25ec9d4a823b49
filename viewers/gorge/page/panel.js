/* The side panel: closed at first; one of its tabs is open, or none. */
/* uses: none */
const panel = (() => {
	const place = document.querySelector("aside"), tabs = [...place.querySelectorAll("[data-tab]")];
	const listeners = [];
	let open = null;

	const sectionOf = (name) => document.getElementById(name);

	/* Called with the name of the tab that is open from now on, or null. */
	function onChange(listener) {
		listeners.push(listener);
	}

	function set(name) {
		if (name === open)
			return;
		open = name;
		place.hidden = open === null;
		place.scrollTop = 0;
		for (const tab of tabs) {
			const chosen = tab.dataset.tab === open;
			sectionOf(tab.dataset.tab).hidden = !chosen;
			tab.setAttribute("aria-selected", chosen);
			tab.tabIndex = chosen ? 0 : -1;
		}
		listeners.forEach((l) => l(open));
	}

	function show(name) {
		set(name);
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
			show(name);
	}

	/* The arrow keys go from tab to tab. */
	function press(event) {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key], at = tabs.indexOf(event.target);
		if (!by || at < 0)
			return;
		const some = tabs.filter((tab) => !tab.hidden);
		const next = some[(some.indexOf(event.target) + by + some.length) % some.length];
		event.preventDefault();
		event.stopPropagation();
		show(next.dataset.tab);
		next.focus();
	}

	function start() {
		for (const tab of tabs)
			tab.addEventListener("click", () => show(tab.dataset.tab));
		document.getElementById("tabs").addEventListener("keydown", press);
		place.querySelector(".close").addEventListener("click", close);
	}

	return { start, show, close, toggle, onChange, current: () => open };
})();
