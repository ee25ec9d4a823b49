/* Search: "Transit where time > 1 ms"; the hits are listed, and n and N step through them. */
const finder = (() => {
	const { make } = words;
	const input = document.querySelector("#finder input"), said = document.querySelector("#finder pre");
	const list = document.querySelector("#finder ul");
	let found = null, at = -1;

	function search() {
		return ask("find", { question: input.value }, "");
	}

	/* Lists the hits of any question that has some; what: said of them. */
	async function ask(path, values, what) {
		list.replaceChildren();
		found = null;
		at = -1;
		try {
			found = await server.ask(path, values);
			said.textContent = words.plural(found.count, found.unmatched ? "anchor" : "instance") +
				(found.unmatched ? " without a partner" : what ? " " + what : "") +
				(found.count > found.hits.length ? "; the first " + words.count(found.hits.length) : "");
			list.replaceChildren(...found.hits.map(row));
			said.scrollIntoView({ block: "nearest" });
		} catch (e) {
			said.textContent = e.message;
		}
	}

	/* Asks as if it had been typed. */
	function put(question) {
		input.value = question;
		return search();
	}

	function row([, start, end], i) {
		const line = make("li", "", make("span", "", words.time(start)),
			make("span", "count", found.unmatched ? "" : words.duration(end - start)));
		line.addEventListener("click", () => go(i));
		return line;
	}

	async function go(i) {
		const [index, start, end] = found.hits[i];
		at = i;
		list.querySelectorAll(".chosen").forEach((e) => e.classList.remove("chosen"));
		list.children[i].classList.add("chosen");
		list.children[i].scrollIntoView({ block: "nearest" });
		try {
			details.pin(await server.ask("step", { interval: found.interval, index, to: "itself" }));
			view.show(start, end);
		} catch (e) {
			view.say(e.message);
		}
	}

	function step(by) {
		if (found && found.hits.length)
			go((at + by + found.hits.length) % found.hits.length);
	}

	input.addEventListener("keydown", (event) => {
		/* n and N step through the hits then */
		if (event.key === "Enter")
			search().then(() => found && input.blur());
		if (event.key === "Escape")
			input.blur();
	});

	return { search, put, list: ask, step, focus: () => input.focus() };
})();
