/*
 * The flame graph in gorge's page: it is of the window, follows zoom and threads, and a click on a frame narrows it and
 * what is bright in the lanes. flame.js GORGE RUN STAGES; prints TAP. RUN is tests/analysis/flame/kitchen.c, recorded, and
 * STAGES tests/viewers/gorge/page/outer.cc with samples.
 */
"use strict";
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const CURRENT = SETTLED + " && flame.state().graph && flame.current()";
const amount = (name) => "flame.state().graph.frames.filter((f) => f.name.startsWith('" + name + "')).reduce((a, f) => a + f.width, 0)" +
	" * flame.state().graph.total";
const click = (b, name) => b.run("document.querySelector('.frames [data-name=\"" + name + "\"]').click()");

async function page(b) {
	await b.until(SETTLED);
	await b.run("document.getElementById('show-flame').click()");
	await b.until(CURRENT);
	ok(await b.run("return ['all', 'cook', 'chop', 'boil', 'stir'].every((n) => document.querySelector('.frames [data-name=' + n + ']'))"),
		"the button shows the frames of the run");
	const all = await b.run("return " + amount("chop"));
	const half = await b.run("return view.state.duration / 2");
	await b.run("view.setWindow(0, " + half + ")");
	await b.until(CURRENT);
	const first = await b.run("return " + amount("chop"));
	await b.run("view.setWindow(" + half + ", " + 2 * half + ")");
	await b.until(CURRENT);
	const second = await b.run("return " + amount("chop"));
	ok(first > 0 && Math.abs(first + second - all) < all / 1000, "it follows zoom: both halves have together what all has");
	await b.run("view.fit()");
	await b.until(CURRENT);
	await click(b, "boil");
	await b.until("flame.state().stretches");
	ok(await b.run("return flame.state().chosen !== null && !document.querySelector('.frames [data-name=chop]') &&" +
		" document.querySelector('.frames [data-name=boil]').offsetWidth > 0.95 * document.querySelector('.frames').clientWidth"),
		"a click narrows the graph to the frame and what is above it");
	/* what stays bright is as long as the frame says */
	const bright = "[...flame.state().stretches.values()].flatMap((l) => l.filter((x, i) => i % 2).map((to, i) => to - l[2 * i]))" +
		".reduce((a, b) => a + b, 0)";
	const boil = await b.run("return " + amount("boil")), shown = await b.run("return " + bright);
	ok(shown >= boil * 0.99 && shown < boil * 3, "the lanes show where it has its time: " + shown + " ns in pixels of " + boil);
	await b.run("view.setWindow(" + half / 2 + ", " + half + ")");
	await b.until(CURRENT + " && flame.state().stretches");
	ok(await b.run("return flame.state().chosen !== null"), "it stays chosen in another window");
	await b.key("\uE00C");
	ok(await b.run("return flame.state().chosen === null && flame.state().stretches === null"), "esc shows all again");
	await b.run("view.fit(); const s = document.querySelector('#flame select'); s.value = 'off'; s.dispatchEvent(new Event('change'))");
	await b.until(CURRENT + " && flame.state().graph.of === 'off'");
	ok(await b.run("return !!document.querySelector('.frames [data-name^=\"LockWait pot\"]')"), "what is waited for, with its object");
	const waits = await b.run("return " + amount("JoinWait"));
	await b.run("view.toggle('threads', 0)");
	await b.until(CURRENT);
	ok(waits > 0 && await b.run("return " + amount("JoinWait")) === 0, "threads that are hidden have no part");
	await b.run("const s = document.querySelector('#flame select'); s.value = 'left'; s.dispatchEvent(new Event('change'))");
	await b.until(CURRENT + " && flame.state().graph.of === 'left'");
	ok(await b.run("return flame.state().graph.total") === 3600, "memory that the shown threads never freed");
	await b.run("document.querySelector('.frames [data-name^=\"rest \"]').click()");
	await b.until("flame.state().stretches");
	ok((await b.run("return [...flame.state().stretches.values()].map((l) => l.length / 2)")).reduce((a, n) => a + n, 0) === 18,
		"and when it was taken");
	await b.key("b");
	await b.until(SETTLED);
	ok(await b.run("return document.getElementById('flame').hidden"), "b hides it");
}

/* By depth: the names in the rows of the graph, from the root on. */
const ROWS = `
	const rows = {};
	for (const e of document.querySelectorAll(".frames button"))
		(rows[e.style.top] = rows[e.style.top] || []).push(e.dataset.name);
	return Object.keys(rows).sort((a, b) => parseFloat(b) - parseFloat(a)).map((k) => rows[k]);`;
const IN_SIGHT = "const a = document.querySelector('.frames [data-node=\"0\"]').getBoundingClientRect(), " +
	"r = document.getElementById('flame').getBoundingClientRect(); return a.top >= r.top && a.bottom <= r.bottom + 1";

/* The frames between the root and the program's first functions are cut, and a click shows them. */
async function outer(b) {
	await b.until(SETTLED + " && progress.idle()");
	await b.run("document.getElementById('show-flame').click()");
	await b.until(CURRENT);
	ok(await b.run("return document.getElementById('flame').scrollHeight > document.getElementById('flame').clientHeight") &&
		await b.run(IN_SIGHT), "a graph that is too high opens with its root in sight");
	const [root, first] = await b.run(ROWS), text = () => b.run("return document.querySelector('#flame .outer').textContent");
	ok(root.join() === "all" && first.some((n) => /^work\(/.test(n)) && !first.some((n) => /clone3|start_thread|std::/.test(n)),
		"it begins with the program's functions: " + first);
	const most = await b.run("return Math.max(...flame.state().graph.frames.filter((f) => f.outer).map((f) => f.depth))");
	ok(most > 2 && await text() === "show " + most + " outer frames", "it says how many frames are left out: " + await text());
	await b.key("B");
	/* pthread_create() in main() calls clone3(), too */
	const callees = await b.run("return [...document.querySelectorAll('#flame td:first-child')].filter((c) => c.style.paddingLeft === '1em')" +
		".map((c) => c.textContent)");
	ok(callees.some((n) => /work\(/.test(n)) && !callees.some((n) => /clone3|start_thread|std::/.test(n)), "so does the call tree: " + callees);
	await b.key("B");
	ok(await b.run(IN_SIGHT), "back from the call tree the root is in sight");
	await b.run("document.querySelector('#flame .outer').click()");
	const whole = await b.run(ROWS);
	ok(whole[1].some((n) => /clone3|start_thread/.test(n)) && whole[most + 1].some((n) => /^work\(/.test(n)), "a click shows them");
	ok(await text() === "hide " + most + " outer frames" && await b.run(IN_SIGHT), "and another hides them");
	await b.run("document.querySelector('#flame .outer').click()");
	ok(JSON.stringify((await b.run(ROWS))[1]) === JSON.stringify(first), "as before");
	await b.run("document.getElementById('flame').scrollTop = 0; view.zoom(0.9)");
	await b.until(CURRENT);
	ok(await b.run("return document.getElementById('flame').scrollTop") < 40, "where it is scrolled to, it stays");
}

(async () => {
	const [gorge, run, stages] = process.argv.slice(2);
	await visit([gorge, run], [page]);
	await visit([gorge, stages], [outer]);
	end();
})();
