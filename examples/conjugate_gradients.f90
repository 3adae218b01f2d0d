! SPDX-License-Identifier: MIT
! Solves a Poisson equation on a square by conjugate gradients: mpiexec -n 4 ./conjugate_gradients_f90
!
! The unknowns form a grid that is distributed by blocks. Each step needs the halo of the direction, for
! the 5-point stencil, and two sums over all ranks.
program conjugate_gradients
  use mpi_f08
  use carpool
  implicit none
  integer, parameter :: n = 12
  integer :: dims(2) = 0, coords(2), offsets(2, 4), t, ranks, rank, steps
  double precision, asynchronous :: direction(0:n + 1, 0:n + 1), part(1), whole(1)
  double precision, dimension(n, n) :: solution, wanted, residual, image
  double precision :: rho, last, error
  type(MPI_Comm) :: mesh
  type(Carpool_Request) :: halo, total

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Dims_create(ranks, 2, dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .false.], .false., mesh)
  call MPI_Comm_rank(mesh, rank)
  call MPI_Cart_coords(mesh, rank, 2, coords)
  call Carpool_Stencil_von_neumann(2, 1, 4, t, offsets)
  call Carpool_Halo_init(direction, MPI_DOUBLE_PRECISION, [1, 1], [1, 1], t, offsets, mesh, &
      MPI_INFO_NULL, halo)
  call Carpool_Allreduce_init(part, whole, 1, MPI_DOUBLE_PRECISION, MPI_SUM, mesh, MPI_INFO_NULL, total)

  ! The right-hand side belongs to a known solution. Outside the square everything is 0.
  direction = 0
  call fill(wanted)
  direction(1:n, 1:n) = wanted
  call apply
  residual = image
  solution = 0
  direction(1:n, 1:n) = residual
  rho = sum_of(residual**2)
  steps = 0
  do while (rho > 1d-20 .and. steps < 1000)
    call apply
    associate (d => direction(1:n, 1:n))
      last = rho
      rho = rho / sum_of(d * image)
      solution = solution + rho * d
      residual = residual - rho * image
      rho = sum_of(residual**2)
      d = residual + rho / last * d
    end associate
    steps = steps + 1
  end do

  error = sqrt(sum_of((solution - wanted)**2))
  if (rank == 0) print '(i0, a, es8.1)', steps, ' steps, error ', error
  call Carpool_Request_free(halo)
  call Carpool_Request_free(total)
  call MPI_Comm_free(mesh)
  call MPI_Finalize()
  if (error > 1d-7) error stop 1

contains

  subroutine fill(u)
    double precision, intent(out) :: u(n, n)
    integer :: x, y
    do y = 1, n
      do x = 1, n
        u(x, y) = sin(0.3d0 * (coords(1) * n + x)) + 0.01d0 * (coords(2) * n + y)**2
      end do
    end do
  end subroutine

  ! Sets image to the matrix times the direction.
  subroutine apply
    call Carpool_Start(halo)
    call Carpool_Wait(halo, MPI_STATUS_IGNORE)
    image = 4 * direction(1:n, 1:n) - direction(0:n - 1, 1:n) - direction(2:n + 1, 1:n) &
        - direction(1:n, 0:n - 1) - direction(1:n, 2:n + 1)
  end subroutine

  double precision function sum_of(a)
    double precision, intent(in) :: a(:, :)
    part(1) = sum(a)
    call Carpool_Start(total)
    call Carpool_Wait(total, MPI_STATUS_IGNORE)
    sum_of = whole(1)
  end function
end program
