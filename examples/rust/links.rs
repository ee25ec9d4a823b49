// Finds the dead links of a web site: links hold|release THREADS PAGES SOCKET
//
// The threads divide the pages. Each gets a page from the site at SOCKET, and checks its link. A
// shared cache keeps the status of each link. `hold`: a thread holds the lock of the cache while it
// checks a link. `release`: it releases the lock before.
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::os::unix::net::UnixStream;
use std::sync::Mutex;
use std::{env, io, process, thread};

type Status = u16;

static CACHE: Mutex<Option<BTreeMap<String, Status>>> = Mutex::new(None);

struct Connection(BufReader<UnixStream>);

impl Connection {
	fn open(path: &str) -> io::Result<Connection> {
		Ok(Connection(BufReader::new(UnixStream::connect(path)?)))
	}

	fn ask(&mut self, request: String) -> io::Result<String> {
		self.0.get_mut().write_all(request.as_bytes())?;
		let mut answer = String::new();
		self.0.read_line(&mut answer)?;
		Ok(answer.trim_end().to_string())
	}

	#[inline(never)]
	fn get_page(&mut self, page: usize) -> String {
		self.ask(format!("page {page}\n")).expect("the site answers")
	}

	#[inline(never)]
	fn check_link(&mut self, link: &str) -> Status {
		let status = self.ask(format!("link {link}\n")).expect("the host answers");
		status.parse().expect("a status is a number")
	}
}

#[inline(never)]
fn status_holding(connection: &mut Connection, link: String) -> Status {
	let mut cache = CACHE.lock().unwrap();
	*cache.get_or_insert_with(BTreeMap::new).entry(link).or_insert_with_key(|link| connection.check_link(link))
}

/// Two threads that meet a new link at the same time both check it.
#[inline(never)]
fn status_releasing(connection: &mut Connection, link: String) -> Status {
	let known = CACHE.lock().unwrap().as_ref().and_then(|cache| cache.get(&link).copied());
	known.unwrap_or_else(|| {
		let status = connection.check_link(&link);
		CACHE.lock().unwrap().get_or_insert_with(BTreeMap::new).insert(link, status);
		status
	})
}

type FindStatus = fn(&mut Connection, String) -> Status;

fn check_pages<P>(find_status: FindStatus, pages: P, mut connection: Connection)
where
	P: Iterator<Item = usize>,
{
	for page in pages {
		let link = connection.get_page(page);
		find_status(&mut connection, link);
	}
}

/// Returns when all pages are checked.
fn check_site(find: FindStatus, threads: usize, pages: usize, socket: &str) -> io::Result<()> {
	thread::scope(|scope| {
		for i in 0..threads {
			let connection = Connection::open(socket)?;
			let share = (i..pages).step_by(threads);
			let checker = thread::Builder::new().name(format!("checker {}", i + 1));
			checker.spawn_scoped(scope, move || check_pages(find, share, connection))?;
		}
		Ok(())
	})
}

fn usage() -> ! {
	eprintln!("usage: links hold|release THREADS PAGES SOCKET");
	process::exit(2);
}

fn main() {
	let args: Vec<String> = env::args().collect();
	let (way, threads, pages, socket) = match &args[..] {
		[_, way, threads, pages, socket] => (way, threads, pages, socket),
		_ => usage(),
	};
	let find_status = match way.as_str() {
		"hold" => status_holding,
		"release" => status_releasing,
		_ => usage(),
	};
	let threads: NonZeroUsize = threads.parse().unwrap_or_else(|_| usage());
	let pages = pages.parse().unwrap_or_else(|_| usage());
	if let Err(error) = check_site(find_status, threads.get(), pages, socket) {
		eprintln!("links: {socket}: {error}");
		process::exit(1);
	}
	let cache = CACHE.lock().unwrap().take().unwrap_or_default();
	let dead = cache.values().filter(|status| **status == 404).count();
	println!("{pages} pages, {} links, {dead} of them dead", cache.len());
}
