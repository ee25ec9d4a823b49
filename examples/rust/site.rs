// Stands for a web site and the hosts that it links to: site SOCKET MILLISECONDS
//
// A client writes a line and reads one: `page N` gets the link of this page after a quarter of the
// time, and `link URL` gets its status after the whole time, as other hosts are far away. Every
// fifth page has a link of an earlier one. Each client has a thread, so no client waits for another.
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;
use std::{env, io, process, thread};

fn answer(client: UnixStream, delay: Duration) -> io::Result<()> {
	let mut answers = client.try_clone()?;
	for request in BufReader::new(client).lines() {
		let request = request?;
		if let Some(page) = request.strip_prefix("page ") {
			let page: usize = page.parse().unwrap_or(0);
			thread::sleep(delay / 4);
			let host = if page % 5 == 4 { page - 4 } else { page };
			writeln!(answers, "http://host-{host}.example/")?;
		} else {
			thread::sleep(delay);
			writeln!(answers, "{}", if request.contains("7.") { 404 } else { 200 })?;
		}
	}
	Ok(())
}

fn serve(path: &str, delay: Duration) -> io::Result<()> {
	for client in UnixListener::bind(path)?.incoming() {
		let client = client?;
		thread::spawn(move || answer(client, delay));
	}
	Ok(())
}

fn main() {
	let args: Vec<String> = env::args().collect();
	let delay = args.get(2).and_then(|text| text.parse().ok()).map(Duration::from_millis);
	let (path, delay) = match (args.get(1), delay) {
		(Some(path), Some(delay)) => (path, delay),
		_ => {
			eprintln!("usage: site SOCKET MILLISECONDS");
			process::exit(2);
		}
	};
	if let Err(error) = serve(path, delay) {
		eprintln!("site: {path}: {error}");
		process::exit(1);
	}
}
