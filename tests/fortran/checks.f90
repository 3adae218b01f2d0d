! SPDX-License-Identifier: MIT
! What the tests of module carpool say of what they find.
module checks
  use, intrinsic :: iso_fortran_env, only: error_unit
  use mpi_f08
  implicit none
  private
  public :: check, class_of, finish, rank_and_size

  integer :: failures = 0

contains

  subroutine rank_and_size(rank, size)
    integer, intent(out) :: rank, size
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
  end subroutine

  subroutine check(holds, claim)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: claim
    integer :: rank
    if (holds) return
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    write (error_unit, '(a, i0, 2a)') 'rank ', rank, ', this is false: ', claim
    failures = failures + 1
  end subroutine

  integer function class_of(code)
    integer, intent(in) :: code
    call MPI_Error_class(code, class_of)
    class_of = ibclr(class_of, 30) ! the mark of a code with a text, which MPICH 4.0 leaves there
  end function

  ! Ends MPI; and the program with an error if a check has failed.
  subroutine finish()
    call MPI_Finalize()
    if (failures > 0) error stop 1
  end subroutine
end module
