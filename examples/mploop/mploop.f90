! mploop SCHEDULE [THREADS [ITERATIONS [CHUNK [STEPS]]]]: a loop of independent iterations of the same
! length, shared out to threads. SCHEDULE is static (SIMPLE in the thesis), interleave (static with a
! chunk), dynamic or guided (GSS).
!
! Iteration i finds by the midpoint rule, in so many steps, the area below sin(b x)**2 between 0 and 1.
program mploop
  use, intrinsic :: iso_fortran_env, only: error_unit
  use omp_lib
  use mploop_glimpse
  implicit none
  integer, parameter :: real8 = selected_real_kind(15)
  integer :: threads, length, chunk, steps, i
  real(real8), allocatable :: a(:), b(:)

  threads = argument(2, 4)
  length = argument(3, 400)
  chunk = argument(4, 25)
  steps = argument(5, 100000)
  allocate(a(length), b(length))
  b = [(1 + 0.01_real8 * i, i = 1, length)]
  call choose_schedule()
  call omp_set_dynamic(.false.)

  !$omp parallel num_threads(threads) private(i)
  do i = 1, threads     ! lanes are in the order of first events
    if (i == omp_get_thread_num() + 1) call ready()
    !$omp barrier
  end do
  !$omp master
  call loop_begin()
  !$omp end master
  !$omp do schedule(runtime)
  do i = 1, length
    call event_x(i)
    a(i) = area(b(i))
    call event_y(i)
  end do
  !$omp end do nowait
  call done()
  !$omp barrier
  !$omp master
  call loop_end()
  !$omp end master
  !$omp end parallel

  call check()
  deallocate(a, b)

contains

  pure function area(b)
    real(real8), intent(in) :: b
    real(real8) :: area
    integer :: k

    area = 0
    do k = 1, steps
      area = area + sin(b * (k - 0.5_real8) / steps)**2
    end do
    area = area / steps
  end function area

  ! The integral has a closed form.
  subroutine check()
    real(real8) :: error

    error = maxval(abs(a - (0.5_real8 - sin(2 * b) / (4 * b))))
    if (error > 1e-4_real8) then
      write (error_unit, '(a, es9.2)') 'mploop: the result is wrong by', error
      error stop 1
    end if
  end subroutine check

  subroutine choose_schedule()
    character(len=20) :: name

    call get_command_argument(1, name)
    select case (name)
    case ('static')
      call omp_set_schedule(omp_sched_static, 0)
    case ('interleave')
      call omp_set_schedule(omp_sched_static, chunk)
    case ('dynamic')
      call omp_set_schedule(omp_sched_dynamic, chunk)
    case ('guided')
      call omp_set_schedule(omp_sched_guided, 1)
    case default
      call usage()
    end select
  end subroutine choose_schedule

  ! The n-th argument, a number above 0; what it is when it is not given.
  function argument(n, default)
    integer, intent(in) :: n, default
    integer :: argument, status
    character(len=20) :: text

    argument = default
    if (n > command_argument_count()) return
    call get_command_argument(n, text)
    read (text, *, iostat=status) argument
    if (status /= 0 .or. argument < 1) call usage()
  end function argument

  subroutine usage()
    write (error_unit, '(a)') &
      'usage: mploop static|interleave|dynamic|guided [THREADS [ITERATIONS [CHUNK [STEPS]]]]'
    stop 2
  end subroutine usage

end program mploop
