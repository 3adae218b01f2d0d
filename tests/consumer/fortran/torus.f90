! SPDX-License-Identifier: MIT
! A ring of ranks: each gets the numbers of both neighbors.
program torus
  use mpi_f08
  use carpool
  implicit none
  integer :: ranks, rank, came(2)
  type(MPI_Comm) :: ring
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 1, [ranks], [.true.], 2, [1, -1], &
      MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring)
  call MPI_Comm_rank(ring, rank)
  call Carpool_Neighbor_allgather(rank, 1, MPI_INTEGER, came, 1, MPI_INTEGER, ring)
  call MPI_Comm_free(ring)
  call MPI_Finalize()
  if (any(came /= modulo(rank + [-1, 1], ranks))) error stop 1
end program
