# Forks, pipes, signals and sockets, for same.test: output and exit status are always the same.
use strict;
use warnings;
use POSIX ();
$| = 1;

my @pids;
for my $n (1 .. 4) {
	my $pid = fork() // die;
	exit $n * 11 if $pid == 0;
	push @pids, $pid;
}
print join(' ', map { waitpid($_, 0); $? >> 8 } @pids), "\n";

open(my $pipe, '-|', 'sh', '-c', 'seq 1000 | tail -n 2; exit 3') or die;
print <$pipe>;
close $pipe;
print $? >> 8, "\n";

my $alarms = 0;
local $SIG{ALRM} = sub { $alarms++ };
POSIX::sigprocmask(POSIX::SIG_BLOCK(), POSIX::SigSet->new(POSIX::SIGALRM()));
kill 'ALRM', $$ for 1 .. 3;
POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), POSIX::SigSet->new(POSIX::SIGALRM()));
print "$alarms alarm\n";
eval { local $SIG{ALRM} = sub { die "late\n" }; alarm 1; select(undef, undef, undef, 20); };
print $@;
print system('kill -9 $$') & 127, " $!\n" if !open(my $none, '<', '/nosuch');
kill 'QUIT', $$;
