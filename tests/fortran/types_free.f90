! Every type of attribute, without the module: nothing declares the events.
program types_free
  use, intrinsic :: iso_c_binding, only: c_intptr_t, c_null_ptr, c_ptr
  implicit none
  external :: small, large, text, mixed
  character(len=5000) :: long
  character(len=12) :: padded
  type(c_ptr) :: somewhere

  somewhere = transfer(int(z'1234', c_intptr_t), c_null_ptr)
  long = repeat('x', 4096)
  padded = 'four'
  call small(-1, -1)
  call Large(1, ibset(0_8, 63), -1_8, -0.5d0, somewhere)
  call Text('')
  call Text('a')
  call TEXT(padded)
  call Text('with "quotes", ' // achar(9) // ' and ' // char(195) // char(164) // '   ')
  call Text(long)
  call Mixed('first ', 2, '   ', 1d300, padded(1:2))
  call Mixed('', 0, ' second', 0d0, repeat(' ', 100))
end program types_free
