/*
 * The search for bottlenecks in gorge's page: what is found, a click on it, the critical path through the lanes, and the
 * search as it folds out. why.js GORGE RUN; prints TAP. RUN is tests/analysis/why/hot.c, recorded.
 */
"use strict";
const { execFileSync } = require("child_process");
const path = require("path");
const { isDeepStrictEqual } = require("util");
const { ok, SETTLED, visit, end } = require("../../browsing.js");

/* What the command says of the run. */
const said = JSON.parse(execFileSync(path.join(path.dirname(process.argv[2]), "glimpse"), ["why", "--json", process.argv[3]]));

const FOUND = "why.state().found && document.querySelector('#why li')";
const DRAWN = SETTLED + " && why.state().path && why.current()";

/* The path in the window has no gap, and ends where the window does. */
const GAPLESS = `
	const pieces = why.state().path, { from, to, duration } = view.state;
	const pixel = (to - from) / view.state.picture.columns;
	return pieces.every((p, i) => i === 0 || Math.abs(p.from - pieces[i - 1].to) <= pixel) &&
		pieces[0].from <= Math.max(from, 0) && pieces[pieces.length - 1].to >= Math.min(to, duration);`;

async function page(b) {
	await b.until(SETTLED);
	await b.run("document.getElementById('show-why').click()");
	await b.until(FOUND, 30);
	ok(await b.run("return document.querySelector('#why li').innerText.startsWith('1. Threads wait for a lock whose holder sleeps: ') &&" +
		" document.querySelector('#why li').innerText.includes('hot_lock')"), "what gains most is listed first, with its lock");
	ok(await b.run("return document.querySelector('#why li').title.includes('glimpse whatif') && " +
		"!!document.querySelector('#why .fix')"), "with what to fix first, and the commands that print its numbers");
	const found = await b.run("return why.state().found.findings");
	ok(isDeepStrictEqual(found, said.findings) && found[0].explanation.includes("held half as long"),
		"page and command say the same of one run, also what fixing it gains");
	const [from, to] = await b.run("const f = why.state().found.findings[0]; return [f.from, f.to]");
	await b.run("view.setWindow(0, 1000000)");
	await b.until(SETTLED);
	await b.run("document.querySelector('#why li').click()");
	await b.until(DRAWN);
	const window = await b.run("return [view.state.from, view.state.to]");
	ok(window[0] <= from && window[1] > from && window[1] <= to + (to - from) / 10, "a click shows when it is");
	await b.until(DRAWN + " && view.state.picture.lanes.some((l) => l.name === 'hot_lock')");
	ok(true, "and the lane of its lock");
	ok(await b.run(GAPLESS), "and the critical path, without a gap");
	ok(await b.run("return new Set(why.state().path.filter((p) => p.kind === 'stretch').map((p) => p.thread)).size >= 4"),
		"through the threads that take turns");
	const focus = await b.run("return why.state().found.findings[0].focus");
	ok(focus.threads.length > 0 && focus.thread_numbers.length >= focus.threads.length &&
		focus.holders.length > 0 && focus.holder_numbers.length === focus.holders.length,
		"the threads of the finding, and who lets them wait, are known by their numbers: " + JSON.stringify(focus));
	/* what is drawn is red, and is there only then */
	const red = "const c = document.getElementById('plot'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;" +
		" let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] === 192 && d[i + 1] === 16 && d[i + 2] === 46; return n";
	const drawn = await b.run(red);
	await b.run("view.zoom(0.5)");
	await b.until(DRAWN);
	ok(await b.run(GAPLESS), "it follows zoom");
	await b.run("document.querySelector('#why details').open = true");
	ok(await b.run("return document.querySelector('#why details div').innerText.includes('LockOverIO: false') &&" +
		" !!document.querySelector('#why details details .true')"), "the search folds out: what was true, and what was not");
	await b.key("\uE00C");
	await b.until(SETTLED + " && why.state().chosen === null && !why.state().path");
	await b.run("view.fit()");
	await b.until(SETTLED);
	ok(drawn > 200 && await b.run(red) < drawn / 20, "esc takes it away: " + drawn + " red pixels");
	await b.until(SETTLED + " && !view.query().lanes.includes('hot_lock')");
	await b.run("document.querySelector('#why input').click()");
	await b.until(DRAWN);
	ok(true, "the path can be drawn by itself");
	await b.run("document.querySelector('#why details a').click()");
	await b.until(DRAWN + " && why.state().chosen === 0");
	ok(true, "a finding in the search leads to it");
	await b.key("q");
	await b.until(SETTLED);
	ok(await b.run("return document.getElementById('why').hidden && why.state().path === null"), "q closes all of it");
}

(async () => {
	const [gorge, run] = process.argv.slice(2);
	await visit([gorge, run], [page]);
	end();
})();
