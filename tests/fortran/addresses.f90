! Addresses that have names are integers, with the module and without it.
program addresses
  use, intrinsic :: iso_c_binding, only: c_intptr_t
  use addresses_glimpse
  implicit none

  call Acquire(int(z'401136', c_intptr_t), int(z'7ffe00000010', c_intptr_t))
  call Acquire(0_c_intptr_t, -1_c_intptr_t)
  call Release(int(z'7ffe00000010', c_intptr_t), -1)
  call Enter(int(z'7fff80001234', c_intptr_t), 32)
  call Called('text', -1_c_intptr_t, 7, -2147483648_c_intptr_t, 'why')
  call Called('', 0_c_intptr_t, 0, 4660_c_intptr_t, '(null)')
end program addresses
