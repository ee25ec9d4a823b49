/* Asks the program that serves this page. Addresses are relative to the page's own. */
/* uses: labels, requests */
const server = (() => {
	function address(path, values) {
		const query = new URLSearchParams();
		for (const [name, value] of Object.entries(values || {}))
			if (value !== undefined && value !== null)
				query.set(name, value);
		const text = query.toString();
		return text ? path + "?" + text : path;
	}

	/* A newer slow request in the same place of the page ends the one before, whose answer nobody waits for. */
	const page = Math.random().toString(36).slice(2);
	const slow = {}, newest = {};

	/* Gives the answer; throws an Error with what the program says is wrong. */
	async function ask(path, values) {
		return path in slow ? askSlowly(path, values) : answer(address(path, values));
	}

	/* The error of one that gave way to a newer one has nothing to say. */
	async function askSlowly(path, values) {
		const place = (values && values.place) || path;
		const mine = newest[place] = (newest[place] || 0) + 1;
		try {
			return await requests.during(answer(address(path, { ...values, page })));
		} catch (e) {
			throw newest[place] === mine ? e : new Error("");
		}
	}

	const busy = async () => (await answer(address("requests", { page }))).requests;
	const stop = (place) => answer(address("stop", { page, place }), { method: "POST", body: "" });

	/* The same for a text that is sent. */
	async function send(path, text) {
		return answer(path, { method: "POST", body: text });
	}

	async function answer(url, options) {
		let response;
		try {
			response = await fetch(url, options);
		} catch (e) {
			throw new Error("gorge has ended; start it again to continue");
		}
		if (!response.ok)
			throw new Error((await response.text()).trim());
		return response.json();
	}

	function tell(path) {
		navigator.sendBeacon(path);
	}

	/* A document of a view, by the program's other painter. */
	function save(suffix, values, name) {
		const link = labels.make("a");
		link.href = address("picture." + suffix, values);
		link.download = name;
		link.click();
	}

	return { address, ask, slow, send, tell, save, busy, stop };
})();
