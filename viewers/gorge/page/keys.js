/* The keyboard, the help that lists it, and the buttons of views. Views and other parts add theirs. */
/* uses: labels, view */
const keys = (() => {
	const { make } = labels;
	const scroll = document.getElementById("scroll"), dialog = document.getElementById("keys");
	const groups = {
		Window: [
			["w ArrowUp +", "w  \u2191  +", "zoom in", () => view.zoom(0.5)],
			["s ArrowDown -", "s  \u2193  \u2212", "zoom out", () => view.zoom(2)],
			["a ArrowLeft", "a  \u2190", "pan backward", () => view.pan(-0.25)],
			["d ArrowRight", "d  \u2192", "pan forward", () => view.pan(0.25)],
			["f 0", "f  0", "show the whole trace", () => view.fit()],
			["PageUp", "page up", "scroll to the lanes above", () => { scroll.scrollTop -= scroll.clientHeight * 0.8; }],
			["PageDown", "page down", "scroll to the lanes below", () => { scroll.scrollTop += scroll.clientHeight * 0.8; }],
		],
		Lanes: [],
		"Pinned item": [],
		Questions: [],
		Other: [
			["t", "t", "switch between light and dark", theme],
			["r", "r", "draw the view again", () => view.refresh()],
			["?", "?", "show this help", help],
		],
		Mouse: [
			["", "wheel", "zoom at the pointer; over the names, scroll"],
			["", "drag", "pan"],
			["", "shift + drag", "select a range of time (or drag on the ruler)"],
			["", "hover, click", "show what is at the pointer; pin it"],
			["", "what if", "change the pinned item, or any by its name; the predicted run appears above"],
			["", "click on a name", "fold or unfold a group; show all frames of a thread's stacks"],
		],
	};

	/*
	 * Adds keys to a group of the help. A row: the names of keys, as events have them; what the help calls them;
	 * what they do; the function. before: the key whose row comes next.
	 */
	function add(group, rows, before) {
		groups[group].push(...rows.map(([names, said, does, action]) => [names, said, does, action, before]));
	}

	/* Gives a view a button and a key, which call toggle, if it has them: see panel.add(). */
	function offer({ name, button, next, key, group = "Questions", before, does, hint = does }, toggle) {
		if (key)
			add(group, [[key, key, does, toggle]], before);
		if (!button)
			return;
		const element = make("button", "", button), place = document.getElementById("views");
		element.id = "show-" + name;
		element.title = hint + (key ? " (" + key + ")" : "");
		element.addEventListener("click", toggle);
		if (next)
			document.getElementById(next).before(element);
		else
			place.append(element);
	}

	function theme() {
		view.setTheme(view.state.theme === "light" ? "dark" : "light");
	}

	function press(event) {
		if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("textarea, input[type=text], select"))
			return;
		const actions = Object.values(groups).flat();
		const find = (key) => actions.find(([names]) => names.split(" ").includes(key));
		const found = find(event.key) || (event.key.length === 1 && find(event.key.toLowerCase()));
		if (!found || !view.state.picture || dialog.open)
			return;
		event.preventDefault();
		found[3]();
	}

	/* All rows are there now: those that stand before another one go there. */
	function inOrder(list) {
		const placed = list.filter(([, , , , before]) => !before);
		for (const row of list.filter(([, , , , before]) => before))
			placed.splice(placed.findIndex(([names]) => names === row[4]), 0, row);
		return placed;
	}

	function section([title, list]) {
		const table = make("table", "", ...inOrder(list).map(([, name, text]) =>
			make("tr", "", make("td", "", make("kbd", "", name)), make("td", "", text))));
		return make("section", "", make("h2", "", title), table);
	}

	function help() {
		dialog.querySelector("div").replaceChildren(...Object.entries(groups).map(section));
		dialog.showModal();
	}

	document.addEventListener("keydown", press);

	return { add, offer, theme, help };
})();
