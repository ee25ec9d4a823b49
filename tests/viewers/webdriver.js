/*
 * Drives a headless Chromium through chromedriver: WebDriver is JSON over HTTP, and this is all of
 * it that the tests need.
 */
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	       "--disable-background-networking", "--disable-component-update", "--disable-sync",
	       "--disable-dev-shm-usage", "--hide-scrollbars"];

async function call(method, url, body) {
	const response = await fetch(url, { method, body: body && JSON.stringify(body) });
	const { value } = await response.json();
	if (!response.ok)
		throw new Error(value.error + ": " + value.message.split("\n")[0]);
	return value;
}

/* The port that chromedriver says it listens on. */
function portOf(driver) {
	return new Promise((resolve, reject) => {
		let said = "";
		driver.stdout.on("data", (text) => {
			said += text;
			const found = /on port (\d+)\./.exec(said);
			if (found)
				resolve(found[1]);
		});
		driver.on("exit", () => reject(new Error("chromedriver ended: " + said)));
	});
}

/* Processes of the browser that are about to end can still write into its profile; nobody tells when they have. */
async function discard(profile) {
	for (const end = Date.now() + 10000;;) {
		try {
			return fs.rmSync(profile, { recursive: true, force: true });
		} catch (e) {
			if (Date.now() > end)
				return console.log("# " + profile + " stays: " + e.message);
		}
		await new Promise((r) => setTimeout(r, 20));
	}
}

/* An address that gorge prints; it leads on to the view. */
const isInvitation = (url) => /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/.test(url);

/* size: [width, height]; scale: pixels of the device for each of the page; cookie: "NAME=VALUE", the browser has it. */
async function browse(url, { size = [1300, 800], scale = 1, dark = false, cookie = null } = {}) {
	const profile = fs.mkdtempSync(path.join(os.tmpdir(), "gorge-browser-"));
	const driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "ignore"] });
	const base = "http://127.0.0.1:" + await portOf(driver);
	const args = [...FLAGS, "--user-data-dir=" + profile, "--window-size=" + size.join(","),
		      "--force-device-scale-factor=" + scale, ...(dark ? ["--force-dark-mode"] : [])];
	const { sessionId } = await call("POST", base + "/session",
		{ capabilities: { alwaysMatch: { browserName: "chrome", "goog:chromeOptions": { args },
						 "goog:loggingPrefs": { browser: "SEVERE" } } } });
	const session = base + "/session/" + sessionId;
	async function visit(to) {
		await call("POST", session + "/url", { url: to });
	}

	if (cookie) {
		const [name, value] = cookie.split("=");
		await call("POST", session + "/goog/cdp/execute", { cmd: "Network.setCookie",
			params: { name, value, url, path: new URL(url).pathname, httpOnly: true, sameSite: "Strict" } });
	}
	async function run(script, ...args) {
		return call("POST", session + "/execute/sync", { script, args });
	}

	/*
	 * Waits until the expression is true in the page; gives its value. The page looks itself, for a look from here
	 * costs much more; a page that is left meanwhile is asked again, and so is one that takes longer than a script may.
	 */
	async function until(expression, seconds = 10) {
		const end = Date.now() + seconds * 1000;
		for (;;) {
			const last = Date.now() > end;
			const { value, wrong } = await call("POST", session + "/execute/async", { script: `
				const is = () => ${expression};
				const last = performance.now() + arguments[0], tell = arguments[1];
				const look = () => {
					try {
						const value = is();
						if (value || performance.now() > last)
							tell({ value });
						else
							setTimeout(look, 10);
					} catch (e) {
						tell({ wrong: e.message });
					}
				};
				look();`, args: [Math.max(0, Math.min(end - Date.now(), 5000))] })
				.catch((e) => /^(javascript|unknown) error|^aborted|^stale/.test(e.message) ? {} : { wrong: e.message });
			if (wrong)
				throw new Error(wrong + ": " + expression);
			if (value)
				return value;
			if (last)
				throw new Error("this did not come true: " + expression);
		}
	}

	async function act(actions) {
		await call("POST", session + "/actions", { actions });
	}

	function pointer(...actions) {
		return act([{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }]);
	}

	function devtools(cmd, params) {
		return call("POST", session + "/goog/cdp/execute", { cmd, params });
	}

	/* Waits for that in a page that leads to another one: what waits in a page is lost with it. */
	async function arrive(expression, seconds = 10) {
		for (const end = Date.now() + seconds * 1000;;) {
			if (await run("return " + expression).catch(() => false))
				return;
			if (Date.now() > end)
				throw new Error("this did not come true: " + expression);
			await new Promise((r) => setTimeout(r, 20));
		}
	}

	/* Goes to an address that gorge prints, or to another one. */
	async function open(to) {
		await visit(to);
		if (isInvitation(to))
			await arrive("location.href !== '" + to + "' && document.readyState === 'complete'");
	}

	await (cookie ? visit(url) : open(url));

	const move = (x, y) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 });
	const down = { type: "pointerDown", button: 0 }, up = { type: "pointerUp", button: 0 };

	return {
		run, until, arrive, profile, visit, open,
		hover: (x, y) => pointer(move(x, y)),
		click: (x, y) => pointer(move(x, y), down, up),
		drag: (x0, y0, x1, y1) => pointer(move(x0, y0), down, move((x0 + x1) / 2, (y0 + y1) / 2), move(x1, y1), up),
		wheel: (x, y, by) => act([{ type: "wheel", id: "wheel",
			actions: [{ type: "scroll", x: Math.round(x), y: Math.round(y), deltaX: 0, deltaY: by, duration: 0 }] }]),
		key: (value) => act([{ type: "key", id: "keys",
			actions: [{ type: "keyDown", value }, { type: "keyUp", value }] }]),
		/* Files that the page saves come to that folder. */
		downloads: (folder) => devtools("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder }),
		tab: async () => {
			const { handle } = await call("POST", session + "/window/new", { type: "tab" });
			await call("POST", session + "/window", { handle });
		},
		reload: () => call("POST", session + "/refresh", {}),
		/* Runs in each page that is loaded from now on, before its own scripts; gives what ends that. */
		async before(script) {
			const added = await devtools("Page.addScriptToEvaluateOnNewDocument", { source: script });
			return () => devtools("Page.removeScriptToEvaluateOnNewDocument", added);
		},
		/* From now on it is as one that was never used. */
		async forget() {
			await devtools("Network.clearBrowserCookies", {});
			await devtools("Network.clearBrowserCache", {});
		},
		/* Exceptions that nobody caught, and what the page's policy forbade, since this was asked last. */
		async uncaught() {
			const log = await call("POST", session + "/se/log", { type: "browser" });
			return log.filter((entry) => ["javascript", "security"].includes(entry.source))
				.map((entry) => entry.message);
		},
		async picture(file) {
			fs.writeFileSync(file, Buffer.from(await call("GET", session + "/screenshot"), "base64"));
		},
		async close() {
			await call("DELETE", session).catch(() => {});
			driver.kill();
			await discard(profile);
		},
	};
}

module.exports = { browse };
