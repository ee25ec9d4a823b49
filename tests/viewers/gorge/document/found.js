/*
 * What is found in a run, in documents of it: findings as `glimpse why` has them, the critical path, flame graphs, and
 * logical order. found.js BUILD RUN; SEED=N repeats a run. Prints TAP. RUN is tests/analysis/why/hot.c, recorded with its functions.
 */
"use strict";
const { execFileSync } = require("child_process");
const path = require("path");
const { isDeepStrictEqual } = require("util");
const { browse } = require("../../webdriver.js");
const { ok, SETTLED, serve, end } = require("../../browsing.js");
const { enter, get } = require("../../entrance.js");

const [build, run] = process.argv.slice(2), gorge = build + "/gorge";
const FOUND = "why.state().found && document.querySelector('#why li')";
const CURRENT = SETTLED + " && flame.state().graph && flame.current()";
const OTHER = "The findings and flame graphs of this document belong to the definitions it was written with";
const amount = (name) => "flame.state().graph.frames.filter((f) => f.name.startsWith('" + name + "')).reduce((a, f) => a + f.width, 0)" +
	" * flame.state().graph.total";

let seed = Number(process.env.SEED || Date.now() % 1000000);
console.log("# SEED=" + seed);

function share() {
	seed = (seed * 1103515245 + 12345) % 2147483648;
	return seed / 2147483648;
}

const whyOf = (...options) => JSON.parse(execFileSync(build + "/glimpse", ["why", "--json", ...options, run]));

/* Writes a document; returns where it is. */
function document(file, ...options) {
	execFileSync(gorge, [run, "-o", file, ...options]);
	return "file://" + path.resolve(file);
}

async function finding(b, said, what) {
	await b.run("document.getElementById('show-why').click()");
	await b.until(FOUND, 30);
	const found = await b.run("return why.state().found.findings");
	ok(found.length && isDeepStrictEqual(found, said.findings), what + " has the findings of glimpse why: " + found[0].explanation);
	const headline = await b.run("return server.ask('headline')");
	ok(headline.ready && isDeepStrictEqual(headline.lines, said.headline), "and its headline: " + headline.lines[0].text);
	await b.until("document.getElementById('headline').innerText.includes(" + JSON.stringify(headline.lines[0].text.slice(0, 20)) + ")");
}

/* As text, for the driver puts members into another order. */
const ASK = "return server.ask(arguments[0], arguments[1]).then(JSON.stringify)";

/* The document says what the server says of windows of any width, to the byte. */
async function agree(b) {
	const { program, url: invitation } = await serve([gorge, run]);
	try {
		const url = await enter(invitation), duration = await b.run("return view.state.duration");
		const bad = [];
		for (let i = 0; i < 12; i++) {
			const from = Math.round(duration * share()), to = from + Math.round(duration / (1 << i % 6));
			const node = i % 3, of = i % 2 ? "cpu" : "off";
			for (const [where, more] of [["flame", { of }], ["stretches", { of, node }], ["path", {}], ["headline", {}], ["why", {}]]) {
				const values = { from, to, width: 900, ...more };
				const answer = async () => (await get(url + where + "?" + new URLSearchParams(values))).json();
				let theirs = await answer();
				while (theirs.ready === false)
					theirs = await answer();
				if (await b.run(ASK, where, values) !== JSON.stringify(theirs))
					bad.push(where + " " + JSON.stringify(values));
			}
		}
		ok(bad.length === 0, "findings, path and flame graphs are the server's" + bad.slice(0, 5).map((t) => "\n# " + t).join(""));
	} finally {
		program.kill();
	}
}

async function choosing(b) {
	await b.run("document.querySelector('#why li').click()");
	await b.until(SETTLED + " && why.state().path && why.current()");
	ok(await b.run("return new Set(why.state().path.map((p) => p.thread)).size >= 4"), "a click shows the path through the threads");
	await b.run("document.querySelector('#why li').click(); view.fit()");
	await b.until(SETTLED);
}

async function flames(b) {
	await b.run("document.getElementById('show-flame').click()");
	await b.until(CURRENT);
	const all = await b.run("return " + amount("turns")), half = await b.run("return view.state.duration / 2");
	const halves = [];
	for (const from of [0, half]) {
		await b.run("view.setWindow(" + from + ", " + (from + half) + ")");
		await b.until(CURRENT);
		halves.push(await b.run("return " + amount("turns")));
	}
	ok(all > 0 && Math.abs(halves[0] + halves[1] - all) < all / 1000 && halves[0] > 0,
		"the flame graph has the function, and its halves are those of the windows: " + [all, ...halves].join(", "));
	await b.run("const s = document.querySelector('#flame select'); s.value = 'off'; s.dispatchEvent(new Event('change'))");
	await b.until(CURRENT + " && flame.state().graph.of === 'off'");
	ok(await b.run("return !!document.querySelector('.frames [data-name^=\"LockWait hot_lock\"]')"), "what is waited for, with its object");
	await b.run("const s = document.querySelector('#flame select'); s.value = 'peak'; s.dispatchEvent(new Event('change'))");
	await b.until("/no flame graphs of memory/.test(document.querySelector('#flame .said').textContent)");
	ok(true, "a graph that a document has not says so");
	await b.run("document.getElementById('show-flame').click()");
}

async function ordering(b) {
	const columns = await b.run("document.getElementById('order').click(); return view.state.duration");
	await b.until("document.body.classList.contains('logical') && " + SETTLED);
	ok(await b.run("return view.state.duration") !== columns && await b.run("return view.state.picture.lanes.length >= 5"),
		"Order shows columns in happened-before order");
	await b.run("document.getElementById('order').click()");
	await b.until("!document.body.classList.contains('logical') && " + SETTLED);
}

async function defining(b) {
	const apply = async (text) => {
		await b.run("editor.toggle(); document.querySelector('#editor textarea').value = " + text + "; return editor.apply()");
		await b.until(SETTLED);
		return b.run("return Promise.all(['why', 'path', 'headline', 'flame'].map((p) => server.ask(p, { ...view.state.asked, of: 'off' })" +
			".then((a) => a.missing || '', (e) => e.message)))");
	};
	await b.run("window.before = ''; return server.ask('start').then((s) => { window.before = s.spec; window.firstEvent = s.events[0].name; })");
	const said = await apply("before.replace(/\\nend\\s+\\S+\\s*$/, (end) => '\\ninterval Mine [ a:' + firstEvent + ' -> b:' + firstEvent + ' ];' + end)");
	ok(said.every((t) => t.startsWith(OTHER)), "other definitions: each says of which the findings are: " + said[0]);
	ok((await apply("before")).every((t) => t === ""), "and they are there again with those of the document");
}

async function part(b) {
	const [from, to] = [20000000, 60000000];
	const url = document("part.html", "--from", from + "ns", "--to", to + "ns");
	await b.run("location = arguments[0]", url);
	await b.until("location.href === '" + url + "' && " + SETTLED);
	ok(/part of the trace: .* Why lists the findings of all threads in it/.test(await b.run("return document.body.innerText")),
		"a part says what Why is of");
	await finding(b, whyOf("--from", from + "ns", "--to", to + "ns"), "a part");
	await b.run("document.querySelector('#why input').click()");
	await b.until("why.state().path && why.current()");
	ok(await b.run("return why.state().path[0].from <= " + from + " && why.state().path.at(-1).to >= " + to), "and the path there");
	await b.run("why.toggle(); view.fit(); document.getElementById('show-flame').click()");
	await b.until(CURRENT);
	const all = await b.run("return " + amount("turns"));
	await b.run("view.setWindow(" + from + ", " + to + ")");
	await b.until(CURRENT);
	ok(all > 0 && all === await b.run("return " + amount("turns")), "its flame graph has the time of the part");
}

(async () => {
	const b = await browse(document("all.html"));
	const whole = async () => {
		await b.until(SETTLED);
		await finding(b, whyOf(), "a document");
	};
	for (const each of [whole, () => agree(b), () => choosing(b), () => flames(b), () => ordering(b), () => defining(b), () => part(b)])
		await each().catch((e) => ok(false, e.message));
	await b.close();
	end();
})();
