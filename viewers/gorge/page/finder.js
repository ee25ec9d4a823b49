/* Search: "Transit where time > 1 ms"; the hits are listed, and n and N step through them. */
const finder = (() => {
	const { make } = labels;
	const input = document.querySelector("#finder input"), said = document.querySelector("#finder pre");
	const list = document.querySelector("#finder ul");
	const PAUSE = 300;
	let found = null, at = -1, asked = 0;

	function search() {
		return ask("find", { question: input.value }, "");
	}

	/* Asks again while the instances are still being found; another question, or esc, ends that. */
	async function whenFound(path, values, mine) {
		for (;;) {
			const answer = await server.ask(path, values);
			if (!answer.waiting || mine !== asked)
				return answer;
			said.textContent = "matching " + answer.waiting + "\u2026";
			await new Promise((done) => setTimeout(done, PAUSE));
		}
	}

	/* Lists the hits of any question that has some; what: said of them. */
	async function ask(path, values, what) {
		const mine = ++asked;
		list.replaceChildren();
		found = null;
		at = -1;
		try {
			const answer = await whenFound(path, values, mine);
			if (mine !== asked)
				return;
			found = answer;
			said.textContent = labels.plural(found.count, found.unmatched ? "anchor" : "instance") +
				(found.unmatched ? " without a partner" : what ? " " + what : "") +
				(found.count > found.hits.length ? "; the first " + labels.count(found.hits.length) : "");
			list.replaceChildren(...found.hits.map(row));
			said.scrollIntoView({ block: "nearest" });
		} catch (e) {
			if (mine === asked)
				said.textContent = e.message;
		}
	}

	/* Asks as if it had been typed. */
	function put(question) {
		input.value = question;
		return search();
	}

	function row([, start, end], i) {
		const line = make("li", "", make("span", "", labels.time(start)),
			make("span", "count", found.unmatched ? "" : labels.duration(end - start)));
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
		if (event.key === "Escape") {
			asked++;
			said.textContent = "";
			requests.stop();
			input.blur();
		}
	});

	return { search, put, list: ask, step, focus: () => input.focus() };
})();
