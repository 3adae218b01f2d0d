! SPDX-License-Identifier: MIT
! Halo exchange of a 9-point stencil on a torus of ranks: mpiexec -n 6 ./halo_f90
!
! halo.c in Fortran: each rank has n x n cells and a halo one cell wide.
program halo
  use mpi_f08
  use carpool
  implicit none
  integer, parameter :: n = 5
  integer :: dims(2) = 0, coords(2), offsets(2, 8), t, size, rank, x, y, wrong
  double precision, asynchronous :: matrix(0:n + 1, 0:n + 1)
  type(MPI_Comm) :: torus
  type(Carpool_Request) :: exchange

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Dims_create(size, 2, dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .true.], .false., torus)
  call MPI_Comm_rank(torus, rank)
  call MPI_Cart_coords(torus, rank, 2, coords)
  call Carpool_Stencil_moore(2, 1, 8, t, offsets)
  call Carpool_Halo_init(matrix, MPI_DOUBLE_PRECISION, [1, 1], [1, 1], t, offsets, torus, &
      MPI_INFO_NULL, exchange)

  do y = 1, n
    do x = 1, n
      matrix(x, y) = content(x, y)
    end do
  end do
  call Carpool_Start(exchange) ! these two lines in every step
  call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
  wrong = 0
  do y = 0, n + 1
    do x = 0, n + 1
      if (abs(matrix(x, y) - content(x, y)) > 0) wrong = wrong + 1
    end do
  end do

  print '(3(a, i0), a)', 'rank ', rank, ' of ', size, ': ', wrong, ' wrong cells'
  call Carpool_Request_free(exchange)
  call MPI_Comm_free(torus)
  call MPI_Finalize()
  if (wrong > 0) error stop 1

contains

  ! A number that identifies a cell of the whole torus.
  double precision function content(x, y)
    integer, intent(in) :: x, y
    content = 1 + modulo(coords(1) * n + x - 1, dims(1) * n) &
        + dims(1) * n * modulo(coords(2) * n + y - 1, dims(2) * n)
  end function
end program
