/*
 * Documents of gorge, opened from their files in a browser: they answer what the server answers, to
 * questions by lot, and can be used as its page. html.js GORGE MESSAGES TRACE...: the first trace is
 * that of messages.recipe. SEED=N repeats a run. Prints TAP.
 */
"use strict";
const { execFileSync, spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { browse } = require("../../webdriver.js");
const { ok, SETTLED, serve, end } = require("../../browsing.js");
const { enter, get } = require("../../entrance.js");

const [gorge, messages, ...traces] = process.argv.slice(2);
const QUESTIONS = 40;

let seed = Number(process.env.SEED || Date.now() % 1000000);
console.log("# SEED=" + seed);

function below(n) {
	seed = (seed * 1103515245 + 12345) % 2147483648;
	return Math.floor(seed / 65536) % n;
}

function urlOf(file) {
	return "file://" + path.resolve(file);
}

/* Leaves one document for another; the browser is the same. */
async function open(b, file) {
	await b.run("location = arguments[0]", urlOf(file));
	await b.until("location.href === '" + urlOf(file) + "' && " + SETTLED);
}

function someOf(names) {
	return names.filter(() => below(4)).join(",") || "none";
}

/* A window of any size, also one that is partly or wholly outside of the trace. */
function windowOf(duration) {
	const length = Math.max(10, Math.round(duration * Math.pow(2, 1 - below(12)) * (1 + below(100) / 100)));
	const from = Math.round((below(1200) / 1000 - 0.1) * duration);
	return { from, to: from + length };
}

function viewOf(start) {
	return { ...windowOf(Math.max(start.duration, 100)), theme: below(2) ? "light" : "dark",
		 width: 300 + below(1500), room: below(2) * 400,
		 events: someOf(start.events.map((e) => e.name)),
		 intervals: someOf(start.intervals.map((i) => i.name)),
		 threads: below(3) ? undefined : someOf(start.threads.map((t) => t.number)) };
}

function question(start) {
	const values = viewOf(start);
	const interval = start.intervals.length && start.intervals[below(start.intervals.length)].name;
	const steps = ["next", "previous", "longest", "unmatched", "itself"];
	const at = { ...values, x: below(values.width), y: below(400) };
	const expressions = start.events.slice(0, 3).map((e) => "count(" + e.name + ")").join("\n") +
		(interval ? "\nopen(" + interval + ")\np99(" + interval + ".time)" : "");
	const kinds = [["tracks", { ...values, expressions }], ["view", values], ["at", at], ["at", { ...at, y: below(60) }], ["overview", values]];
	if (interval)
		kinds.push(["durations", { ...values, interval }], ["statistics", values],
			["step", { interval, index: below(5), to: steps[below(5)] }],
			["find", { question: interval + " where time > " + below(2000) + " us" }],
			["find", { question: interval + " unmatched" }],
			["find", { question: interval + " where nothing" }]);
	return kinds[below(kinds.length)];
}

/* What the server says: the text of its answer, whether it is an error or not. */
async function said(url, [where, values]) {
	const query = new URLSearchParams(Object.entries(values).filter(([, v]) => v !== undefined));
	const response = await get(url + where + "?" + query);
	const text = await response.text();
	return response.ok ? JSON.parse(text) : text.trim();
}

/* As text, for the driver puts members into another order. */
const ASK = `return Promise.all(arguments[0].map(([path, values], place) =>
	server.ask(path, { ...values, place }).catch((e) => e.message).then(JSON.stringify)))`;

function agree(mine, theirs, asked, name) {
	const bad = theirs.findIndex((t, i) => JSON.stringify(t) !== mine[i]);
	ok(bad < 0, name);
	if (bad >= 0)
		console.log("# " + JSON.stringify(asked[bad]) + "\n# the server:   " +
			JSON.stringify(theirs[bad]).slice(0, 2000) + "\n# the document: " +
			mine[bad].slice(0, 2000));
}

async function compare(b, trace) {
	const serving = serve([gorge, trace]);
	execFileSync(gorge, [trace, "-o", trace + ".html"]);
	const { program, url: invitation } = await serving;
	try {
		const opening = open(b, trace + ".html");
		const url = await enter(invitation), start = await said(url, ["start", {}]);
		const asked = [["start", {}], ["assertions", {}]];
		for (let i = 0; i < QUESTIONS; i++)
			asked.push(question(start));
		const theirs = [];
		for (const a of asked)
			theirs.push(await said(url, a));
		await opening;
		agree(await b.run(ASK, asked), theirs, asked, trace + ": the document answers as the server does");
	} finally {
		program.kill();
	}
}

const WINDOW = "return [view.state.from, view.state.to]";

const PLACE = `
	const box = document.getElementById("plot").getBoundingClientRect();
	const lane = view.state.picture.lanes[arguments[1]];
	return [box.left + view.xOf(arguments[0]), box.top + lane.top + lane.height * arguments[2]];`;

async function looking(b) {
	await open(b, messages + ".html");
	ok((await b.run(WINDOW)).join() === "0,3100000", "a document shows the whole trace");
	const [x, y] = await b.run(PLACE, 1000000, 0, 0.5);
	await b.wheel(x, y, -240);
	await b.until(SETTLED);
	const [from, to] = await b.run(WINDOW);
	ok(Math.abs(to - from - 1550000) <= 2, "the wheel zooms in it");
	await b.drag(x, y, x - 100, y);
	await b.until(SETTLED);
	ok((await b.run(WINDOW))[0] > from, "dragging pans in it");
	ok(await b.run("return view.state.picture.from === view.state.from"), "and the picture follows");
	await b.key("f");
	await b.until(SETTLED);
}

async function switching(b) {
	const box = "document.querySelector('#layers input[data-name=Transit]')";
	const shown = "return view.state.picture.intervals.some((i) => i.name === 'Transit')";
	await b.run(box + ".click()");
	await b.until(SETTLED);
	ok(!await b.run(shown), "an interval is switched off");
	await b.run(box + ".click()");
	await b.until(SETTLED);
	ok(await b.run(shown), "and on again");
}

async function pinning(b) {
	const both = await b.run("return Promise.all(['Transit', 'Transit unmatched'].map((question) => " +
		"server.ask('find', { question }).then((f) => f.interval, (e) => 'no: ' + e.message)))");
	ok(both.join() === "no: ,Transit", "a newer question takes the place of the one before");
	const at = "return server.ask('step', {interval: 'Transit', index: 0, to: 'itself'}).then(details.pin)";
	await b.run(at);
	ok(/worker-1/.test(await b.run("return document.getElementById('details').textContent")),
		"an instance is pinned");
	await b.run("document.querySelector('[data-step=next]').click()");
	await b.until("view.state.pinned.instance.index !== 0 || view.idle()");
	/* the panel that opened takes some of the width */
	await b.until(SETTLED);
	const [x, y] = await b.run(PLACE, 250000, 1, 0.7);
	await b.click(x, y);
	await b.until("/Preparemsg|Sendmsg|Write/.test(document.getElementById('details').textContent)");
	ok(true, "a click pins what is there");
}

async function defining(b) {
	await b.run(`editor.toggle();
		document.querySelector("#editor textarea").value =
			"glimpse messages event Sendmsg(src, seq) = plus; event Recvmsg(src, seq) = box; " +
			"interval Mine [ s:Sendmsg -> r:Recvmsg ] Match; end";
		return editor.apply();`);
	await b.until(SETTLED);
	ok((await b.run("return view.state.picture.intervals.map((i) => i.name).join()")) === "Mine",
		"definitions are matched in a document");
	await b.run("document.querySelector('#editor textarea').value = 'glimpse x event'; return editor.apply()");
	const said = await b.run("return document.querySelector('#editor pre').textContent");
	ok(/error/.test(said), "wrong ones are refused with the compiler's words");
}

async function documents(b) {
	const text = await b.run(`return server.ask("picture.svg", view.state.asked)
		.then((d) => documents.svg(d).text())`);
	ok(/^<\?xml [^]*<svg [^]*<path [^]*<text [^]*<\/svg>/.test(text), "a view is saved as svg");
	const size = await b.run(`return server.ask("picture.png", view.state.asked).then(documents.png)
		.then((blob) => blob.size)`);
	ok(size > 1000, "and as png");
	ok(await b.run("return document.getElementById('save-pdf').hidden"), "but not as pdf");
	ok(await b.run("return performance.getEntriesByType('resource').length === 0"), "nothing was fetched");
}

/* A document of a part has of the part what the server has. */
async function part(b, trace, from, to) {
	const window = ["--from", from + "ns", "--to", to + "ns"];
	execFileSync(gorge, [trace, "-o", "part.html", ...window]);
	const { program, url: invitation } = await serve([gorge, trace]);
	const asked = ["view", { from, to, width: 900, events: "all", intervals: "all", theme: "light" }];
	const counts = (p) => JSON.stringify([p.events, p.intervals].map((l) =>
		l.map((i) => [i.name, i.count, i.unmatched, i.shortest, i.longest, i.total])));
	try {
		await open(b, "part.html");
		ok((await b.run(WINDOW)).join() === from + "," + to, "a part begins with its window");
		ok(/shows part of the trace: [0-9,]+ events from 2 ms to 9 ms/.test(await b.run(
			"return document.body.innerText")), "and says that it is one");
		ok(await b.run("return server.ask('assertions').then((a) => a.assertions.length === 0)"),
			"and judges no assertions");
		const [mine] = await b.run(ASK, [asked]), theirs = await said(await enter(invitation), asked);
		ok(counts(JSON.parse(mine)) === counts(theirs), "and counts what the server counts there");
	} finally {
		program.kill();
	}
}

/* More events than a browser opens well; a part of them is a document. */
async function limited() {
	const { status, stderr } = spawnSync(gorge, ["many", "-o", "many.html"], { encoding: "utf8" });
	ok(status === 2 && /1,000,001 events.*--from, --to or --threads/.test(stderr) &&
		!fs.existsSync("many.html"), "too many events are refused, with a remedy");
	execFileSync(gorge, ["many", "-o", "many.html", "--to", "100us"]);
	ok(fs.existsSync("many.html"), "a part of them is not");
}

async function run() {
	execFileSync(gorge, [messages, "-o", messages + ".html"]);
	const b = await browse(urlOf(messages + ".html"));
	const parts = [...[messages, ...traces].map((t) => () => compare(b, t)),
		...[looking, switching, pinning, documents, defining].map((p) => () => p(b)),
		() => part(b, "bundles", 2000000, 9000000), limited];
	for (const each of parts)
		await each().catch((e) => ok(false, e.message));
	await b.close();
	end();
}

run();
