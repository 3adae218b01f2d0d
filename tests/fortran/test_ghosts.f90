! SPDX-License-Identifier: MIT
! Ghosts get the values of their entries, and are added into them, in every form.
program test_ghosts
  use mpi_f08
  use carpool
  use checks
  implicit none
  integer, parameter :: n = 3 ! entries of each rank
  integer :: rank, ranks, code, length, next, previous
  type(Carpool_Ghosts) :: map
  type(Carpool_Request) :: exchange
  type(MPI_Request) :: request
  character(len=MPI_MAX_ERROR_STRING) :: text

  call MPI_Init()
  call rank_and_size(rank, ranks)
  next = modulo(rank + 1, ranks)
  previous = modulo(rank - 1, ranks)
  call ring(map)
  call updates
  call reductions
  call components
  call neighbors
  call Carpool_Ghosts_free(map)
  call check(map == CARPOOL_GHOSTS_NULL, 'a map that is freed is null')
  call global_numbers
  call refused
  call finish

contains

  ! The ghosts are the last and the first entry of the next rank.
  subroutine ring(map)
    type(Carpool_Ghosts), intent(out) :: map
    call Carpool_Ghosts_create(MPI_COMM_WORLD, n, 2, [next, next], [n, 1], MPI_INFO_NULL, map)
  end subroutine

  double precision function content(r, i)
    integer, intent(in) :: r, i
    content = 10 * r + i
  end function

  subroutine updates
    double precision, asynchronous :: x(n), copies(2)
    double precision :: expected(2)
    integer :: i
    x = [(content(rank, i), i = 1, n)]
    expected = [content(next, n), content(next, 1)]
    copies = 0
    call Carpool_Ghosts_update(x, copies, 1, MPI_DOUBLE_PRECISION, map)
    call check(all(abs(copies - expected) < 1d-9), 'ghosts are updated')
    copies = 0
    call Carpool_Ighosts_update(x, copies, 1, MPI_DOUBLE_PRECISION, map, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(abs(copies - expected) < 1d-9), 'ghosts are updated by a nonblocking call')
    copies = 0
    call Carpool_Ghosts_update_init(x, copies, 1_MPI_COUNT_KIND, MPI_DOUBLE_PRECISION, map, &
        MPI_INFO_NULL, exchange)
    call Carpool_Start(exchange)
    call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
    call check(all(abs(copies - expected) < 1d-9), 'ghosts are updated by a request')
    call Carpool_Request_free(exchange)
  end subroutine

  subroutine reductions
    integer, asynchronous :: y(n), copies(2)
    y = [1, 2, 3]
    copies = [10, 20]
    call Carpool_Ghosts_reduce(copies, y, 1, MPI_INTEGER, MPI_SUM, map)
    call check(all(y == [21, 2, 13]), 'ghosts are added')
    call Carpool_Ighosts_reduce(copies, y, 1, MPI_INTEGER, MPI_MAX, map, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(y == [21, 2, 13]), 'the greatest value is kept by a nonblocking call')
    call Carpool_Ghosts_reduce_init(copies, y, 1, MPI_INTEGER, MPI_SUM, map, MPI_INFO_NULL, exchange)
    call Carpool_Start(exchange)
    call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
    call check(all(y == [41, 2, 23]), 'ghosts are added by a request')
    call check(all(copies == [10, 20]), 'ghosts keep their values')
    call Carpool_Request_free(exchange)
  end subroutine

  ! A column for each entry.
  subroutine components
    integer :: x(2, n), copies(2, 2), i
    x = reshape([(100 * rank + i, i = 1, 2 * n)], [2, n])
    call Carpool_Ghosts_update(x, copies, 2, MPI_INTEGER, map)
    call check(all(copies(:, 1) == 100 * next + [5, 6]), 'an entry may have components')
    call check(all(copies(:, 2) == 100 * next + [1, 2]), 'another entry may have components')
  end subroutine

  subroutine neighbors
    integer(MPI_COUNT_KIND) :: owned, ghosts, number, few(2)
    integer :: targets, sources, other
    call Carpool_Ghosts_get(map, owned, ghosts, targets, sources)
    call check(owned == n .and. ghosts == 2 .and. targets == 1 .and. sources == 1, 'a map has sizes')
    call Carpool_Ghosts_get_target(map, 1, other, number, 2_MPI_COUNT_KIND, few)
    call check(other == previous .and. number == 2 .and. all(few == [1, n]), 'a map tells its targets')
    call Carpool_Ghosts_get_source(map, 1, other, number, 1_MPI_COUNT_KIND, few(2:))
    call check(other == next .and. number == 2 .and. all(few == 1), 'a map tells its sources')
  end subroutine

  ! Ranks own n numbers each, from 1.
  subroutine global_numbers
    integer :: ranges(ranks + 1), x(n), copy(1), i
    ranges = [(n * i + 1, i = 0, ranks)]
    x = 10 * rank + [1, 2, 3]
    call Carpool_Ghosts_create_ranges(MPI_COMM_WORLD, ranges, 1, [ranges(next + 1) + 1], &
        MPI_INFO_NULL, map)
    call Carpool_Ghosts_update(x, copy, 1, MPI_INTEGER, map)
    call check(copy(1) == 10 * next + 2, 'global numbers begin where the ranges do')
    call Carpool_Ghosts_free(map)
  end subroutine

  subroutine refused
    integer :: x(n), copies(4)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    call Carpool_Ghosts_create(MPI_COMM_WORLD, n, 1, [next], [0], MPI_INFO_NULL, map, code)
    call check(class_of(code) == MPI_ERR_ARG, 'there is no entry 0')
    call Carpool_Ghosts_create(MPI_COMM_WORLD, n, 1, [next], [n + 1], MPI_INFO_NULL, map, code)
    call check(class_of(code) == MPI_ERR_ARG, 'there is no entry behind the last one')
    call Carpool_Ghosts_create(MPI_COMM_WORLD, n, -1, [next], [1], MPI_INFO_NULL, map, code)
    call check(class_of(code) == MPI_ERR_COUNT, 'a negative number of ghosts is refused')
    call ring(map)
    call Carpool_Ghosts_update(x, copies(::2), 1, MPI_INTEGER, map, code)
    call MPI_Error_string(code, text, length)
    call check(class_of(code) == MPI_ERR_BUFFER .and. index(text, 'ghost_values is a section') > 0, &
        'a section with gaps is refused: ' // trim(text))
    call Carpool_Ghosts_free(map)
  end subroutine
end program
