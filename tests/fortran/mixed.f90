! Messages that are sent in Fortran and received in C.
program mixed
  use, intrinsic :: iso_c_binding, only: c_int
  use messages_glimpse
  use empty_glimpse
  implicit none
  interface
    subroutine exchange(src, count) bind(C, name="exchange_c")
      import :: c_int
      integer(c_int), value :: src, count
    end subroutine exchange
  end interface
  integer :: i

  do i = 0, 99
    call Preparemsg()
    call Sendmsg(7, i)
  end do
  call exchange(7, 100)
  call Tick()
end program mixed
