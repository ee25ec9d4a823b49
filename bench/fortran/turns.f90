! What an event costs in Fortran, and in C: loops of both take turns, and the ratio is the median of
! neighbours. Prints a row for the module and one for calls without it. The argument is what the
! names of the rows end with.
program turns
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use pair_glimpse
  implicit none
  interface
    function cpu_ns() bind(C, name="cpu_ns") result(ns)
      import :: c_double
      real(c_double) :: ns
    end function cpu_ns
    subroutine loop_c(n) bind(C, name="loop_c")
      import :: c_int
      integer(c_int), value :: n
    end subroutine loop_c
    subroutine loop_external(n)
      integer, intent(in) :: n
    end subroutine loop_external
  end interface
  integer, parameter :: turn = 1000000, rounds = 25
  real(c_double) :: c(rounds), module(rounds), external(rounds)
  integer :: i
  character(len=40) :: suffix

  call get_command_argument(1, suffix)
  call loop_c(turn)
  do i = 1, rounds
    c(i) = cpu_ns()
    call loop_c(turn)
    c(i) = cpu_ns() - c(i)
    module(i) = cpu_ns()
    call loop_module(turn)
    module(i) = cpu_ns() - module(i)
    external(i) = cpu_ns()
    call loop_external(turn)
    external(i) = cpu_ns() - external(i)
  end do
  call row('Fortran event / C event', module)
  call row('Fortran without the module / C', external)

contains

  subroutine loop_module(n)
    integer, intent(in) :: n
    integer :: i

    do i = 1, n
      call Tick(i, 2)
    end do
  end subroutine loop_module

  subroutine row(name, times)
    character(len=*), intent(in) :: name
    real(c_double), intent(in) :: times(rounds)
    character, parameter :: tab = achar(9)

    print '(3a, f4.2, 3a, 2(a, f0.1), a)', name, trim(suffix), tab, median(times / c), tab, '<= 1.2', tab, &
      'C ', median(c) / turn, ' ns, Fortran ', median(times) / turn, ' ns'
  end subroutine row

  function median(values)
    real(c_double), intent(in) :: values(:)
    real(c_double) :: median
    real(c_double) :: rest(size(values))
    integer :: i

    rest = values
    do i = 1, size(values) / 2
      rest(minloc(rest)) = huge(rest)
    end do
    median = minval(rest)
  end function median

end program turns
