! SPDX-License-Identifier: MIT
! Persistent collectives in Fortran, in a program that knows nothing of Carpool: by module mpi, and by mpi_f08
! (-DUSE_F08). Each start is completed among the host's own requests, by all functions that complete requests.
#ifdef USE_F08
#define COMM type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define DATATYPE type(MPI_Datatype)
#define STATUS type(MPI_Status)
#define OF_STATUS
#define SOURCE_OF(statuses, i) statuses(i)%MPI_SOURCE
#else
#define COMM integer
#define REQUEST integer
#define DATATYPE integer
#define STATUS integer
#define OF_STATUS MPI_STATUS_SIZE,
#define SOURCE_OF(statuses, i) statuses(MPI_SOURCE, i)
#endif

program persistent
#ifdef USE_F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer, parameter :: receive = 8, all = 9, times = 80
  COMM :: ring
  REQUEST :: requests(all)
  STATUS :: statuses(OF_STATUS all)
  DATATYPE :: row
  integer :: rank, ranks, left, right, i, code, provided, failures, all_failures, token
  integer, asynchronous, allocatable :: blocks(:), got(:), matrix(:, :), received(:, :)
  integer, asynchronous :: from(2), into(2), share, total, sum, words(5)
  integer, allocatable :: ones(:), places(:)
  DATATYPE, allocatable :: kinds(:)

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring, code)
  left = mod(rank + ranks - 1, ranks)
  right = mod(rank + 1, ranks)
  failures = 0
  allocate(blocks(ranks), got(ranks), matrix(ranks, ranks), received(ranks, ranks), ones(ranks), places(ranks), kinds(ranks))
  ones = 1
  places = [(4 * i, i = 0, ranks - 1)]
  call MPI_Type_vector(ranks, 1, ranks, MPI_INTEGER, row, code)
  call MPI_Type_commit(row, code)
  kinds = row

  call MPI_Alltoall_init(blocks, 1, MPI_INTEGER, got, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), code)
  call MPI_Neighbor_alltoall_init(from, 1, MPI_INTEGER, into, 1, MPI_INTEGER, ring, MPI_INFO_NULL, requests(2), code)
  call MPI_Allreduce_init(share, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(3), code)
  call MPI_Allreduce_init(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(4), code)
#ifdef USE_F08
  call MPI_Bcast_init(words(1:5:2), 3, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(5), code)
#else
  call MPI_Bcast_init(words, 5, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(5), code)
#endif
  call MPI_Alltoallw_init(matrix, ones, places, kinds, received, ones, places, kinds, MPI_COMM_WORLD, MPI_INFO_NULL, &
      requests(6), code)
  call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, requests(7), code)
  call MPI_Recv_init(token, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(receive), code)
  requests(all) = MPI_REQUEST_NULL

  do i = 1, times
    call fill()
    if (mod(i, 2) == 0) then
      call MPI_Startall(receive, requests, code)
    else
      call start_each()
    end if
    call MPI_Isend(i, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD, requests(all), code)
    call complete(mod(i, 10))
    call look()
  end do
  do i = 1, receive
    call MPI_Request_free(requests(i), code)
    if (requests(i) /= MPI_REQUEST_NULL) failures = failures + 1
  end do
  call MPI_Type_free(row, code)
  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  call MPI_Comm_free(ring, code)
  call MPI_Finalize(code)
  if (all_failures > 0) stop 1

contains

  subroutine fill()
    integer :: j, k
    blocks(:) = [(1000 * i + 10 * rank + j, j = 0, ranks - 1)]
    from = [2 * rank, 2 * rank + 1] + 1000 * i
    share = rank + i
    sum = share
    words = merge(i, -1, rank == 0)
    matrix(:, :) = reshape([((10000 * i + 100 * rank + 10 * j + k, j = 1, ranks), k = 1, ranks)], [ranks, ranks])
    got = -1
    into = -1
    total = -1
    received = -1
    token = -1
  end subroutine

  ! What has come: a column of the received matrix is what a rank had in the row of this rank.
  subroutine look()
    integer :: j, k
    if (any(got /= [(1000 * i + 10 * j + rank, j = 0, ranks - 1)])) call fail("alltoall")
    if (any(into /= [2 * left + 1, 2 * right] + 1000 * i)) call fail("neighbor_alltoall")
    if (total /= ranks * (ranks - 1) / 2 + ranks * i) call fail("allreduce")
    if (sum /= total) call fail("allreduce in place")
    if (any(words(1:5:2) /= i)) call fail("bcast")
#ifdef USE_F08
    if (rank > 0 .and. any(words(2:4:2) /= -1)) call fail("bcast of a section")
#endif
    if (any(received /= transpose(reshape([((10000 * i + 100 * j + 10 * (rank + 1) + k, k = 1, ranks), &
        j = 0, ranks - 1)], [ranks, ranks])))) call fail("alltoallw")
    if (token /= i) call fail("receive")
  end subroutine

  subroutine fail(what)
    character(*), intent(in) :: what
    print *, "rank ", rank, ", start ", i, ": ", what
    failures = failures + 1
  end subroutine

  subroutine start_each()
    integer :: j
    do j = 1, receive
      call MPI_Start(requests(j), code)
    end do
  end subroutine

  ! MPICH 4.0 gives other indices than the standard, by mpi_f08, and for none by module mpi.
  subroutine complete(how)
    integer, intent(in) :: how
    integer :: j, index, some, completed, indices(all)
    logical :: flag
    completed = 0
    select case (how)
    case (0)
      call MPI_Waitall(all, requests, MPI_STATUSES_IGNORE, code)
    case (1)
      call MPI_Waitall(all, requests, statuses, code)
      if (SOURCE_OF(statuses, receive) /= left) call fail("status of MPI_Waitall")
    case (2)
      do j = 1, all
        call MPI_Wait(requests(j), MPI_STATUS_IGNORE, code)
      end do
    case (3)
      do j = all, 1, -1
        flag = .false.
        do while (.not. flag)
          call MPI_Test(requests(j), flag, MPI_STATUS_IGNORE, code)
        end do
      end do
    case (4)
      flag = .false.
      do while (.not. flag)
        call MPI_Testall(all, requests, flag, MPI_STATUSES_IGNORE, code)
      end do
    case (5)
      do while (completed < all)
        call MPI_Waitany(all, requests, index, MPI_STATUS_IGNORE, code)
        completed = completed + 1
      end do
    case (6)
      do while (completed < all)
        call MPI_Testany(all, requests, index, flag, MPI_STATUS_IGNORE, code)
        if (flag) completed = completed + 1
      end do
    case (7)
      do while (completed < all)
        call MPI_Waitsome(all, requests, some, indices, MPI_STATUSES_IGNORE, code)
        completed = completed + some
      end do
    case (8)
      do while (completed < all)
        call MPI_Testsome(all, requests, some, indices, statuses, code)
        completed = completed + some
      end do
    case (9)
      do j = 1, all
        flag = .false.
        do while (.not. flag)
          call MPI_Request_get_status(requests(j), flag, MPI_STATUS_IGNORE, code)
        end do
        call MPI_Wait(requests(j), MPI_STATUS_IGNORE, code)
      end do
    end select
    if (how >= 5 .and. how <= 8 .and. completed /= all) call fail("number of completed requests")
    if (requests(all) /= MPI_REQUEST_NULL .or. any_null()) call fail("requests that stay")
  end subroutine

  logical function any_null()
    integer :: j
    any_null = .false.
    do j = 1, receive
      any_null = any_null .or. requests(j) == MPI_REQUEST_NULL
    end do
  end function
end program
