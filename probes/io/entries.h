/*
 * The functions that are wrapped, one line each: no include guard, since it is included with
 * several meanings of these macros. The probe threads wraps the same functions, and logs waits.
 *
 *	BYTES(KIND, TYPE, NAME, PARAMETERS, ARGUMENTS, FD, ASKED, AFTER)
 *	PLAIN(KIND, TYPE, NAME, PARAMETERS, ARGUMENTS, FD, AFTER)
 *	POLL(NAME, PARAMETERS, ARGUMENTS, FD, COUNT, POLLED)
 *	OPENS(NAME)             one that opens a file, written out in io.c
 *	OTHER(NAME)             another one that is written out
 *
 * KIND is that of the events. ASKED, COUNT, POLL's FD and AFTER (what else there is to do) are
 * evaluated once the call has succeeded: only then what the program's pointers point to is known to
 * be there. `result` is what was returned. POLLED: descriptor_waits.h
 */

BYTES(Read, ssize_t, read, (int fd, void *to, size_t size), (fd, to, size), fd, size, NOTHING)
BYTES(Read, ssize_t, readv, (int fd, const struct iovec *parts, int n), (fd, parts, n), fd,
      parts_bytes(parts, (size_t)n), NOTHING)
BYTES(Read, ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), fd, size,
      NOTHING)
BYTES(Read, ssize_t, preadv, (int fd, const struct iovec *parts, int n, off_t at),
      (fd, parts, n, at), fd, parts_bytes(parts, (size_t)n), NOTHING)
BYTES(Write, ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size), fd, size,
      NOTHING)
BYTES(Write, ssize_t, writev, (int fd, const struct iovec *parts, int n), (fd, parts, n), fd,
      parts_bytes(parts, (size_t)n), NOTHING)
BYTES(Write, ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at),
      (fd, from, size, at), fd, size, NOTHING)
BYTES(Write, ssize_t, pwritev, (int fd, const struct iovec *parts, int n, off_t at),
      (fd, parts, n, at), fd, parts_bytes(parts, (size_t)n), NOTHING)
BYTES(Write, ssize_t, sendfile, (int to, int from, off_t *at, size_t size), (to, from, at, size),
      to, size, NOTHING)
BYTES(Write, ssize_t, splice,
      (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned int flags),
      (from, from_at, to, to_at, size, flags), to, size, NOTHING)
BYTES(Write, ssize_t, tee, (int from, int to, size_t size, unsigned int flags),
      (from, to, size, flags), to, size, NOTHING)
BYTES(Write, ssize_t, vmsplice, (int fd, const struct iovec *parts, size_t n, unsigned int flags),
      (fd, parts, n, flags), fd, parts_bytes(parts, n), NOTHING)
BYTES(Write, ssize_t, copy_file_range,
      (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned int flags),
      (from, from_at, to, to_at, size, flags), to, size, NOTHING)

BYTES(Send, ssize_t, send, (int fd, const void *from, size_t size, int flags),
      (fd, from, size, flags), fd, size, NOTHING)
BYTES(Send, ssize_t, sendto,
      (int fd, const void *from, size_t size, int flags, __CONST_SOCKADDR_ARG to, socklen_t length),
      (fd, from, size, flags, to, length), fd, size, NOTHING)
BYTES(Send, ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags),
      (fd, message, flags), fd, parts_bytes(message->msg_iov, message->msg_iovlen), NOTHING)
BYTES(Send, int, sendmmsg, (int fd, struct mmsghdr *messages, unsigned int n, MMSG_FLAGS flags),
      (fd, messages, n, flags), fd, messages_bytes(messages, result), NOTHING)
BYTES(Receive, ssize_t, recv, (int fd, void *to, size_t size, int flags), (fd, to, size, flags), fd,
      size, NOTHING)
BYTES(Receive, ssize_t, recvfrom,
      (int fd, void *restrict to, size_t size, int flags, __SOCKADDR_ARG from,
       socklen_t *restrict length),
      (fd, to, size, flags, from, length), fd, size, NOTHING)
BYTES(Receive, ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags),
      fd, parts_bytes(message->msg_iov, message->msg_iovlen), NOTHING)
BYTES(Receive, int, recvmmsg,
      (int fd, struct mmsghdr *messages, unsigned int n, MMSG_FLAGS flags,
       struct timespec *timeout),
      (fd, messages, n, flags, timeout), fd, messages_bytes(messages, result), NOTHING)

PLAIN(Sync, int, fsync, (int fd), (fd), fd, NOTHING)
PLAIN(Sync, int, fdatasync, (int fd), (fd), fd, NOTHING)
PLAIN(Sync, int, syncfs, (int fd), (fd), fd, NOTHING)
PLAIN(Sync, int, sync_file_range, (int fd, off64_t at, off64_t size, unsigned int flags),
      (fd, at, size, flags), fd, NOTHING)
PLAIN(Sync, int, msync, (void *at, size_t size, int flags), (at, size, flags), -1, NOTHING)
PLAIN(Connect, int, connect, (int fd, __CONST_SOCKADDR_ARG to, socklen_t length), (fd, to, length),
      fd, names_changed(fd))
PLAIN(Accept, int, accept, (int fd, __SOCKADDR_ARG from, socklen_t *restrict length),
      (fd, from, length), fd, names_changed(result))
PLAIN(Accept, int, accept4, (int fd, __SOCKADDR_ARG from, socklen_t *restrict length, int flags),
      (fd, from, length, flags), fd, names_changed(result))

POLL(poll, (struct pollfd * fds, nfds_t n, int timeout), (fds, n, timeout), first_ready(fds, n), n,
     POLLED_FDS(fds, n))
POLL(ppoll,
     (struct pollfd * fds, nfds_t n, const struct timespec *timeout, const sigset_t *signals),
     (fds, n, timeout, signals), first_ready(fds, n), n, POLLED_FDS(fds, n))
POLL(select,
     (int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
      struct timeval *restrict timeout),
     (n, in, out, other, timeout), first_set(n, in, out, other), n, POLLED_SETS())
POLL(pselect,
     (int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
      const struct timespec *restrict timeout, const sigset_t *restrict signals),
     (n, in, out, other, timeout, signals), first_set(n, in, out, other), n, POLLED_SETS())
POLL(epoll_wait, (int fd, struct epoll_event *events, int n, int timeout), (fd, events, n, timeout),
     fd, n, POLLED_EPOLL(fd, events))
POLL(epoll_pwait, (int fd, struct epoll_event *events, int n, int timeout, const sigset_t *signals),
     (fd, events, n, timeout, signals), fd, n, POLLED_EPOLL(fd, events))

OPENS(open)
OPENS(openat)
OPENS(creat)
OTHER(sync)
OTHER(close)
OTHER(close_range)
OTHER(closefrom)
OTHER(dup2)
OTHER(dup3)
OTHER(fclose)
OTHER(closedir)

#ifdef __GLIBC__
/* Names for files of more than 2 GB, also where a file's size always fits. */
BYTES(Read, ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at), fd,
      size, NOTHING)
BYTES(Read, ssize_t, preadv64, (int fd, const struct iovec *parts, int n, off64_t at),
      (fd, parts, n, at), fd, parts_bytes(parts, (size_t)n), NOTHING)
BYTES(Read, ssize_t, preadv2, (int fd, const struct iovec *parts, int n, off_t at, int flags),
      (fd, parts, n, at, flags), fd, parts_bytes(parts, (size_t)n), NOTHING)
BYTES(Read, ssize_t, preadv64v2, (int fd, const struct iovec *parts, int n, off64_t at, int flags),
      (fd, parts, n, at, flags), fd, parts_bytes(parts, (size_t)n), NOTHING)
BYTES(Write, ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at),
      (fd, from, size, at), fd, size, NOTHING)
BYTES(Write, ssize_t, pwritev64, (int fd, const struct iovec *parts, int n, off64_t at),
      (fd, parts, n, at), fd, parts_bytes(parts, (size_t)n), NOTHING)
BYTES(Write, ssize_t, pwritev2, (int fd, const struct iovec *parts, int n, off_t at, int flags),
      (fd, parts, n, at, flags), fd, parts_bytes(parts, (size_t)n), NOTHING)
BYTES(Write, ssize_t, pwritev64v2,
      (int fd, const struct iovec *parts, int n, off64_t at, int flags), (fd, parts, n, at, flags),
      fd, parts_bytes(parts, (size_t)n), NOTHING)
BYTES(Write, ssize_t, sendfile64, (int to, int from, off64_t *at, size_t size),
      (to, from, at, size), to, size, NOTHING)

/* What programs call that were compiled with _FORTIFY_SOURCE. */
BYTES(Read, ssize_t, __read_chk, (int fd, void *to, size_t size, size_t room), (fd, to, size, room),
      fd, size, NOTHING)
BYTES(Read, ssize_t, __pread_chk, (int fd, void *to, size_t size, off_t at, size_t room),
      (fd, to, size, at, room), fd, size, NOTHING)
BYTES(Read, ssize_t, __pread64_chk, (int fd, void *to, size_t size, off64_t at, size_t room),
      (fd, to, size, at, room), fd, size, NOTHING)
BYTES(Receive, ssize_t, __recv_chk, (int fd, void *to, size_t size, size_t room, int flags),
      (fd, to, size, room, flags), fd, size, NOTHING)
BYTES(Receive, ssize_t, __recvfrom_chk,
      (int fd, void *restrict to, size_t size, size_t room, int flags, __SOCKADDR_ARG from,
       socklen_t *restrict length),
      (fd, to, size, room, flags, from, length), fd, size, NOTHING)
POLL(__poll_chk, (struct pollfd * fds, nfds_t n, int timeout, size_t room), (fds, n, timeout, room),
     first_ready(fds, n), n, POLLED_FDS(fds, n))
POLL(__ppoll_chk,
     (struct pollfd * fds, nfds_t n, const struct timespec *timeout, const sigset_t *signals,
      size_t room),
     (fds, n, timeout, signals, room), first_ready(fds, n), n, POLLED_FDS(fds, n))
OPENS(open64)
OPENS(openat64)
OPENS(creat64)
OPENS(__open_2)
OPENS(__open64_2)
OPENS(__openat_2)
OPENS(__openat64_2)
#if __GLIBC_PREREQ(2, 35)
POLL(epoll_pwait2,
     (int fd, struct epoll_event *events, int n, const struct timespec *timeout,
      const sigset_t *signals),
     (fd, events, n, timeout, signals), fd, n, POLLED_EPOLL(fd, events))
#endif
#endif
