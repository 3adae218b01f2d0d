! SPDX-License-Identifier: MIT
! What the arguments of a call reach must lie in a section, as far as they are significant. An array
! without gaps may be the first element of more.
program test_section_room
  use mpi_f08
  use carpool
  use checks
  implicit none
  integer, parameter :: far = 1000
  integer :: rank, ranks, code, length, i
  integer :: wide(2, 10), row(10)
  integer, allocatable :: counts(:), displs(:)
  character(len=MPI_MAX_ERROR_STRING) :: text
  type(MPI_Request) :: request

  call MPI_Init()
  call rank_and_size(rank, ranks)
  counts = [(1, i = 1, ranks)]
  displs = [(i - 1, i = 1, ranks)]
  call fill
  call beyond
  call without_elements
  call missing_neighbors
  call missing_peers
  call exscan
  call in_place
  call first_elements(wide, size(wide))
  call more_than_an_extent
  call finish

contains

  subroutine fill
    row = [(100 * rank + i, i = 1, size(row))]
    wide(1, :) = row
    wide(2, :) = 0
  end subroutine

  subroutine refuses(class, part)
    integer, intent(in) :: class
    character(len=*), intent(in) :: part
    call MPI_Error_string(code, text, length)
    call check(class_of(code) == class .and. index(text, part) > 0, part // ', but it says: ' // trim(text))
  end subroutine

  ! Texts count indices and bytes from 1.
  subroutine beyond
    double precision :: x(2, 3)
    integer :: to(ranks)
    type(MPI_Datatype) :: types(ranks)
    character(len=1) :: last
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    x = 1
    types = MPI_INTEGER
    to = displs
    write (last, '(i1)') ranks
    call Carpool_Allreduce(MPI_IN_PLACE, x(1, :), 3000, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    call refuses(MPI_ERR_COUNT, 'Carpool_Allreduce: count is 3000 of 8 bytes: bytes 1 to 24000 of recvbuf, ' &
        // 'expected 1 to 24, its section of 3 elements of 8 bytes')
    call Carpool_Bcast(wide(1, 1:7), 7, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, code)
    call refuses(MPI_ERR_TYPE, 'Carpool_Bcast: count is 7 of 8 bytes: bytes 1 to 56 of buffer, expected 1 to 28')
    to(ranks) = 10
    call Carpool_Ialltoallv(wide(1, :), counts, to, MPI_INTEGER, row, counts, to, MPI_INTEGER, MPI_COMM_WORLD, &
        request, code)
    call refuses(MPI_ERR_COUNT, 'Carpool_Ialltoallv: sendcounts(' // last // ') is 1 of 4 bytes, sdispls(' &
        // last // ') is 10: bytes 41 to 44 of sendbuf, expected 1 to 40')
    to(ranks) = -4
    call Carpool_Alltoallw(row, counts, 4 * displs, types, wide(1, :), counts, to, types, MPI_COMM_WORLD, code)
    call refuses(MPI_ERR_COUNT, 'rdispls(' // last // ') is -4: bytes -3 to 0 of recvbuf')
    call Carpool_Iallgather(row, 2, MPI_INTEGER, wide(1, 1:max(2 * ranks - 1, 2)), 2, MPI_INTEGER, &
        MPI_COMM_WORLD, request, code)
    if (ranks > 1) call refuses(MPI_ERR_COUNT, 'recvcount is 2 of 4 bytes, block ' // last // ': bytes')
    if (ranks == 1) call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  end subroutine

  subroutine without_elements
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call Carpool_Bcast(wide(1, 2:1), 1_MPI_COUNT_KIND, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    call refuses(MPI_ERR_COUNT, 'Carpool_Bcast_c: count is 1 of 4 bytes')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
    call Carpool_Bcast(wide(1, 2:1), 0, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call Carpool_Iallreduce(wide(1, 1:2), row, 0, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call Carpool_Alltoallv(wide(1, 2:1), 0 * counts, displs, MPI_INTEGER, row(2:1), 0 * counts, displs, &
        MPI_INTEGER, MPI_COMM_WORLD)
  end subroutine

  ! Blocks beyond the border of a mesh may be anywhere.
  subroutine missing_neighbors
    type(MPI_Comm) :: mesh
    integer :: ones(2), at(2)
    call fill
    ones = 1
    at = [merge(far, 0, rank == 0), merge(far, 1, rank == ranks - 1)]
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.false.], .false., mesh)
    call Carpool_Neighbor_alltoallv([rank, rank], ones, [0, 1], MPI_INTEGER, wide(1, 1:2), ones, at, MPI_INTEGER, mesh)
    call check(wide(1, 1) == merge(row(1), rank - 1, rank == 0), 'a block comes from the neighbor below')
    call check(wide(1, 2) == merge(row(2), rank + 1, rank == ranks - 1), 'a block comes from the one above')
    call MPI_Comm_free(mesh)
  end subroutine

  subroutine missing_peers
    call fill
    call Carpool_Sparse_alltoallv(2, [MPI_PROC_NULL, rank], wide(1, :), [1, 2], [far, 1], MPI_INTEGER, 2, &
        [rank, MPI_PROC_NULL], wide(1, 5:9), [2, 1], [3, far], MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(wide(1, 8:9) == row(2:3)), 'blocks of no peer may be anywhere')
  end subroutine

  ! The first rank receives nothing.
  subroutine exscan
    integer :: room
    call fill
    room = merge(2, 3, rank == 0)
    call Carpool_Exscan(row, wide(1, 1:room), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (rank > 0) call check(wide(1, 3) == sum([(100 * i + 3, i = 0, rank - 1)]), 'an exscan brings the sum')
    if (rank == 0) call check(all(wide(1, :) == row), 'an exscan leaves the first rank as it is')
  end subroutine

  ! In place, recvbuf has the blocks of all ranks.
  subroutine in_place
    call fill
    call Carpool_Reduce_scatter(row, wide(1, 1:2), 2 * counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(wide(1, 2) == sum([(100 * i + 2 * rank + 2, i = 0, ranks - 1)]), 'recvbuf has one block')
    call fill
    call Carpool_Reduce_scatter_block(MPI_IN_PLACE, wide(1, 1:ranks), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(wide(1, 1) == sum([(100 * i + rank + 1, i = 0, ranks - 1)]), 'in place it has all')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call Carpool_Reduce_scatter(MPI_IN_PLACE, wide(1, 1:2), far * counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    call refuses(MPI_ERR_COUNT, 'recvcounts(1) is 1000 of 4 bytes: bytes 1 to 4000 of recvbuf')
    call Carpool_Reduce_scatter(MPI_IN_PLACE, wide(1, 1:max(2, ranks - 1)), 2 * counts, MPI_INTEGER, MPI_SUM, &
        MPI_COMM_WORLD, code)
    if (ranks > 1) call check(class_of(code) == MPI_ERR_COUNT, 'in place a block is too little')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  end subroutine

  ! An array of assumed size, an element and a column stand for what is behind them.
  subroutine first_elements(a, n)
    integer, intent(inout) :: a(*)
    integer, intent(in) :: n
    call Carpool_Bcast(a, n, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call Carpool_Bcast(a(1), n, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD)
    call Carpool_Allreduce(MPI_IN_PLACE, wide(1, 1), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call Carpool_Ibcast(wide(:, 1), n, MPI_INTEGER, 0, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end subroutine

  ! The bytes of a datatype count, not its extent.
  subroutine more_than_an_extent
    type(MPI_Datatype) :: two, near
    integer :: came(4, ranks)
    call fill
    call MPI_Type_contiguous(2, MPI_INTEGER, two)
    call MPI_Type_create_resized(two, 0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND, near)
    call MPI_Type_commit(near)
    call Carpool_Allgather(wide(1, 1:3), 2, near, came, 4, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(came(:, ranks) == 100 * (ranks - 1) + [1, 2, 2, 3]), 'elements may overlap in a section')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call Carpool_Allgather(wide(1, 1:2), 2, near, came, 4, MPI_INTEGER, MPI_COMM_WORLD, code)
    call refuses(MPI_ERR_COUNT, 'sendcount is 2 of 4 bytes: bytes 1 to 12 of sendbuf')
    call Carpool_Iallgather(wide(1, 1:3), 2, near, came, 4, MPI_INTEGER, MPI_COMM_WORLD, request, code)
    call refuses(MPI_ERR_TYPE, 'an extent of 4 with bytes 1 to 8')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
    call MPI_Type_free(near)
    call MPI_Type_free(two)
  end subroutine
end program
