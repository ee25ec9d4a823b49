/*
 * Browsers and the addresses of gorge: invitation.js FILE ADDRESS ANOTHER SECOND; FILE is the one that
 * gorge gives a browser, ADDRESS and ANOTHER what it printed, SECOND what another gorge printed. Prints TAP.
 */
"use strict";
const fs = require("fs");
const http = require("http");
const { ok, SETTLED, end } = require("../../browsing.js");
const { browse } = require("../../webdriver.js");

const [file, address, another, second] = process.argv.slice(2);
const TEXT = "return document.body.innerText", HERE = "return location.href";

async function shown(b, name) {
	await b.until(SETTLED);
	ok((await b.run("return view.state.picture.lanes.map((l) => l.name).join()")) === "idle,main,worker-1", name);
}

async function gone(path) {
	for (let i = 0; i < 200 && fs.existsSync(path); i++)
		await new Promise((r) => setTimeout(r, 10));
	return !fs.existsSync(path);
}

async function refused(b, url, name) {
	await b.visit(url);
	ok(/press Enter in the terminal/.test(await b.run(TEXT)), name);
}

/* Another server of this host: its requests, and a page that tries to use the view. */
function neighbour(view) {
	const heard = [];
	const page = `<!doctype html><title>neighbour</title><iframe src="${view}"></iframe>
		<script src="${view}start"></script><a href="${view}">view</a>
		<script>fetch("${view}state", { credentials: "include", mode: "no-cors" });
		document.cookie = "gorge-${new URL(view).port}=00000000000000000000000000000000; path=/";</script>`;
	const server = http.createServer((request, response) => {
		heard.push(request.headers.cookie || "");
		response.setHeader("Content-Type", "text/html");
		response.end(page);
	});
	return new Promise((resolve) => server.listen(0, "127.0.0.1",
		() => resolve({ server, heard, url: "http://127.0.0.1:" + server.address().port + "/" })));
}

async function neighbours(b, view) {
	const { server, heard, url } = await neighbour(view);
	await b.visit(url);
	await b.until("document.title === 'neighbour'");
	ok(heard.length > 0 && heard.every((cookie) => !/gorge-\d+=(?!0{32})/.test(cookie)), "another port does not hear the cookie");
	await b.run("document.querySelector('a').click()");
	await b.until("/does not admit you/.test(document.body.innerText)");
	ok(true, "and a link in its page does not lead to the view");
	server.close();
	server.closeAllConnections();
	await b.visit(view);
	await shown(b, "a cookie that it sets keeps nobody out");
}

async function main() {
	const [b, other] = await Promise.all([browse("file://" + file), browse(address)]);
	try {
		await b.arrive("location.protocol === 'http:'");
		await shown(b, "the file leads a browser to the view");
		const view = await b.run(HERE);
		ok(await gone(file), "and is removed then");
		ok(await b.run("return document.cookie") === "", "no script sees the cookie");
		await b.reload();
		await shown(b, "it can be loaded again");
		await b.tab();
		await b.visit(view);
		await shown(b, "and opened in a second tab");
		await shown(other, "the address that was printed lets another browser in");
		ok(await other.run(HERE) === view, "to the same view");
		await other.visit(address);
		await other.until("location.href === '" + view + "'");
		await shown(other, "and leads on when it is opened again there");
		await refused(b, address, "but lets no other browser in any more");
		await b.visit(second);
		await b.until("location.pathname !== '" + new URL(second).pathname + "'");
		await shown(b, "a second gorge is seen in the same browser");
		await b.visit(view);
		await shown(b, "beside the first");
		await neighbours(b, view);
		const uncaught = await other.uncaught();
		ok(uncaught.length === 0, "the policy of the page forbids nothing that it does" + uncaught.map((u) => "\n# " + u).join(""));
		/* without what it was given it is to gorge as a third browser */
		await other.forget();
		await refused(other, view, "who has no cookie is not let in by the address of the page");
		await other.visit(another);
		await other.until("location.href === '" + view + "'");
		await shown(other, "the address that Enter printed lets a third browser in");
	} catch (e) {
		ok(false, e.message);
	}
	await Promise.all([b.close(), other.close()]);
}

main().then(end);
