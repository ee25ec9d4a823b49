! A thread's part of the plate: its rows, and one more above and below, the halo.
module blocks
  implicit none
  private
  public :: block, block_make, block_sweep, block_swap, block_cells

  integer, parameter, public :: real8 = selected_real_kind(15)
  real(real8), parameter :: hot = 100

  type :: block
    integer :: first, last, size
    real(real8), allocatable :: old(:, :), new(:, :)    ! cell, row
  end type block

contains

  ! Cold, but for the plate's lowest row, which stays hot. Called by the thread that computes it, so
  ! that the memory is near its processor.
  subroutine block_make(b, first, last, size)
    type(block), intent(out) :: b
    integer, intent(in) :: first, last, size

    b%first = first
    b%last = last
    b%size = size
    allocate(b%old(size, first - 1:last + 1), source=0.0_real8)
    if (last == size) b%old(:, size) = hot
    allocate(b%new, source=b%old)
  end subroutine block_make

  pure function block_cells(b) result(cells)
    type(block), intent(in) :: b
    integer :: cells

    cells = (b%last * (b%last + 1) - b%first * (b%first - 1)) / 2
  end function block_cells

  ! The next state from this one and the halo; the greatest change of a cell. The cells at the edges
  ! of the triangle keep their temperatures.
  function block_sweep(b) result(change)
    type(block), intent(inout) :: b
    real(real8) :: change
    integer :: i, j

    change = 0
    do j = max(b%first, 3), min(b%last, b%size - 1)
      do i = 2, j - 1
        b%new(i, j) = 0.25_real8 * &
          (b%old(i - 1, j) + b%old(i + 1, j) + b%old(i, j - 1) + b%old(i, j + 1))
        change = max(change, abs(b%new(i, j) - b%old(i, j)))
      end do
    end do
  end function block_sweep

  subroutine block_swap(b)
    type(block), intent(inout) :: b
    real(real8), allocatable :: kept(:, :)

    call move_alloc(b%old, kept)
    call move_alloc(b%new, b%old)
    call move_alloc(kept, b%new)
  end subroutine block_swap

end module blocks
