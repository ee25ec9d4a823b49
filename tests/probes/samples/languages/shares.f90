! Five procedures of known shares in three threads of OpenMP. Prints what each took by the threads' own clocks, in ns.
! The argument: how many rounds.
module shares_work
	use, intrinsic :: iso_c_binding
	implicit none

	integer, parameter :: threads = 3, procedures = 5
	integer(c_int64_t), volatile :: sink = 0

	type, bind(c) :: timespec
		integer(c_long) :: seconds, nanoseconds
	end type

	interface
		function clock_gettime(clock, time) bind(c)
			import
			integer(c_int), value :: clock
			type(timespec), intent(out) :: time
			integer(c_int) :: clock_gettime
		end function
	end interface

contains

	integer(c_long) function now()
		type(timespec) :: time
		integer(c_int) :: status

		! CLOCK_THREAD_CPUTIME_ID
		status = clock_gettime(3_c_int, time)
		now = time%seconds * 1000000000_c_long + time%nanoseconds + 0 * status
	end function

	subroutine half(n) bind(c)
		integer(c_long), value :: n
		integer(c_int64_t) :: x, i

		x = n
		do i = 1, n
			x = ieor(iand(x * 1664525 + 1013904223, 4294967295_c_int64_t), ishft(x, -13))
		end do
		sink = x
	end subroutine

	subroutine quarter(n) bind(c)
		integer(c_long), value :: n
		integer(c_int64_t) :: x, i

		x = n
		do i = 1, n
			x = ieor(iand(x * 1664525 + 1013904223, 4294967295_c_int64_t), ishft(x, -12))
		end do
		sink = x
	end subroutine

	subroutine sixth(n) bind(c)
		integer(c_long), value :: n
		integer(c_int64_t) :: x, i

		x = n
		do i = 1, n
			x = ieor(iand(x * 1664525 + 1013904223, 4294967295_c_int64_t), ishft(x, -11))
		end do
		sink = x
	end subroutine

	subroutine twelfth(n) bind(c)
		integer(c_long), value :: n
		integer(c_int64_t) :: x, i

		x = n
		do i = 1, n
			x = ieor(iand(x * 1664525 + 1013904223, 4294967295_c_int64_t), ishft(x, -10))
		end do
		sink = x
	end subroutine

	subroutine hundredth(n) bind(c)
		integer(c_long), value :: n
		integer(c_int64_t) :: x, i

		x = n
		do i = 1, n
			x = ieor(iand(x * 1664525 + 1013904223, 4294967295_c_int64_t), ishft(x, -9))
		end do
		sink = x
	end subroutine

	subroutine work(rounds, thread, took)
		integer(c_long), intent(in) :: rounds
		integer, intent(in) :: thread
		integer(c_long), intent(inout) :: took(procedures)
		integer(c_int64_t) :: random
		integer(c_long) :: times(procedures + 1), unit, i

		! rounds of one sequence would be met at the same places in each run
		random = iand(getpid() * 2654435761_c_int64_t + thread, 4294967295_c_int64_t)
		do i = 1, rounds
			random = iand(random * 1664525 + 1013904223, 4294967295_c_int64_t)
			unit = 50 + mod(ishft(random, -25), 100_c_int64_t)
			times(1) = now()
			call half(5000 * unit)
			times(2) = now()
			call quarter(2500 * unit)
			times(3) = now()
			call sixth(1600 * unit)
			times(4) = now()
			call twelfth(800 * unit)
			times(5) = now()
			call hundredth(100 * unit)
			times(6) = now()
			took = took + times(2:) - times(:procedures)
		end do
	end subroutine
end module

program shares
	use shares_work
	implicit none
	character(len=9), parameter :: names(procedures) = &
		[character(len=9) :: 'half', 'quarter', 'sixth', 'twelfth', 'hundredth']
	integer(c_long) :: took(procedures, threads), rounds
	character(len=20) :: argument
	integer :: k

	rounds = 100
	call get_command_argument(1, argument)
	if (len_trim(argument) > 0) read (argument, *) rounds
	took = 0
	!$omp parallel do num_threads(threads) schedule(static, 1)
	do k = 1, threads
		call work(rounds, k, took(:, k))
	end do
	do k = 1, procedures
		print '(a, 1x, i0)', trim(names(k)), sum(took(k, :))
	end do
end program
