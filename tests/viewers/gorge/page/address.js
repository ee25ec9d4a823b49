/*
 * The view in the address of gorge's page, on the trace of messages.recipe: whatever differs from the first view is in it, a
 * reload restores that, Back and Forward go through the steps, and nothing that the address can have is an error.
 * address.js GORGE DIRECTORY; prints TAP.
 */
"use strict";
const fs = require("fs");
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const HASH = "return decodeURIComponent(location.hash)";
const STATE = `
	const s = view.state, sorted = (set) => [...set].sort().join();
	return JSON.stringify({ window: [s.from, s.to], theme: s.theme, off: Object.values(s.off).map(sorted), sort: s.lanes.sort,
		group: s.lanes.group, collapsed: sorted(s.lanes.collapsed), marks: s.marks, pick: s.pick, tracks: tracks.list() || "",
		selected: selection.state().range, panel: panel.current(), order: order.name() || "time",
		pinned: s.pinned && (s.pinned.event ? s.pinned.event.event + s.pinned.index : s.pinned.instance.interval + s.pinned.instance.index),
		below: [...document.querySelectorAll("#dock > section")].filter((e) => !e.hidden).map((e) => e.id).join() });`;
const SAID = "return document.querySelector('footer > .wrong:not(#state)').textContent";
const BACK = "history.back()", FORWARD = "history.forward()";

/* The address has what was changed, and nothing moves any more. */
const KEPT = SETTLED + " && address.text() === location.hash.slice(1) && address.idle()";

async function same(b, wanted, name) {
	await b.until(SETTLED + " && address.idle()");
	const seen = await b.run(STATE);
	ok(seen === wanted, name);
	if (seen !== wanted)
		console.log("# " + seen + "\n# instead of\n# " + wanted + "\n# of " + await b.run(HASH));
}

const pin = (what) => "return server.ask('step', " + what + ").then((found) => details.pin(found, true))";

/* Each: what changes, and what the address has then. */
const CHANGES = [
	["view.setWindow(120000, 2500500)", "from=120us&to=2.5005ms"],
	["document.querySelector('#theme').click()", "theme=dark"],
	["view.toggle('intervals', 'Transit')", "intervals=-Transit"],
	["view.toggle('events', 'Sendmsg')", "events=-Sendmsg"],
	["view.state.off.threads.add(1).add(2); view.refresh()", "threads=-1-2"],
	["lanes.sort('activity')", "sort=activity"],
	["lanes.group('none')", "group=none"],
	["view.state.lanes.collapsed.add('1').add('+0'); view.refresh()", "collapsed=+0,1"],
	["return tracks.add('open(Transit)').then(() => tracks.add('rate(Sendmsg) per thread'))",
		"track=open(Transit)&track=rate(Sendmsg) per thread"],
	["selection.set(1000000, 2000001)", "select=1ms,2.000001ms"],
	["view.state.marks.push(500000, 700000); view.paintSoon()", "mark=500us,700us"],
	[pin("{ interval: 'Transit', index: 1, to: 'itself' }"), "pin=Transit:2"],
	[pin("{ event: 'Recvmsg', index: 0, to: 'itself' }"), "pin=event:Recvmsg:1"],
	["panel.show('layers')", "panel=layers"],
	["statistics.toggle(); flame.toggle()", "below=statistics,flame"],
	["statistics.toggle(); durations.choose('Write'); view.state.pick = { interval: 'Write', least: 100, most: 600000 }; view.refresh()",
		"below=statistics&pick=Write,100ns,600us"],
	["return order.toggle()", "order=logical"],
];

async function change(b, script) {
	await b.run(script);
	await b.until(KEPT);
}

/* After each change: what the address says, a reload, Back, and the link in a page that has just been opened. */
async function restores(b) {
	await b.until(KEPT);
	ok(await b.run(HASH) === "", "the view that the trace opens with is not in the address");
	const first = await b.run(STATE), base = await b.run("return location.href");
	for (const [script, text] of CHANGES) {
		await change(b, script);
		const hash = await b.run(HASH), now = await b.run(STATE);
		ok(hash === "#" + text, text + " is in the address" + (hash === "#" + text ? "" : ", not " + hash));
		await b.reload();
		await same(b, now, "and a reload restores it");
		const link = await b.run("return location.href");
		await b.run(BACK);
		await same(b, first, "Back undoes it");
		await b.visit("about:blank");
		await b.visit(link);
		await same(b, now, "and a link opens the same view");
		await b.visit("about:blank");
		await b.visit(base);
		await same(b, first, "without it the first view opens");
	}
}

async function steps(b) {
	const seen = [await b.run(STATE)];
	for (const [script] of [CHANGES[0], CHANGES[1], CHANGES[2]]) {
		await change(b, script);
		seen.push(await b.run(STATE));
	}
	for (const i of [2, 1, 0]) {
		await b.run(BACK);
		await same(b, seen[i], "Back undoes change " + (i + 1));
	}
	for (const i of [1, 2, 3]) {
		await b.run(FORWARD);
		await same(b, seen[i], "Forward does change " + i + " again");
	}
	const undo = (more) => "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true" + more + " }))";
	await b.run("document.body." + undo("").slice("document.".length));
	await same(b, seen[2], "ctrl + z is Back");
	await b.run("document.body." + undo(", shiftKey: true").slice("document.".length));
	await same(b, seen[3], "ctrl + shift + z is Forward");
	for (let i = 2; i >= -1; i--) {
		await b.run("document.body." + undo("").slice("document.".length));
		await same(b, seen[Math.max(i, 0)], i < 0 ? "and never leaves the page" : "ctrl + z undoes change " + (i + 1));
	}
}

/* However many windows a gesture goes through, it is one step. */
async function gestures(b) {
	const before = await b.run("return history.length"), state = await b.run(STATE);
	await b.run("let d = 0; for (const by of [1, 2, 3, 4, 5]) view.zoom(0.8)");
	await b.wheel(700, 300, -60);
	await b.wheel(700, 300, -60);
	await b.until(KEPT);
	const zoomed = await b.run(STATE);
	await b.drag(700, 300, 500, 300);
	await b.until(KEPT);
	ok(zoomed !== state && await b.run("return history.length") <= before + 2, "wheels in a row and a drag are two steps");
	await b.run(BACK);
	await same(b, zoomed, "Back undoes the drag");
	await b.run(BACK);
	await same(b, state, "and then the wheels");
}

const DAMAGED = [
	["from=12x&to=2ms", "from: '12x' is not a time"],
	["from=20", "from: '20' is not a time"],
	["from=90s", "'90s' is after the end of the trace"],
	["from=2ms&to=1ms", "to: '1ms' is not after the beginning"],
	["nonsense=1", "'nonsense=1' is unknown"], ["%E0%A4%A", "is unknown"], ["title=%E0%A4%A", "is damaged"],
	["theme=pink", "'pink' is unknown; write light or dark"], ["sort=colour", "'colour' is unknown"],
	["intervals=-Nobody", "'Nobody' is unknown in this trace"], ["threads=-9-12", "'9-12' is not a thread's number"],
	["threads=-0-99999999999", "is not a thread's number"], ["pin=Transit:99", "pin: Unknown instance"],
	["pin=Transit", "'Transit' is not a pinned item"], ["pin=toString:1", "is unknown in this trace"],
	["select=2ms,1ms", "a selection is two times"], ["mark=1ms,2ms,3ms", "two marks at most"],
	["pick=Write,2ms,1ms", "the shorter first"], ["panel=__proto__", "'__proto__' is unknown"], ["below=lawn", "'lawn' is unknown"],
	["lanes=stars", "'stars' is unknown in this trace"], ["order=up", "'up' is unknown"],
];

async function damage(b) {
	const first = await b.run(STATE);
	for (const [text, said] of DAMAGED) {
		await b.run("location.hash = '#" + text + "'");
		await b.until(SETTLED + " && address.idle()");
		const seen = await b.run(SAID);
		ok(seen.startsWith("ignored in the address: ") && seen.includes(said), text + " is ignored, with a message" +
			(seen.includes(said) ? "" : ": " + seen));
	}
	await b.run("location.hash = '#collapsed=,,x&track=nonsense(&theme=dark&from=1ms'");
	await b.until(SETTLED + " && address.idle() && !tracks.state().busy && tracks.state().said");
	ok((await b.run("return view.state.theme + view.state.from")) === "dark1000000" &&
		(await b.run("return tracks.state().said")).includes("nonsense"), "what is right beside what is wrong holds");
	await b.run("location.hash = '#theme=light'");
	await same(b, first, "and the next address has none of it");
	ok(await b.run(SAID) === "", "nor the message");
}

/* The same in a document from a file, which has no address of a server. */
async function inDocument(b) {
	if (!fs.existsSync("messages.html"))
		return;
	await b.visit("file://" + process.cwd() + "/messages.html#from=1ms&theme=dark&intervals=-Back,-Transit&pin=Write:1");
	await b.until(SETTLED + " && address.idle()");
	const s = JSON.parse(await b.run(STATE));
	ok(s.window.join() === "1000000,3100000" && s.theme === "dark" && s.off[1] === "Back,Transit" && s.pinned === "Write0",
		"an html document opens with the view of its address");
	await b.key("w");
	await b.until(KEPT);
	ok(/^#from=1.525ms&to=2.575ms&/.test(await b.run(HASH)), "keeps it there");
	await b.run(BACK);
	await same(b, JSON.stringify(s), "and Back undoes a change");
}

/* A browser keeps fifty steps: what makes more comes last. */
async function main() {
	const [gorge, directory] = process.argv.slice(2);
	await visit([gorge, directory], [steps, gestures, damage, inDocument]);
	await visit([gorge, directory], [restores]);
	await end();
}

main();
