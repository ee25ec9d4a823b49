/*
 * The search of gorge's page, in a real browser: it takes the words of legend, bars and tables, in any
 * case, and finds threads, objects, intervals, functions and events. search.js GORGE RUN MESSAGES; prints
 * TAP. RUN is tests/viewers/gorge/page/waiter.c, recorded.
 */
"use strict";
const { ok, SETTLED, visit, end } = require("../../browsing.js");

const ENTER = "\uE007";

/* What a question lists. */
async function asked(b, question) {
	await b.run("return finder.put(arguments[0])", question);
	return b.run(`return { said: document.querySelector("#finder pre").textContent,
		rows: [...document.querySelectorAll("#finder li")].map((e) => [...e.children].map((c) => c.textContent)),
		others: [...document.querySelectorAll("#finder p button")].map((e) => e.title.split(",")[0] + " " + e.textContent) };`);
}

async function words(b) {
	await b.until(SETTLED + " && progress.idle()");
	const name = await asked(b, "CondWait");
	for (const word of ["condition", "Condition", "condwait"])
		ok((await asked(b, word)).rows.join(";") === name.rows.join(";") && name.rows.length > 0, word + " finds what CondWait finds");
	ok(/^\d+ instances? of condition/.test(name.said), "which is called as the legend has it: " + name.said);
	const [, who] = name.rows[0];
	const threads = await b.run("return view.state.threads.map((t) => t.label)");
	ok(threads.some((t) => who.startsWith(t + " \u00b7 ")) && !/undefined/.test(who), "hits have thread and object: " + who);
	ok((await asked(b, "condition where time > 1 ns")).rows.length === name.rows.length, "a label can have a condition");
	ok((await asked(b, "running")).rows.length > 0, "states are found");
}

async function things(b) {
	const thread = await asked(b, "BAK");
	ok(thread.rows.some(([kind, label]) => kind === "thread" && label === "baker"), "a part of a name finds a thread");
	const object = await b.run("return server.ask('find', { question: 'CondWait' }).then((f) => f.hits[0][4])");
	const found = await asked(b, object);
	ok(found.rows.some(([kind, label]) => kind === "object" && label === object), "an object is found: " + object);
	await b.run("finder.step(1)");
	await b.until(SETTLED + " && view.state.picture.lanes.some((l) => l.kind !== undefined && l.name === arguments_0)"
		.replace("arguments_0", JSON.stringify(object)));
	ok(true, "and leads to its lane");
	await b.until("!flame.state().graph || true");
	const code = await asked(b, "burn");
	ok(code.rows.some(([kind, label]) => kind === "function" && /burn/.test(label)), "a sampled function is found");
	await b.run("finder.step(1)");
	await b.until(SETTLED + " && flame.state().graph && flame.current() && flame.state().chosen !== null");
	ok(/burn/.test(await b.run("return flame.state().graph.frames.find((f) => f.node === flame.state().chosen).name")),
		"and leads to its frame");
	await b.run("flame.clear(); flame.toggle()");
	await b.until(SETTLED);
	const event = await asked(b, "switchin");
	ok(event.rows.some(([kind, label]) => kind === "event" && label === "SwitchIn"), "an event is found");
	await b.run("return finder.events('SwitchIn')");
	ok(/^[\d,]+ events of SwitchIn/.test(await b.run("return document.querySelector('#finder pre').textContent")), "its events are listed");
	await b.run("finder.step(1)");
	await b.until("view.state.pinned && view.state.pinned.event");
	ok(await b.run("return view.state.pinned.event.event") === "SwitchIn", "and are gone to");
	await b.run("details.pin(null)");
}

async function entering(b) {
	await b.run("panel.close()");
	await b.key("/");
	ok(await b.run("return document.activeElement === document.querySelector('#finder input') && panel.current() === 'search'"),
		"/ opens the search");
	await b.run("document.activeElement.value = 'condition'");
	await b.key(ENTER);
	await b.until("view.state.pinned && view.state.pinned.instance");
	ok(await b.run("return view.state.pinned.instance.interval === 'CondWait' && panel.current() === 'search'"),
		"enter goes to the first hit, and the list stays");
	await b.key("\uE00C");
}

async function messages(b) {
	await b.until(SETTLED);
	const texts = await b.run("return [finder, tracks] && [...document.querySelectorAll('#finder input, #tracks input')].map((e) => e.placeholder)");
	const known = await b.run("return layers.entries().flatMap((e) => [e.name, e.label])");
	ok(texts.length === 2 && texts.every((t) => known.some((name) => t.includes(name)) && !/Transit/.test(t)),
		"examples are of this trace: " + texts.join("; "));
	ok(!/Transit/.test(await b.run("return document.getElementById('keys').textContent")), "also in the help");
	const none = await asked(b, "Nowhere at all");
	ok(none.rows.length === 0 && /^nothing in this trace is called 'Nowhere at all'; write, for example, \w+ where time > 1 ms$/.test(none.said) &&
		known.includes(none.said.match(/example, (\w+)/)[1]), "what is not there is said so: " + none.said);
	const wrong = await asked(b, "condition where nonsense > 1");
	ok(/nonsense/.test(wrong.said) && !/search:|gorge:|\|/.test(wrong.said), "what is wrong in a condition is said without lines: " + wrong.said);
}

async function conditions(b) {
	await b.until(SETTLED);
	const hits = await asked(b, "transit WHERE".replace("WHERE", "where") + " time > 500 us");
	ok(hits.rows.length === 2 && /^2 instances/.test(hits.said), "conditions are as before: " + hits.said);
	ok((await asked(b, "Transit unmatched")).said === "1 anchor without a partner", "and what is unmatched");
	const all = await asked(b, "Transit");
	const some = await asked(b, "rans");
	ok(all.rows.length === 2 && some.rows.some(([kind, label]) => kind === "interval" && label === "Transit"),
		"a part of an interval's name finds it");
}

(async () => {
	const [gorge, run, recipe] = process.argv.slice(2);
	await visit([gorge, run], [words, things, entering, messages]);
	await visit([gorge, recipe], [conditions]);
	end();
})();
