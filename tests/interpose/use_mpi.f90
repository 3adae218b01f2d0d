! SPDX-License-Identifier: MIT
! Collectives in Fortran by module mpi, in a program that knows nothing of Carpool: a ring of ranks.
program use_mpi
  use mpi
  implicit none
  integer, parameter :: times = 80
  integer :: rank, ranks, left, right, ring, request, i, code, failures, all_failures
  integer :: from(2), into(2), ones(2), places(2), total
  integer :: kinds(2)
  integer(MPI_ADDRESS_KIND) :: bytes(2)
  logical :: flag
  double precision :: share(3), whole(3)

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring, code)
  left = mod(rank + ranks - 1, ranks)
  right = mod(rank + 1, ranks)
  failures = 0
  ones = 1
  places = [0, 1]
  bytes = [0, 4]
  kinds = MPI_INTEGER
  do i = 1, times
    from = [10 * rank, 10 * rank + 1] + 1000 * i
    into = -1
    select case (mod(i, 5))
    case (0)
      call MPI_Neighbor_alltoall(from, 1, MPI_INTEGER, into, 1, MPI_INTEGER, ring, code)
    case (1)
      call MPI_Neighbor_alltoallv(from, ones, places, MPI_INTEGER, into, ones, places, MPI_INTEGER, &
          ring, code)
    case (2)
      call MPI_Neighbor_alltoallw(from, ones, bytes, kinds, into, ones, bytes, kinds, ring, code)
    case (3)
      call MPI_Ineighbor_alltoall(from, 1, MPI_INTEGER, into, 1, MPI_INTEGER, ring, request, code)
      call MPI_Wait(request, MPI_STATUS_IGNORE, code)
    case (4)
      call MPI_Ineighbor_alltoallv(from, ones, places, MPI_INTEGER, into, ones, places, &
          MPI_INTEGER, ring, request, code)
      flag = .false.
      do while (.not. flag)
        call MPI_Test(request, flag, MPI_STATUS_IGNORE, code)
      end do
    end select
    if (into(1) /= 10 * left + 1 + 1000 * i .or. into(2) /= 10 * right + 1000 * i) failures = failures + 1
    share = [1d0, dble(rank), 2d0]
    call MPI_Allreduce(MPI_IN_PLACE, share, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    whole = [dble(ranks), dble(ranks * (ranks - 1) / 2), 2d0 * ranks]
    if (any(share /= whole)) failures = failures + 1
    total = 0
    if (rank == 0) total = i
    call MPI_Bcast(total, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    if (total /= i) failures = failures + 1
  end do
  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  call MPI_Comm_free(ring, code)
  call MPI_Finalize(code)
  if (all_failures > 0) stop 1
end program
