! Which rows of the plate each thread computes. Row j of a triangle has j cells.
module shares
  implicit none
  private
  public :: share_rows, share_cells

contains

  ! As many rows for each thread. Thread t, from 0, has the rows first(t) to first(t + 1) - 1.
  pure function share_rows(size, threads) result(first)
    integer, intent(in) :: size, threads
    integer :: first(0:threads), t

    first = [(1 + t * size / threads, t = 0, threads)]
  end function share_rows

  ! As many cells for each thread: the rows above row j have j * (j - 1) / 2.
  pure function share_cells(size, threads) result(first)
    integer, intent(in) :: size, threads
    integer :: first(0:threads), t

    first = [(1 + nint(size * sqrt(real(t) / threads)), t = 0, threads)]
  end function share_cells

end module shares
