/*
 * The page of gorge in a browser, on the trace of messages.recipe: what is asserted is the state of
 * the page and the numbers in it, not pixels. page.js GORGE DIRECTORY ANOTHER; prints TAP.
 */
"use strict";
const { ok, SETTLED, visit, end } = require("../../browsing.js");

/* Where a time and a lane's symbols are on the screen. */
const PLACE = `
	const box = document.getElementById("plot").getBoundingClientRect();
	const lane = view.state.picture.lanes[arguments[1]];
	return [box.left + view.xOf(arguments[0]), box.top + lane.top + lane.height * arguments[2]];`;

const WINDOW = "return [view.state.from, view.state.to]";

async function opening(b) {
	await b.until(SETTLED);
	ok(await b.run("return document.querySelector('h1').textContent") === "messenger", "the title");
	ok((await b.run("return view.state.picture.lanes.map((l) => l.name).join()")) ===
		"idle,main,worker-1", "a lane for each thread");
	ok(await b.run("const box = (id) => document.getElementById(id).getBoundingClientRect();" +
		"return box('scroll').height + 60 > box('stage').bottom - box('ruler').bottom"), "they have the stage's room");
	ok((await b.run(WINDOW)).join() === "0,3100000", "the whole trace at first");
	ok(await b.run("return document.querySelector('aside').hidden && document.getElementById('dock').hidden"),
		"the panels are closed at first");
}

async function zooming(b) {
	const [x, y] = await b.run(PLACE, 1000000, 0, 0.5);
	const before = await b.run("return view.timeAt(arguments[0])", x);
	await b.wheel(x, y, -240);
	await b.until(SETTLED);
	const [from, to] = await b.run(WINDOW);
	ok(Math.abs(to - from - 1550000) <= 2, "the wheel zooms");
	ok(Math.abs(await b.run("return view.timeAt(arguments[0])", x) - before) < 3000,
		"the time at the pointer stays");
	await b.drag(x, y, x - 100, y);
	await b.until(SETTLED);
	ok((await b.run(WINDOW))[0] > from, "dragging pans");
	ok(await b.run("return view.state.picture.from === view.state.from"), "the picture follows");
	await b.key("f");
	await b.until(SETTLED);
	ok((await b.run(WINDOW)).join() === "0,3100000", "f shows the whole again");
	await b.key("w");
	for (const [key, name] of [["w", "w"], ["s", "s"], ["a", "a"], ["d", "d"], ["+", "+"], ["-", "-"],
				   ["\uE012", "left"], ["\uE014", "right"]]) {
		const was = (await b.run(WINDOW)).join();
		await b.key(key);
		ok((await b.run(WINDOW)).join() !== was, "the key " + name + " moves the window");
	}
	await b.key("f");
	await b.until(SETTLED);
}

async function rubberBand(b) {
	const y = await b.run("const r = document.getElementById('ruler').getBoundingClientRect(); return r.top + 15");
	const [x0] = await b.run(PLACE, 1000000, 0, 0.5), [x1] = await b.run(PLACE, 2000000, 0, 0.5);
	await b.drag(x0, y, x1, y);
	await b.until(SETTLED);
	await b.key("z");
	await b.until(SETTLED);
	const [from, to] = await b.run(WINDOW);
	ok(Math.abs(from - 1e6) < 8000 && Math.abs(to - 2e6) < 8000, "dragging on the ruler selects, and z fills the view with that");
	await b.key("\uE00C");
	await b.run("document.getElementById('fit').click()");
	await b.until(SETTLED);
}

async function switching(b) {
	const box = "document.querySelector('#layers input[data-name=Transit]')";
	const figures = await b.run("return view.state.picture.plot.length");
	await b.run(box + ".click()");
	await b.until(SETTLED);
	ok(await b.run("return view.state.picture.intervals.every((i) => i.name !== 'Transit')"),
		"an interval is switched off in the legend");
	ok(await b.run("return view.state.picture.plot.length") < figures, "and is not drawn");
	await b.run(box + ".click()");
	await b.until(SETTLED);
	ok(await b.run("return view.state.picture.plot.length") === figures, "and on again");
	await b.run("document.querySelector('#threads input[data-name=\"2\"]').click()");
	await b.until(SETTLED);
	ok(await b.run("return view.state.picture.lanes.length") === 2, "a thread is hidden");
	await b.run("document.querySelector('#threads button').click()");
	await b.until(SETTLED);
	ok(await b.run("return view.state.picture.lanes.length") === 3, "all threads are back");
}

const LANES = "return view.state.picture.lanes.map((l) => l.name).join()";

async function ordering(b) {
	ok(await b.run(LANES) === "idle,main,worker-1", "lanes are in the order of names");
	await b.key("o");
	await b.until(SETTLED);
	ok(await b.run(LANES) === "main,worker-1,idle", "o sorts them, as logged");
	await b.key("o");
	await b.key("o");
	await b.key("o");
	await b.until(SETTLED);
	ok(await b.run(LANES) === "main,worker-1,idle", "and by activity");
	await b.run("lanes.sort('logged')");
	await b.until(SETTLED);
	const height = "return view.state.picture.lanes[1].height";
	const before = await b.run(height);
	await b.key("j");
	await b.key("j");
	await b.key("c");
	await b.until(SETTLED);
	ok(await b.run(height) < before / 2 && await b.run("return view.state.picture.lanes[1].collapsed"),
		"c collapses the lane that j led to");
	await b.key("c");
	await b.until(SETTLED);
	ok(await b.run(height) === before, "and expands it");
	await b.key("x");
	await b.until(SETTLED);
	ok(await b.run("return view.state.picture.lanes[1].grown"), "x lets it grow");
	await b.key("x");
	await b.until(SETTLED);
	ok(await b.run(height) === before, "or not");
	await b.key("h");
	await b.until(SETTLED);
	ok(await b.run(LANES) === "main,idle", "h hides it");
	await b.key("H");
	await b.until(SETTLED);
	ok(await b.run(LANES) === "main,worker-1,idle", "H shows all again");
	const [x, y] = await b.run(PLACE, 0, 1, 0.5);
	await b.hover(x - 60, y);
	await b.until("!document.getElementById('lane').hidden");
	await b.run("document.querySelector('#lane button[title^=hide]').click()");
	await b.until(SETTLED);
	ok(await b.run(LANES) === "main,idle", "a button beside a lane's name hides it");
	await b.key("H");
	await b.until(SETTLED);
}

async function asking(b) {
	/* the middle of the line from main's first message to worker-1 */
	const [x0, y0] = await b.run(PLACE, 500000, 0, 0.5);
	const [x1, y1] = await b.run(PLACE, 1500000, 1, 0.5);
	const found = await b.run(`
		const box = document.getElementById("plot").getBoundingClientRect(), done = [];
		return [box.left, box.top, document.getElementById("scroll").scrollTop];`);
	await b.hover((x0 + x1) / 2, (y0 + y1) / 2);
	const at = await b.run(`
		const request = new XMLHttpRequest(), values = { ...view.state.asked };
		for (let y = arguments[1]; y < arguments[2]; y += 2) {
			request.open("GET", server.address("at", { ...values, x: arguments[0], y }), false);
			request.send();
			const answer = JSON.parse(request.responseText);
			if (answer.instance && answer.instance.interval === "Transit")
				return y;
		}`, (x0 + x1) / 2 - found[0], y0 - found[1], y1 - found[1]);
	ok(at > 0, "a line is found where it is drawn");
	const x = (x0 + x1) / 2, y = at + found[1] + 1;
	await b.hover(x + 200, y);
	await b.hover(x, y);
	await b.until("!document.getElementById('hover').hidden");
	ok(/Transit/.test(await b.run("return document.getElementById('hover').textContent")), "hovering names it");
	await b.click(x, y);
	await b.until("view.state.pinned");
	const text = await b.run("return document.getElementById('details').innerText");
	ok(/Transit/.test(text) && /1\.00 ms/.test(text) && /\bmain\n/.test(text) && /\bworker-1\n/.test(text),
		"clicking pins it, with its duration and both ends");
	await b.key("]");
	await b.until("view.state.pinned.instance.index > 0");
	ok(await b.run("return view.state.pinned.instance.matched"), "] leads to the next instance");
	await b.key("l");
	await b.until("view.state.pinned.instance.end - view.state.pinned.instance.start >= 1000000");
	ok(true, "l leads to the longest");
	await b.key("u");
	await b.until("!view.state.pinned.instance.matched");
	ok(true, "u leads to an unmatched one");
	await b.key("\uE00C");
	ok(await b.run("return view.state.pinned === null && document.getElementById('details').hidden"), "escape lets go");
	await b.run("details.whole({ event: { event: 'Sendmsg' }, index: 0 }).then(details.pin)");
	await b.until("view.state.pinned");
	ok(await b.run("return [...document.querySelectorAll('#details button')].map((e) => e.textContent).join()") ===
		"previous,next,to Write,from Transit,to Back", "an event leads to the instances that it is an end of");
	await b.key("]");
	await b.until("view.state.pinned.index === 1");
	ok(await b.run("return view.state.pinned.event.time") === 900000, "] leads to the next event of its type");
	await b.run("document.querySelector('#details [data-step=\"from Transit\"]').click()");
	await b.until("view.state.pinned.instance");
	ok(await b.run("return view.state.pinned.instance.interval") === "Transit", "and a click to an instance");
	await b.key("\uE00C");
}

const ROW = "document.querySelector('#statistics tr[data-name=Write]')";

async function durations(b) {
	await b.key("i");
	await b.until(ROW);
	await b.run(ROW + ".click()");
	await b.until(ROW + ".className === 'chosen'");
	const text = await b.run("return [..." + ROW + ".cells].map((c) => c.textContent.trim()).join()");
	ok(text === "writes,3,0,1.30 ms,433 us,500 us,700 us,700 us", "the statistics of an interval in the window: " + text);
	await b.run("document.querySelectorAll('#statistics th')[4].click()");
	const means = await b.run("return [...document.querySelectorAll('#statistics tr td:nth-child(5)')].map((c) => c.textContent)");
	ok(means.join() === "1.05 ms,433 us", "they sort by each head: " + means);
	await b.until("document.querySelectorAll('.bins span').length > 20");
	const counts = await b.run("return [...document.querySelectorAll('.bins span')].map((c) => parseInt(c.title))");
	ok(counts.reduce((a, c) => a + c) === 3, "the histogram counts them all");
}

/* The middle of a bin of the histogram. */
const BIN = `
	const box = document.querySelectorAll(".bins span")[arguments[0]].getBoundingClientRect();
	return [box.left + box.width / 2, box.top + box.height / 2];`;

async function picking(b) {
	const n = await b.run("return document.querySelectorAll('.bins span').length");
	const [x0, y] = await b.run(BIN, Math.floor(n / 2)), [x1] = await b.run(BIN, n - 1);
	await b.drag(x0, y, x1, y);
	await b.until(SETTLED);
	await b.until("/2 of 3 take/.test(document.querySelector('.said').textContent)");
	ok(true, "dragging in the histogram picks: " + await b.run("return document.querySelector('.said').textContent"));
	ok(await b.run("return view.state.picture.picked.length > 0"), "what is picked is drawn apart");
	await b.run("document.querySelector('.bins').focus()");
	await b.key("\uE011");
	await b.until("/1 of 3 take/.test(document.querySelector('.said').textContent)");
	ok(await b.run("return view.state.pick.least") === 100000, "keys pick, too: the shortest");
	await b.key("\uE00C");
	await b.until(SETTLED);
	ok(await b.run("return view.state.pick === null && !view.state.picture.picked"), "escape clears it");
	await b.key("i");
	await b.until(SETTLED);
	ok(await b.run("return document.getElementById('statistics').hidden"), "i closes the statistics");
}

async function finding(b) {
	await b.run("document.querySelector('#finder input').value = 'Transit where time > 500 us'; finder.search()");
	await b.until("document.querySelectorAll('#finder li').length === 2");
	ok(/2 instances/.test(await b.run("return document.querySelector('#finder pre').textContent")), "a search lists its hits");
	await b.key("n");
	await b.until("view.state.pinned && view.state.pinned.instance.index === 0");
	await b.key("n");
	await b.until("view.state.pinned.instance.index === 1");
	ok(true, "n steps through them");
	await b.key("\uE00C");
}

async function defining(b) {
	await b.key("e");
	ok(await b.run("return !document.getElementById('editor').hidden"), "e opens the editor");
	const write = `const t = document.querySelector("#editor textarea");
		t.value = t.value.replace(arguments[0], arguments[1]);
		document.getElementById("apply").click();`;
	await b.run(write, "interval Back", "interval Pause [ r:Recvmsg -> p:Preparemsg ] = rectangel;\ninterval Back");
	await b.until("document.querySelector('#editor pre').textContent");
	ok(/definitions:\d+:\d+: error:/.test(await b.run("return document.querySelector('#editor pre').textContent")),
		"an error is shown below the text, as the compiler tells it");
	ok(/rectangel/.test(await b.run("const t = document.querySelector('#editor textarea'); return t.value.slice(t.selectionStart, t.selectionEnd)")),
		"and its line is chosen");
	await b.run(write, "rectangel", "rectangle");
	await b.until("view.idle() && view.state.picture.intervals.some((i) => i.name === 'Pause')");
	ok(await b.run("return view.state.picture.intervals.find((i) => i.name === 'Pause').count") === 1,
		"a new interval is matched and drawn in the same view");
	await b.run("document.getElementById('close-editor').click()");
	await b.until(SETTLED);
}

async function asserting(b) {
	await b.run(`
		const text = document.querySelector("#editor textarea");
		text.value = text.value.replace("interval Back", "assert Write: time < 400 us;\\nassert count(Write) == 3;\\ninterval Back");
		document.getElementById("apply").click();`);
	await b.until("document.querySelector('#assertions li.broken')");
	const verdicts = await b.run("return [...document.querySelectorAll('#assertions .count')].map((e) => e.textContent).join()");
	ok(verdicts === "2 of 3,holds", "assertions are listed with their verdicts: " + verdicts);
	await b.run("document.querySelector('#assertions li.broken').click()");
	await b.until("document.querySelectorAll('#finder li').length === 2");
	await b.key("n");
	await b.until("view.state.pinned");
	ok(await b.run("return view.state.pinned.instance.end - view.state.pinned.instance.start") === 700000,
		"a click lists the violations, and n leads to the worst");
	ok(/violates\s*Write: time < 400 us/.test(await b.run("return document.getElementById('details').innerText")),
		"which says what it breaks");
	const [x, y] = await b.run(`
		const i = view.state.pinned.instance, box = document.getElementById("plot").getBoundingClientRect();
		const lane = view.state.picture.lanes.find((l) => l.threads[0][0] === i.anchor.thread);
		for (let y = lane.top; y < lane.top + lane.height; y++) {
			const request = new XMLHttpRequest();
			request.open("GET", server.address("at", { ...view.state.asked, x: view.xOf(i.start), y }), false);
			request.send();
			if (JSON.parse(request.responseText).instance)
				return [box.left + view.xOf(i.start), box.top + y + 1];
		}`);
	await b.key("\uE00C");
	await b.click(x, y);
	await b.until("view.state.pinned");
	ok(await b.run("return view.state.pinned.instance.violates.length") === 1, "its sign stands above it");
	await b.key("\uE00C");
}

async function measuring(b) {
	/* the panel that closed gives its width back */
	await b.until(SETTLED);
	const [x0, y] = await b.run(PLACE, 1000000, 2, 0.5), [x1] = await b.run(PLACE, 2000000, 2, 0.5);
	await b.hover(x0, y);
	await b.key("m");
	await b.hover(x1, y);
	await b.key("m");
	const text = await b.run("return document.getElementById('measure').textContent");
	ok(/time between the marks: (1\.0\d ms|99\d us)/.test(text), "two marks measure the time between them");
	await b.key("?");
	ok(await b.run("return document.getElementById('keys').open"), "? shows the keys");
	await b.run("document.getElementById('keys').close()");
	await b.key("t");
	await b.until(SETTLED);
	ok(await b.run("return view.state.picture.theme.name !== 'light' || document.documentElement.dataset.theme === 'light'"),
		"the theme changes with the picture");
}

/* The original's buttons; each does what it says. */
/*
 * Transit is not found yet, as when a large trace was just opened, until found is true; overviews of
 * that time come when held is.
 */
const UNFOUND = `
	const ask = server.ask;
	window.found = false, window.held = Promise.resolve(), window.overviews = 0;
	server.ask = async (path, values) => {
		const early = !found, wait = held;
		if (!early || !["view", "overview"].includes(path))
			return ask(path, values);
		const names = values.intervals.split(",").filter((n) => path === "view" || n !== "Transit");
		const answer = await ask(path, { ...values, intervals: names.join() });
		if (path === "view")
			answer.intervals.find((i) => i.name === "Transit").waiting = true;
		else
			overviews++, await wait;
		return answer;
	};`;

async function overview(b) {
	const whole = await b.run("return JSON.stringify(minimap.picture())");
	const shown = "JSON.stringify(minimap.picture()) === " + JSON.stringify(whole);
	await b.run(UNFOUND + "view.refresh()");
	await b.until("!(" + shown + ")");
	const [text, title] = await b.run("const e = document.getElementById('progress'); return [e.textContent, e.title]");
	ok(/^matching \d of \d, \d+ %$/.test(text) && /Transit/i.test(title), "the page says how far matching is, and what is missing: " + text);
	await b.run("found = true");
	ok(await b.until(shown), "the overview shows what was found after the page was opened");
	await b.run("found = false; held = new Promise((r) => release = r); view.refresh()");
	await b.until("overviews === 2");
	await b.run("found = true");
	await b.until(SETTLED + " && progress.idle()");
	await b.run("release(); return new Promise((r) => setTimeout(r, 50))");
	ok(await b.run("return " + shown), "and not again what comes too late");
}

async function buttons(b) {
	const press = async (id) => {
		await b.run("document.getElementById(arguments[0]).click()", id);
		await b.until(SETTLED);
		return b.run(WINDOW);
	};
	await press("fit");
	const [from, to] = await press("in");
	ok(to - from === 1550000, "+ zooms in");
	ok((await press("forward"))[0] > from, "pan forward");
	ok((await press("back"))[0] === from, "pan backward");
	ok((await press("out")).join() === "0,3100000", "\u2212 zooms out");
	const painted = await b.run("return view.state.timing.painted");
	await press("refresh");
	ok(await b.run("return view.state.timing.painted") > painted, "Refresh draws again");
	for (const what of ["layers", "threads", "search"]) {
		await press("show-" + what);
		ok(await b.run("const e = document.getElementById(arguments[0]); return !e.hidden && e.offsetHeight > 30", what),
			what + " opens that tab of the side panel");
	}
	await press("show-search");
	ok(await b.run("return document.querySelector('aside').hidden"), "and the same button closes it");
	await press("show-editor");
	ok(await b.run("return !document.getElementById('editor').hidden"), "Configure opens the definitions");
	await press("show-editor");
}

/* What another page of the same program does. */
async function elsewhere(b) {
	const text = await b.run("return document.querySelector('#editor textarea').value");
	const define = async (body) => {
		const wrong = await b.run(`
			return fetch("definitions", { method: "POST", body: arguments[0] })
				.then((answer) => answer.ok ? "" : answer.text());`, body);
		if (wrong)
			throw new Error(wrong);
	};
	const NAMES = "document.getElementById('state').textContent === '' && " +
		"view.state.picture.intervals.map((i) => i.name).join()";
	const has = (name) => SETTLED + " && " + NAMES + ".includes('" + name + "')";
	await define(text.replace(/\bWrite\b/g, "Written"));
	await b.run("view.refresh()");
	await b.until(has("Written"), 3);
	ok(true, "definitions changed in another page hold in this one when it asks for what they lack");
	ok(/interval Written/.test(await b.run("return document.querySelector('#editor textarea').value")), "the editor has them");
	ok(await b.run("return !!document.querySelector('#layers input[data-name=Written]') && " +
		"!document.querySelector('#layers input[data-name=Write]')"), "and the layers");
	await b.run("document.querySelector('#editor textarea').value += '// mine\\n'");
	await define(text);
	await b.until("window.look_now");
	await b.run("look_now()");
	await b.until(has("Write,"));
	ok(true, "and after a while when it asks for nothing");
	ok(/interval Written[^]*mine/.test(await b.run("return document.querySelector('#editor textarea').value")),
		"what was being written stays");
}

/* Before the page knows what there is, its room changes and keys are pressed. */
async function early(b) {
	await b.uncaught();
	/* the page looks at the server's state when it is let */
	const over = await b.before(`
		const later = window.setTimeout;
		window.setTimeout = (what, ms, ...rest) => ms === 5000 ? (window.look_now = what, 0) : later.call(window, what, ms, ...rest);
		const ask = window.fetch, told = new Promise((go) => { window.start_now = go; });
		window.fetch = async (url, options) => {
			if (url === "start")
				await told;
			return ask(url, options);
		};`);
	await b.reload();
	await b.key("w");
	await b.key("j");
	await b.run("document.getElementById('in').click(); document.getElementById('show-layers').click()");
	ok(await b.run("return !view.state.picture"), "keys and buttons before there is a picture");
	await b.run("start_now()");
	await b.until(SETTLED);
	ok((await b.run(WINDOW)).join() === "0,3100000", "leave the whole trace");
	await over();
}

/* Two processes with the same three threads. */
async function grouping(b) {
	await b.until(SETTLED);
	ok((await b.run(LANES)).replace(/  [^,]*, pid 7, 3 threads/g, "") ===
		"messages,idle (2),main (0),worker-1 (1),again,idle (5),main (3),worker-1 (4)", "several processes have headings");
	const events = await b.run("return view.state.picture.lanes[2].events + view.state.picture.lanes[3].events");
	const [x, y] = await b.run(PLACE, 0, 0, 0.5);
	await b.click(x - 40, y);
	await b.until(SETTLED);
	ok((await b.run(LANES)).startsWith("messages,again  "), "a click on a heading collapses its lanes into one");
	ok(await b.run("return view.state.picture.lanes[0].events") === events, "which has the events of all of them");
	await b.key("g");
	await b.until(SETTLED);
	ok((await b.run(LANES)).startsWith("no known creator, 6 threads,messages: idle (2),"), "g groups by creator");
	await b.key("g");
	await b.until(SETTLED);
	ok((await b.run(LANES)).startsWith("idle  2 threads,messages: idle (2),again: idle (5),"), "then by name");
	await b.key("C");
	await b.until(SETTLED);
	ok(await b.run(LANES) === "idle, 2,main, 2,worker-*, 2", "C folds all groups");
	await b.key("C");
	await b.until(SETTLED);
	await b.key("g");
	await b.until(SETTLED);
	ok(await b.run(LANES) === "messages: idle (2),messages: main (0),messages: worker-1 (1),again: idle (5),again: main (3)," +
		"again: worker-1 (4)",
		"g takes the groups apart");
	await b.key("g");
	await b.until(SETTLED);
	await b.click(x - 40, y);
	await b.until(SETTLED);
	ok(await b.run("return view.state.picture.lanes.length") === 8, "and expanded it is as before");
	await b.run("document.querySelector('#threads li.process input').click()");
	await b.until(SETTLED);
	ok((await b.run(LANES)).startsWith("again  "), "a process is hidden in the list of threads");
}

(async () => {
	const [gorge, messages, again] = process.argv.slice(2);
	await visit([gorge, messages], [opening, zooming, rubberBand, switching, ordering, asking, durations, picking,
		finding, defining, asserting, measuring, buttons, overview,
		early, elsewhere]);
	await visit([gorge, messages, again], [grouping]);
	end();
})();
