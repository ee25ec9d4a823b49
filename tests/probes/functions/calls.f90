! Calls whose numbers are known: 10 of middle, each 3 of leaf.
module work
  implicit none
  integer :: total = 0
contains
  subroutine leaf(n)
    integer, intent(in) :: n
    total = total + n
  end subroutine leaf
  subroutine middle(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, 3
      call leaf(n + i)
    end do
  end subroutine middle
end module work

program calls
  use work
  implicit none
  integer :: i
  do i = 1, 10
    call middle(i)
  end do
  print *, total
end program calls
