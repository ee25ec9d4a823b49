/*
 * The logical order in gorge's page, on the trace of messages.recipe: the switch, the columns, and steps from an event
 * to those before and after it by keys and buttons. order.js GORGE MESSAGES RUN; prints TAP. RUN is waiter.c, recorded.
 */
"use strict";
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const PINNED = "return [view.state.pinned.event.event, view.state.pinned.event.thread, view.state.pinned.event.time]";

/* Presses a key and waits until another event is pinned. */
async function step(b, key) {
	await b.run("window.was = view.state.pinned");
	await b.key(key);
	await b.until("view.state.pinned !== window.was");
	await b.until(SETTLED);
	return b.run(PINNED);
}

async function page(b) {
	await b.until(SETTLED);
	const window = await b.run("return [view.state.from, view.state.to]");
	await b.key("y");
	await b.until("document.body.classList.contains('logical')");
	await b.until(SETTLED);
	ok(await b.run("return view.state.picture.subtitle.includes('columns in happened-before order')"),
		"y shows columns");
	ok(await b.run("return view.state.duration % 1000 === 0 && view.state.duration < 100000"),
		"there are as many as the longest chain of events has");
	const first = await b.run("return server.ask('step', { event: 'Sendmsg', index: 0, to: 'itself', order: 'logical' })" +
		".then((e) => { details.pin(e); return e; })");
	ok(first.after.some((e) => e.via === "Transit"), "an event knows where it led");
	const [, from, sent] = await b.run(PINNED), [, to, received] = await step(b, ">");
	ok(from !== to && received > sent, "> goes to the event in another thread to which it led");
	const back = await step(b, "<");
	ok(back[1] === from && back[2] === sent, "< goes back");
	const next = await step(b, ".");
	ok(next[1] === from && next[2] > sent, ". goes to the next event of the thread");
	const before = await step(b, ",");
	ok(before[2] === sent, ", goes back");
	ok(await b.run("return document.querySelector('#details').innerText.includes('column')"), "the card names the column");
	await b.run("window.was = view.state.pinned; document.querySelector('[data-side=\"directly after\"] button').click()");
	await b.until("view.state.pinned !== window.was");
	ok((await b.run(PINNED))[2] > sent, "its buttons step, too");
	await b.until(SETTLED);
	await b.key("y");
	await b.until("!document.body.classList.contains('logical')");
	await b.until(SETTLED);
	ok((await b.run("return [view.state.from, view.state.to]")).join() === window.join(), "y goes back to the window of time");
}

const DRAWN = "return layers.entries().filter((e) => !view.state.off[e.what].has(e.name)).map((e) => e.layer + ' ' + e.name)";

/* What is drawn of a recorded program. */
async function recorded(b) {
	await b.until(SETTLED);
	const before = await b.run(DRAWN);
	await b.key("y");
	await b.until("document.body.classList.contains('logical')");
	await b.until(SETTLED);
	const drawn = await b.run(DRAWN);
	ok(before.some((e) => /^states/.test(e)) && !drawn.some((e) => /^states/.test(e)) && drawn.some((e) => /^wake-ups/.test(e)),
		"of a recorded program the columns show no states, but wake-ups: " + drawn.join("; "));
	ok(await b.run("return view.state.picture.intervals.some((i) => i.layer === 'wake-ups' && i.count > 0)"), "there are some");
	if (process.env.PICTURES)
		await b.picture(process.env.PICTURES + "/logical.png");
	await b.key("y");
	await b.until("!document.body.classList.contains('logical')");
	await b.until(SETTLED);
	ok((await b.run(DRAWN)).join() === before.join(), "y goes back to what was drawn");
}

(async () => {
	const [gorge, messages, run] = process.argv.slice(2);
	await visit([gorge, messages], [page]);
	await visit([gorge, run], [recorded]);
	end();
})();
