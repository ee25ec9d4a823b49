! The calls of the library through the module.
program calls
  use messages_glimpse
  implicit none
  integer :: status

  call glimpse_init('run.90      ', status)
  if (status /= 0) error stop 'no run'
  call glimpse_thread_name('ninety  ')
  call Sendmsg(src=1, seq=2)
  call glimpse_thread_switch(.false.)
  call Sendmsg(0, 0)
  call glimpse_thread_switch(.true.)
  call glimpse_switch('Sendmsg ', .false., status)
  if (status /= 0) error stop 'no event'
  call Sendmsg(0, 0)
  call glimpse_switch('Sendmsg', .true.)
  call glimpse_switch('Nobody', .true., status)
  if (status == 0) error stop 'an event that does not exist'
  call Sendmsg(3, 4)
  call glimpse_snapshot('run.snapshot', status)
  if (status /= 0) error stop 'no snapshot'
  call Sendmsg(5, 6)
  call glimpse_terminate()
  call Sendmsg(0, 0)
end program calls
