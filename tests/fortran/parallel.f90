! Events inside the constructs of OpenMP: 4 threads, and teams of 2 within teams of 2. Numbers of events:
! loop 1000, tasks 200, critical 400, reduction 100, nested 4, elemental 10, function 10.
program parallel
  use, intrinsic :: omp_lib
  use parallel_glimpse
  implicit none
  integer :: i, total, outer
  integer :: cells(10) = [(i, i = 1, 10)]

  call omp_set_dynamic(.false.)
  call omp_set_max_active_levels(2)
  call omp_set_num_threads(4)

  !$omp parallel do schedule(dynamic, 7)
  do i = 1, 1000
    call Begin(i)
    call Finish(i, 'loop')
  end do
  !$omp end parallel do

  !$omp parallel
  !$omp single
  do i = 1, 200
    !$omp task firstprivate(i)
    call Begin(i)
    call Finish(i, 'task')
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel

  !$omp parallel private(i)
  do i = 1, 100
    !$omp critical
    call Begin(i)
    call Finish(i, 'critical')
    !$omp end critical
  end do
  !$omp end parallel

  total = 0
  !$omp parallel do reduction(+:total) schedule(guided) collapse(2)
  do outer = 1, 10
    do i = 1, 10
      total = total + logged(10 * outer + i, 'reduction')
    end do
  end do
  !$omp end parallel do
  if (total /= 6050) error stop 'the reduction is wrong'

  !$omp parallel num_threads(2) private(outer)
  outer = omp_get_thread_num()
  !$omp parallel num_threads(2) firstprivate(outer)
  call Begin(10 * outer + omp_get_thread_num())
  call Finish(10 * outer + omp_get_thread_num(), 'nested')
  !$omp end parallel
  !$omp end parallel

  call touch(cells)
  total = sum([(logged(i, 'function'), i = 1, 10)])
  if (total /= 55) error stop 'the sum is wrong'

contains

  ! Reads like a pure function; it must not be declared as one.
  function logged(i, what)
    integer, intent(in) :: i
    character(len=*), intent(in) :: what
    integer :: logged

    call Begin(i)
    logged = i
    call Finish(i, what)
  end function logged

  impure elemental subroutine touch(cell)
    integer, intent(inout) :: cell

    call Begin(cell)
    call Finish(cell, 'elemental')
  end subroutine touch

end program parallel
