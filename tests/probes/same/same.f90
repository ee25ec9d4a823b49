! A program with OpenMP, for same.test.
program same
  implicit none
  integer :: i, total, greatest
  integer(8) :: sum
  sum = 0
  total = 0
  greatest = 0
  !$omp parallel do reduction(+:sum) schedule(dynamic, 100) num_threads(4)
  do i = 1, 100000
    sum = sum + int(i, 8) * i
  end do
  !$omp parallel num_threads(4)
  !$omp critical
  total = total + 1
  !$omp end critical
  !$omp barrier
  !$omp single
  greatest = total
  !$omp end single
  !$omp end parallel
  print *, sum, total, greatest
  stop 4
end program
