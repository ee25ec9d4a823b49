# Counts the words of lines that it generates, and sorts them. One thread.
use strict;
use warnings;

my %count;

sub split_line {
	my ($line) = @_;
	$count{lc $_}++ for $line =~ /(\w+)/g;
}

for my $i (1 .. $ARGV[0]) {
	split_line("Request " . $i * 7919 % 10007 . " from Host" . $i % 61 . " took " . $i * 31 % 977 . " us");
}
my @most = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
print "$most[0] $count{$most[0]}\n";
