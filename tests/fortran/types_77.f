C     EVERY TYPE OF ATTRIBUTE, FROM FORTRAN 77. LOC AND INTEGER*8 ARE
C     COMMON EXTENSIONS.
      PROGRAM TYPS77
      CHARACTER*5000 LONG
      CHARACTER*12 PADDED
      INTEGER*8 LOWEST, WHERE, ONES
      INTEGER I
      LOWEST = -9223372036854775807_8 - 1
      WHERE = 4660
      ONES = -1
      LONG = ' '
      DO 10 I = 1, 4096
        LONG(I:I) = 'x'
   10 CONTINUE
      PADDED = 'four'
      CALL SMALL(-1, -1)
      CALL LARGE(1, LOWEST, ONES, -0.5D0, WHERE)
      CALL TEXT('')
      CALL TEXT('a')
      CALL TEXT(PADDED)
      CALL TEXT('with "quotes", ' // CHAR(9) // ' and ' // CHAR(195)
     &  // CHAR(164) // '   ')
      CALL TEXT(LONG)
      CALL MIXED('first ', 2, '   ', 1D300, PADDED(1:2))
      CALL MIXED('', 0, ' second', 0D0, ' ')
      END
