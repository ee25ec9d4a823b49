!
! Glimpse for Fortran: what does not depend on a specification. The generated module NAME_glimpse
! passes all of it on, so a program says `use NAME_glimpse` and nothing else.
!
! Nothing has to be called first or last. Compile this source with your own compiler: a module file
! fits one compiler only. Trailing blanks of directories and names do not count.
!
module glimpse
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  implicit none
  private

  public :: glimpse_init, glimpse_terminate, glimpse_thread_name, glimpse_thread_close
  public :: glimpse_thread_switch, glimpse_switch, glimpse_snapshot

  interface

    ! Ends the calling thread's log and the run: later events of any thread are not logged.
    subroutine glimpse_terminate() bind(C, name="glimpse_close")
    end subroutine glimpse_terminate

    ! Ends the calling thread's log, as its end would. An event after it opens another log.
    subroutine glimpse_thread_close() bind(C, name="glimpse_thread_close")
    end subroutine glimpse_thread_close

  end interface

contains

  ! Logs to the directory instead of what GLIMPSE_DIR or the default says. Optional; before the
  ! first event. Without a directory, or with a blank one, the default is opened at once.
  ! Status: 0, or -1 when nothing will be logged (one line on standard error said why).
  subroutine glimpse_init(directory, status)
    character(len=*), intent(in), optional :: directory
    integer, intent(out), optional :: status
    integer :: outcome
    interface
      function init(directory) bind(C, name="glimpse_init") result(status)
        import :: c_char, c_int
        character(kind=c_char), dimension(*), intent(in) :: directory
        integer(c_int) :: status
      end function init
    end interface

    if (present(directory)) then
      outcome = init(trim(directory) // c_null_char)
    else
      outcome = init(c_null_char)
    end if
    if (present(status)) status = outcome
  end subroutine glimpse_init

  ! Names the calling thread, in its log from here on. At most 63 bytes are kept.
  subroutine glimpse_thread_name(name)
    character(len=*), intent(in) :: name
    interface
      subroutine thread_name(name) bind(C, name="glimpse_thread_name")
        import :: c_char
        character(kind=c_char), dimension(*), intent(in) :: name
      end subroutine thread_name
    end interface

    call thread_name(trim(name) // c_null_char)
  end subroutine glimpse_thread_name

  ! Switches the calling thread's events off, and on again.
  subroutine glimpse_thread_switch(on)
    logical, intent(in) :: on
    interface
      subroutine thread_switch(on) bind(C, name="glimpse_thread_switch")
        import :: c_int
        integer(c_int), value :: on
      end subroutine thread_switch
    end interface

    call thread_switch(merge(1_c_int, 0_c_int, on))
  end subroutine glimpse_thread_switch

  ! Switches an event type of this program, by its name as the specification has it. Status: 0, or
  ! -1: there is no such event.
  subroutine glimpse_switch(event, on, status)
    character(len=*), intent(in) :: event
    logical, intent(in) :: on
    integer, intent(out), optional :: status
    integer :: outcome
    interface
      function switch(event, on) bind(C, name="glimpse_switch") result(status)
        import :: c_char, c_int
        character(kind=c_char), dimension(*), intent(in) :: event
        integer(c_int), value :: on
        integer(c_int) :: status
      end function switch
    end interface

    outcome = switch(trim(event) // c_null_char, merge(1_c_int, 0_c_int, on))
    if (present(status)) status = outcome
  end subroutine glimpse_switch

  ! Writes what the logs hold at this moment to a new directory, while the program runs on.
  ! Status: 0 or -1.
  subroutine glimpse_snapshot(directory, status)
    character(len=*), intent(in) :: directory
    integer, intent(out), optional :: status
    integer :: outcome
    interface
      function snapshot(directory) bind(C, name="glimpse_snapshot") result(status)
        import :: c_char, c_int
        character(kind=c_char), dimension(*), intent(in) :: directory
        integer(c_int) :: status
      end function snapshot
    end interface

    outcome = snapshot(trim(directory) // c_null_char)
    if (present(status)) status = outcome
  end subroutine glimpse_snapshot

end module glimpse
