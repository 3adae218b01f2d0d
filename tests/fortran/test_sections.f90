! SPDX-License-Identifier: MIT
! A section of an array is sent and received as an array without gaps would be, and nothing beside it is
! written; what cannot be done so is an error.
program test_sections
  use mpi_f08
  use carpool
  use checks
  implicit none
  integer, parameter :: n = 4
  integer :: rank, ranks, code, length, i, j
  integer :: wide(7, 9), row(n)
  integer, allocatable :: dense(:), wanted(:), matrix(:, :), was(:, :), cube(:, :, :)
  character(len=MPI_MAX_ERROR_STRING) :: text
  type(Carpool_Request) :: exchange
  type(MPI_Request) :: request

  call MPI_Init()
  call rank_and_size(rank, ranks)
  call one_block
  call columns
  call strides
  call blocks_by_count
  call persistent
  call backward
  call copied
  call refused
  call finish

contains

  subroutine fill
    wide = reshape([(1000 * rank + i, i = 1, size(wide))], shape(wide))
  end subroutine

  subroutine one_block
    integer :: copy(2, 3), before(7, 9)
    call fill
    copy = wide(2:4:2, 1:9:4)
    before = wide
    call Carpool_Bcast(wide(2:4:2, 1:9:4), 6, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Bcast(copy, 6, MPI_INTEGER, 0, MPI_COMM_WORLD)
    before(2:4:2, 1:9:4) = copy
    call check(all(wide == before), 'a bcast of a section writes this section and no more')

    call fill
    copy = wide(2:4:2, 1:9:4)
    before = wide
    call Carpool_Ibcast(wide(2:4:2, 1:9:4), 5_MPI_COUNT_KIND, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, &
        request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Bcast(copy, 5, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD)
    before(2:4:2, 1:9:4) = copy
    call check(all(wide == before), 'a count may end inside a column of a section')
  end subroutine

  ! Blocks are the columns of a section: equally far from each other.
  subroutine columns
    integer :: copy(3, ranks)
    matrix = reshape([(100 * rank + i, i = 1, 5 * ranks)], [5, ranks])
    was = matrix
    copy = 0
    call MPI_Alltoall(was(2:4, :) + 0, 3, MPI_INTEGER, copy, 3, MPI_INTEGER, MPI_COMM_WORLD)
    cube = reshape([(0, i = 1, 3 * ranks * 2)], [3, 2, ranks])
    call Carpool_Alltoall(matrix(2:4, :), 3, MPI_INTEGER, cube(:, 2, :), 3, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(matrix == was), 'an alltoall from a section leaves it as it is')
    call check(all(cube(:, 2, :) == copy), 'an alltoall between sections brings its blocks')
    call check(all(cube(:, 1, :) == 0), 'an alltoall into a section writes nothing beside it')
  end subroutine

  ! Of a row of a matrix all counts and displacements are possible.
  subroutine strides
    integer :: counts(ranks), displs(ranks), total
    counts = [(i, i = 1, ranks)]
    displs = [(i * (i - 1) / 2, i = 1, ranks)]
    total = sum(counts)
    dense = [(10 * rank + i, i = 1, ranks)]
    deallocate (matrix)
    allocate (matrix(3, total), wanted(total))
    matrix = -1
    call MPI_Allgatherv(dense, rank + 1, MPI_INTEGER, wanted, counts, displs, MPI_INTEGER, MPI_COMM_WORLD)
    call Carpool_Allgatherv(dense, rank + 1, MPI_INTEGER, matrix(2, :), counts, displs, MPI_INTEGER, &
        MPI_COMM_WORLD)
    call check(all(matrix(2, :) == wanted), 'an allgatherv into a row brings its blocks')
    call check(all(matrix(1:3:2, :) == -1), 'an allgatherv into a row leaves other rows')
  end subroutine

  ! Where blocks have gaps inside and between them.
  subroutine blocks_by_count
    integer :: gathered(2, 2, ranks), own(2, 2)
    call fill
    own = wide(1:3:2, 2:8:6)
    call MPI_Allgather(own, 4, MPI_INTEGER, gathered, 4, MPI_INTEGER, MPI_COMM_WORLD)
    deallocate (cube)
    allocate (cube(3, 4, ranks))
    cube = -1
    call Carpool_Allgather(wide(1:3:2, 2:8:6), 4, MPI_INTEGER, cube(1:3:2, 2:4:2, :), 4, MPI_INTEGER, &
        MPI_COMM_WORLD)
    call check(all(cube(1:3:2, 2:4:2, :) == gathered), 'blocks may be planes of a section')
    call check(count(cube == -1) == 8 * ranks, 'between the cells of a section nothing is written')
  end subroutine

  subroutine persistent
    row = 0
    call Carpool_Bcast_init(wide(3, 1:7:2), n, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, exchange)
    do j = 1, 2
      call fill
      wide = wide + j
      row = 3 + 7 * [0, 2, 4, 6] + j
      call Carpool_Start(exchange)
      call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
      call check(all(wide(3, 1:7:2) == row), 'a persistent bcast of a section brings the root''s')
    end do
    call Carpool_Request_free(exchange)
  end subroutine

  subroutine backward
    integer :: line(n)
    line = rank * [1, 2, 3, 4]
    if (rank == 0) line = [1, 2, 3, 4]
    if (rank == ranks - 1) then
      call Carpool_Bcast(line(n:1:-1), n, MPI_INTEGER, 0, MPI_COMM_WORLD)
      i = merge(1, 4, ranks == 1)
      call check(line(1) == i, 'a section may run backwards')
    else
      call Carpool_Bcast(line, n, MPI_INTEGER, 0, MPI_COMM_WORLD)
    end if
  end subroutine

  ! What has no datatype is copied by blocking calls.
  subroutine copied
    double precision :: x(2, 4), y(2, 4)
    integer :: counts(ranks), displs(ranks), to(3, 2, ranks)
    type(MPI_Datatype) :: types(ranks)
    x = rank + 1
    y = -1
    call Carpool_Allreduce(x(1, :), y(2, :), 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    call check(all(nint(y(2, :)) == ranks * (ranks + 1) / 2), 'a section is summed into a section')
    call check(all(nint(y(1, :)) == -1), 'a sum into a section writes nothing beside it')
    call Carpool_Allreduce(MPI_IN_PLACE, x(2, 4:2:-1), 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    call check(all(nint(x(2, 2:4)) == ranks * (ranks + 1) / 2), 'a section is summed in place')
    call check(nint(x(2, 1)) == rank + 1, 'a sum in place of a section writes nothing beside it')
    x = rank
    call Carpool_Bcast(x(1, :), 8, MPI_REAL, 0, MPI_COMM_WORLD)
    call check(all(nint(x(1, :)) == 0) .and. all(nint(x(2, :)) == rank), 'an element may be two of the datatype')
    counts = 4
    displs = [(4 * (ranks - i), i = 1, ranks)]
    to = -1
    call Carpool_Allgatherv(rank + [0, 100, 200, 300], 4, MPI_INTEGER, to(1:3:2, :, :), counts, displs, &
        MPI_INTEGER, MPI_COMM_WORLD)
    do i = 1, ranks
      call check(all(to(1:3:2, :, ranks + 1 - i) == reshape(i - 1 + [0, 100, 200, 300], [2, 2])), &
          'displacements count the elements of a section')
    end do
    call check(all(to(2, :, :) == -1), 'a copy leaves what is beside a section')
    types = MPI_INTEGER
    to = -1
    call Carpool_Alltoallw([(10 * rank + i, i = 1, ranks)], spread(1, 1, ranks), [(4 * i, i = 0, ranks - 1)], &
        types, to(2, 1, :), spread(1, 1, ranks), [(4 * i, i = 0, ranks - 1)], types, MPI_COMM_WORLD)
    call check(all(to(2, 1, :) == [(10 * i + rank + 1, i = 0, ranks - 1)]), &
        'blocks of a type each come to lie in a section')
  end subroutine

  subroutine refused
    double precision :: x(8), y(8)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    x = 1
    call Carpool_Iallreduce(x(1:8:2), y, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, request, code)
    call check(class_of(code) == MPI_ERR_BUFFER, 'a sum of a section that does not block is refused')
    call MPI_Error_string(code, text, length)
    call check(index(text, 'Carpool_Iallreduce: sendbuf is a section') > 0, 'the text says what is wrong: ' &
        // trim(text))
    call Carpool_Ibcast(x(1:8:2), 8, MPI_REAL, 0, MPI_COMM_WORLD, request, code)
    call check(class_of(code) == MPI_ERR_TYPE, 'a datatype that is no element of a section is refused')
    call Carpool_Bcast(x(1:8:2), 5, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, code)
    call check(class_of(code) == MPI_ERR_COUNT, 'more elements than a section has are refused')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  end subroutine
end program
