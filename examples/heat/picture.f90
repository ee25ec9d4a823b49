! The plate as a picture: a PGM file of at most so many pixels a side, of one cell each.
module picture
  use blocks, only: block
  implicit none
  private
  public :: picture_write

  integer, parameter :: longest = 500

contains

  ! The bytes that were written.
  function picture_write(file, plate, size) result(bytes)
    character(len=*), intent(in) :: file
    type(block), intent(in) :: plate(:)
    integer, intent(in) :: size
    integer :: bytes, unit, status, stride, side, t, j
    character(len=40) :: header

    stride = (size + longest - 1) / longest
    side = (size + stride - 1) / stride
    write (header, '(a, i0, 1x, i0, a)') 'P5 ', side, side, ' 255'
    open (newunit=unit, file=file, access='stream', form='unformatted', status='replace', &
      action='write', iostat=status)
    if (status /= 0) error stop 'heat: cannot write the picture'
    write (unit) trim(header), ' '
    do t = 1, ubound(plate, 1)
      do j = plate(t)%first, plate(t)%last
        if (mod(j, stride) == 1 .or. stride == 1) &
          write (unit) char(nint(2.55 * plate(t)%old(1:size:stride, j)))
      end do
    end do
    close (unit)
    bytes = len_trim(header) + 1 + side * side
  end function picture_write

end module picture
