! SPDX-License-Identifier: MIT
! The ordinary collectives give what MPI's give, in all forms and with counts of either kind.
module own_operator
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none

contains

  ! Of two numbers the one that is further from zero.
  subroutine the_bigger(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    double precision, pointer :: a(:), b(:)
    if (datatype /= MPI_DOUBLE_PRECISION) call MPI_Abort(MPI_COMM_WORLD, 2)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    where (abs(a) > abs(b)) b = a
  end subroutine
end module

program test_collectives
  use mpi_f08
  use carpool
  use checks
  use own_operator
  implicit none
  integer, parameter :: n = 3, large = MPI_COUNT_KIND, aint = MPI_ADDRESS_KIND
  integer :: rank, ranks, i, code
  integer, allocatable :: counts(:), displs(:), mine(:), all(:), wanted(:), got(:)
  double precision :: x(n), y(n), z(n)
  type(MPI_Request) :: request
  type(Carpool_Request) :: exchange
  type(MPI_Op) :: bigger

  call MPI_Init()
  call rank_and_size(rank, ranks)
  counts = [(i, i = 1, ranks)]
  displs = [(i * (i - 1) / 2, i = 1, ranks)]
  mine = [(100 * rank + i, i = 1, n * ranks)]
  allocate (all(n * ranks), wanted(n * ranks), got(n * ranks))

  call moved
  call varying
  call typed
  call summed
  call in_place
  call by_own_operator
  call finish

contains

  subroutine moved
    call Carpool_Barrier(MPI_COMM_WORLD)
    x = rank
    call Carpool_Bcast(x, n, MPI_DOUBLE_PRECISION, ranks - 1, MPI_COMM_WORLD)
    call check(all_are(x, ranks - 1d0), 'a bcast brings what the root has')
    x = rank
    call Carpool_Ibcast(x, int(n, large), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, request, code)
    call check(code == MPI_SUCCESS, 'ierror is MPI_SUCCESS')
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all_are(x, 0d0), 'a nonblocking bcast brings what the root has')

    call MPI_Alltoall(mine, n, MPI_INTEGER, wanted, n, MPI_INTEGER, MPI_COMM_WORLD)
    call Carpool_Alltoall(mine, n, MPI_INTEGER, got, n, MPI_INTEGER, MPI_COMM_WORLD)
    call check(same(got, wanted), 'alltoall is as MPI''s')
    got = -1
    call Carpool_Alltoall(mine, int(n, large), MPI_INTEGER, got, int(n, large), MPI_INTEGER, &
        MPI_COMM_WORLD)
    call check(same(got, wanted), 'alltoall with large counts is as MPI''s')
    got = -1
    call Carpool_Alltoall_init(mine, n, MPI_INTEGER, got, n, MPI_INTEGER, MPI_COMM_WORLD, &
        MPI_INFO_NULL, exchange)
    do i = 1, 3
      got = -1
      call Carpool_Start(exchange)
      call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
      call check(same(got, wanted), 'a persistent alltoall is as MPI''s')
    end do
    call Carpool_Request_free(exchange)
    call check(exchange == CARPOOL_REQUEST_NULL, 'a request that has been freed is null')

    call MPI_Allgather(mine, n, MPI_INTEGER, wanted, n, MPI_INTEGER, MPI_COMM_WORLD)
    call Carpool_Allgather(mine, n, MPI_INTEGER, got, n, MPI_INTEGER, MPI_COMM_WORLD)
    call check(same(got, wanted), 'allgather is as MPI''s')
    got = -1
    call Carpool_Gather(mine, n, MPI_INTEGER, got, n, MPI_INTEGER, 0, MPI_COMM_WORLD)
    if (rank == 0) call check(same(got, wanted), 'gather is as allgather at the root')
    got = -1
    call Carpool_Scatter(wanted, n, MPI_INTEGER, got, n, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call check(same(got(1:n), mine(1:n)), 'scatter undoes gather')
  end subroutine

  subroutine varying
    integer :: total
    total = ranks * (ranks + 1) / 2
    deallocate (all, wanted, got)
    allocate (all(total), wanted(total), got(total))
    call MPI_Allgatherv(mine, rank + 1, MPI_INTEGER, wanted, counts, displs, MPI_INTEGER, &
        MPI_COMM_WORLD)
    call Carpool_Allgatherv(mine, rank + 1, MPI_INTEGER, got, counts, displs, MPI_INTEGER, &
        MPI_COMM_WORLD)
    call check(same(got, wanted), 'allgatherv is as MPI''s')
    got = -1
    call Carpool_Iallgatherv(mine, rank + 1_large, MPI_INTEGER, got, int(counts, large), &
        int(displs, aint), MPI_INTEGER, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(same(got, wanted), 'a nonblocking allgatherv with large counts is as MPI''s')
    got = -1
    call Carpool_Gatherv(mine, rank + 1, MPI_INTEGER, got, counts, displs, MPI_INTEGER, ranks - 1, &
        MPI_COMM_WORLD)
    if (rank == ranks - 1) call check(same(got, wanted), 'gatherv is as allgatherv at the root')
    got = -1
    call Carpool_Scatterv(wanted, counts, displs, MPI_INTEGER, got, rank + 1, MPI_INTEGER, 0, &
        MPI_COMM_WORLD)
    call check(same(got(1:rank + 1), mine(1:rank + 1)), 'scatterv undoes gatherv')
    all = [(1000 * rank + i, i = 1, total)]
    deallocate (got, wanted)
    allocate (got((rank + 1) * ranks), wanted((rank + 1) * ranks))
    call MPI_Alltoallv(all, counts, displs, MPI_INTEGER, wanted, [(rank + 1, i = 1, ranks)], &
        [((rank + 1) * i, i = 0, ranks - 1)], MPI_INTEGER, MPI_COMM_WORLD)
    call Carpool_Alltoallv(all, counts, displs, MPI_INTEGER, got, [(rank + 1, i = 1, ranks)], &
        [((rank + 1) * i, i = 0, ranks - 1)], MPI_INTEGER, MPI_COMM_WORLD)
    call check(same(got, wanted), 'alltoallv is as MPI''s')
  end subroutine

  ! Each block goes as an element of a type of its own.
  subroutine typed
    type(MPI_Datatype) :: types(ranks)
    type(MPI_Datatype) :: none(1)
    integer :: bytes(ranks), was(n * ranks)
    deallocate (got, wanted)
    allocate (got(n * ranks), wanted(n * ranks))
    bytes = [(4 * n * i, i = 0, ranks - 1)]
    do i = 1, ranks
      call MPI_Type_contiguous(n, MPI_INTEGER, types(i))
      call MPI_Type_commit(types(i))
    end do
    call MPI_Alltoall(mine, n, MPI_INTEGER, wanted, n, MPI_INTEGER, MPI_COMM_WORLD)
    call Carpool_Alltoallw(mine, [(1, i = 1, ranks)], bytes, types, got, [(1, i = 1, ranks)], bytes, &
        types, MPI_COMM_WORLD)
    call check(same(got, wanted), 'alltoallw is as MPI''s alltoall')
    was = mine
    none = MPI_DATATYPE_NULL
    call Carpool_Alltoallw(MPI_IN_PLACE, [0], [0], none, was, [(1, i = 1, ranks)], bytes, types, &
        MPI_COMM_WORLD)
    call check(same(was, wanted), 'alltoallw in place is the same')
    do i = 1, ranks
      call MPI_Type_free(types(i))
    end do
  end subroutine

  subroutine summed
    integer :: parts(ranks), part(1), want(1)
    x = [(rank + 10d0 * i, i = 1, n)]
    call MPI_Allreduce(x, y, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    call Carpool_Allreduce(x, z, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    call check(all_near(y, z), 'allreduce is as MPI''s')
    z = -1
    call Carpool_Iallreduce_init(x, z, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
        MPI_INFO_NULL, exchange)
    call Carpool_Start(exchange)
    call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
    call Carpool_Request_free(exchange)
    call check(all_near(y, z), 'an allreduce that is planned in the background is as MPI''s')
    z = -1
    call Carpool_Reduce(x, z, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
    if (rank == 0) call check(all_near(y, z), 'reduce is as allreduce at the root')
    call MPI_Scan(x, y, n, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    call Carpool_Scan(x, z, n, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    call check(all_near(y, z), 'scan is as MPI''s')
    y = -1
    z = -1
    call MPI_Exscan(x, y, n, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    call Carpool_Exscan(x, z, n, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    if (rank > 0) call check(all_near(y, z), 'exscan is as MPI''s')
    parts = [(rank * i, i = 1, ranks)]
    call MPI_Reduce_scatter_block(parts, want, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call Carpool_Reduce_scatter_block(parts, part, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(part(1) == want(1), 'reduce_scatter_block is as MPI''s')
    call Carpool_Reduce_scatter(parts, part, [(1, i = 1, ranks)], MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(part(1) == want(1), 'reduce_scatter is as MPI''s')
  end subroutine

  subroutine in_place
    integer :: line(ranks)
    x = rank + 1
    call Carpool_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    call check(all_are(x, ranks * (ranks + 1) / 2d0), 'an allreduce in place sums')
    x = rank + 1
    call Carpool_Allreduce_init(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
        MPI_INFO_NULL, exchange)
    call Carpool_Start(exchange)
    call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
    call Carpool_Request_free(exchange)
    call check(all_are(x, ranks * (ranks + 1) / 2d0), 'a persistent allreduce in place sums')
    line = -1
    line(rank + 1) = rank
    call Carpool_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, line, 1, MPI_INTEGER, MPI_COMM_WORLD)
    call check(same(line, [(i, i = 0, ranks - 1)]), 'an allgather in place gathers')
    line(rank + 1) = rank
    if (rank == 0) then
      call Carpool_Gather(MPI_IN_PLACE, 1, MPI_INTEGER, line, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
      call check(same(line, [(i, i = 0, ranks - 1)]), 'a gather in place gathers')
    else
      call Carpool_Gather(line(rank + 1), 1, MPI_INTEGER, MPI_BOTTOM, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    end if
  end subroutine

  subroutine by_own_operator
    call MPI_Op_create(the_bigger, .true., bigger)
    x = [1d0 * rank, -1d0 * rank, 5d0]
    call Carpool_Allreduce(x, z, n, MPI_DOUBLE_PRECISION, bigger, MPI_COMM_WORLD)
    call check(all_near(z, [1d0 * (ranks - 1), -1d0 * (ranks - 1), 5d0]), &
        'an operator in Fortran is applied')
    call MPI_Op_free(bigger)
  end subroutine

  pure logical function same(a, b)
    integer, intent(in) :: a(:), b(:)
    same = size(a) == size(b)
    if (same) same = count(a /= b) == 0
  end function

  pure logical function all_near(a, b)
    double precision, intent(in) :: a(:), b(:)
    all_near = maxval(abs(a - b)) < 1d-9
  end function

  pure logical function all_are(a, b)
    double precision, intent(in) :: a(:), b
    all_are = maxval(abs(a - b)) < 1d-9
  end function
end program
