! heat rows|cells [THREADS [SIZE [STEPS [EVERY]]]]: how heat spreads in a triangular plate that is hot
! at its lower edge. Each thread computes a block of rows: as many rows as the others, or as many
! cells. A picture, heat.pgm, is written every so many steps. The result does not depend on the
! number of threads, nor on the shares.
program heat
  use, intrinsic :: iso_fortran_env, only: error_unit
  use omp_lib
  use blocks
  use heat_glimpse
  use picture, only: picture_write
  use shares
  implicit none
  character(len=*), parameter :: file = 'heat.pgm'
  integer :: threads, size, steps, every
  integer, allocatable :: first(:)
  type(block), allocatable :: plate(:)
  real(real8), allocatable :: changes(:)
  real(real8) :: began, change

  threads = argument(2, 2)
  size = argument(3, 2000)
  steps = argument(4, 40)
  every = argument(5, 20)
  call choose_shares()
  allocate(plate(threads), changes(threads))
  call omp_set_dynamic(.false.)
  began = omp_get_wtime()
  !$omp parallel num_threads(threads)
  call solve(omp_get_thread_num() + 1)
  !$omp end parallel
  print '(a, f0.6, a, es10.3, a, f0.3, a)', 'mean ', mean(), ', last change ', change, ', ', &
    omp_get_wtime() - began, ' s'
  deallocate(plate, changes, first)

contains

  ! What thread `me` does, counted from 1.
  subroutine solve(me)
    integer, intent(in) :: me
    integer :: step

    call block_make(plate(me), first(me), first(me + 1) - 1, size)
    call enter(me)
    do step = 1, steps
      call sweep_begin(step)
      changes(me) = block_sweep(plate(me))
      call sweep_end(step)
      !$omp barrier
      call together(step)
      call block_swap(plate(me))
      !$omp barrier
      call copy_halo(me, step)
      if (me == 1) then
        change = maxval(changes)
        if (mod(step, every) == 0) call write_picture(step)
      end if
      !$omp barrier
    end do
  end subroutine solve

  ! One after the other, so that thread 0 of the trace is thread 0 here.
  subroutine enter(me)
    integer, intent(in) :: me
    integer :: t

    do t = 1, threads
      if (t == me) call ready(block_cells(plate(t)))
      !$omp barrier
    end do
  end subroutine enter

  subroutine copy_halo(me, step)
    integer, intent(in) :: me, step

    call halo_begin(step)
    associate (b => plate(me))
      if (me > 1) b%old(:, b%first - 1) = plate(me - 1)%old(:, b%first - 1)
      if (me < threads) b%old(:, b%last + 1) = plate(me + 1)%old(:, b%last + 1)
    end associate
    call halo_end(step)
  end subroutine copy_halo

  subroutine write_picture(step)
    integer, intent(in) :: step
    integer :: bytes

    call write_begin(step)
    bytes = picture_write(file, plate, size)
    call write_end(step, int(bytes, 8))
  end subroutine write_picture

  function mean()
    real(real8) :: mean
    integer :: t, j

    mean = 0
    do t = 1, threads
      do j = plate(t)%first, plate(t)%last
        mean = mean + sum(plate(t)%old(1:j, j))
      end do
    end do
    mean = mean / (0.5_real8 * size * (size + 1))
  end function mean

  subroutine choose_shares()
    character(len=20) :: name

    call get_command_argument(1, name)
    if (size < 3 * threads) call usage()
    select case (name)
    case ('rows')
      first = share_rows(size, threads)
    case ('cells')
      first = share_cells(size, threads)
    case default
      call usage()
    end select
  end subroutine choose_shares

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
    write (error_unit, '(a)') 'usage: heat rows|cells [THREADS [SIZE [STEPS [EVERY]]]]'
    stop 2
  end subroutine usage

end program heat
