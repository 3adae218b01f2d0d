! SPDX-License-Identifier: MIT
! The same by module mpi_f08, with error codes left out, and persistent requests where the MPI has
! them (-DHAS_PERSISTENT).
program use_mpi_f08
  use mpi_f08
  implicit none
  integer, parameter :: times = 80
  type(MPI_Comm) :: ring
  type(MPI_Request) :: request, requests(2)
  integer :: rank, ranks, left, right, i, provided, failures, all_failures, token
  integer, asynchronous :: from(2), into(2), all(4), total
  integer :: ones(2), places(2)
  type(MPI_Datatype) :: kinds(2)
  integer(MPI_ADDRESS_KIND) :: bytes(2)

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring)
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
    select case (mod(i, 4))
    case (0)
      call MPI_Neighbor_alltoall(from, 1, MPI_INTEGER, into, 1, MPI_INTEGER, ring)
    case (1)
#ifdef HAS_PERSISTENT
      call MPI_Neighbor_allgather(from, 2, MPI_INTEGER, all, 2, MPI_INTEGER, ring)
      into = [all(2), all(3)]  ! MPICH 4.0's MPI_Neighbor_alltoallw takes no Cartesian communicator
#else
      call MPI_Neighbor_alltoallw(from, ones, bytes, kinds, into, ones, bytes, kinds, ring)
#endif
    case (2)
      call MPI_Ineighbor_alltoall(from, 1, MPI_INTEGER, into, 1, MPI_INTEGER, ring, request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
    case (3)
      call MPI_Ineighbor_alltoallv(from, ones, places, MPI_INTEGER, into, ones, places, &
          MPI_INTEGER, ring, request)
      requests(1) = request
      call MPI_Irecv(token, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(2))
      call MPI_Send(i, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
      if (token /= i) failures = failures + 1
    end select
    if (into(1) /= 10 * left + 1 + 1000 * i .or. into(2) /= 10 * right + 1000 * i) failures = failures + 1
    total = rank
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (total /= ranks * (ranks - 1) / 2) failures = failures + 1
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Ibarrier(MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end do
#ifdef HAS_PERSISTENT
  call MPI_Neighbor_alltoall_init(from, 1, MPI_INTEGER, into, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request)
  do i = 1, times
    from = [10 * rank, 10 * rank + 1] + 1000 * i
    into = -1
    call MPI_Start(request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (into(1) /= 10 * left + 1 + 1000 * i .or. into(2) /= 10 * right + 1000 * i) failures = failures + 1
  end do
  call MPI_Request_free(request)
#endif
  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Comm_free(ring)
  call MPI_Finalize()
  if (all_failures > 0) stop 1
end program
