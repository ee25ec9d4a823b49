# Counts primes by division. One thread.
def prime?(n)
  d = 2
  while d * d <= n
    return false if n % d == 0
    d += 1
  end
  true
end

count = 0
ARGV[0].to_i.times { count += 1 if prime?(999_999_937) }
puts count
