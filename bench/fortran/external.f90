! Events without the module, as FORTRAN 77 calls them.
subroutine loop_external(n)
  implicit none
  integer, intent(in) :: n
  integer :: i
  external :: tick

  do i = 1, n
    call tick(i, 2)
  end do
end subroutine loop_external
