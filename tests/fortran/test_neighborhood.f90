! SPDX-License-Identifier: MIT
! Neighborhoods are made and asked as in C, and their collectives bring the blocks of the neighbors.
program test_neighborhood
  use mpi_f08
  use carpool
  use checks
  implicit none
  integer, parameter :: t = 4
  integer, parameter :: offsets(2, t) = reshape([0, 1, 1, 0, -1, -1, 2, 1], [2, t])
  integer :: rank, ranks, i, dims(2), coords(2), source(t), target(t), weight(t), got, from
  integer :: sent(t), came(t), back(2, t)
  type(MPI_Comm) :: torus, graph
  type(Carpool_Request) :: exchange
  type(MPI_Request) :: request

  call MPI_Init()
  call rank_and_size(rank, ranks)
  dims = 0
  call MPI_Dims_create(ranks, 2, dims)
  call made
  call exchanged
  call typed
  call on_graph
  call MPI_Comm_free(torus)
  call finish

contains

  integer function rank_at(at) result(found)
    integer, intent(in) :: at(2)
    call MPI_Cart_rank(torus, modulo(at, dims), found)
  end function

  subroutine made
    type(MPI_Comm) :: weighted
    call Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, [.true., .true.], t, offsets, &
        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., torus)
    call MPI_Cart_coords(torus, rank, 2, coords)
    call Carpool_Cart_neighbor_count(torus, got)
    call check(got == t, 'a neighborhood has as many neighbors as offsets')
    call Carpool_Cart_neighbor_offsets(torus, t, back)
    call check(all(back == offsets), 'offsets come back as they were given')
    call Carpool_Cart_neighbor_get(torus, t, source, MPI_UNWEIGHTED, t, target, weight)
    do i = 1, t
      call check(target(i) == rank_at(coords + offsets(:, i)), 'targets are at the offsets')
      call check(source(i) == rank_at(coords - offsets(:, i)), 'sources are opposite to them')
    end do
    call check(all(weight == 1), 'without weights all are 1')
    call Carpool_Cart_relative_rank(torus, offsets(:, 4), got)
    call check(got == target(4), 'a relative rank is that of the target')
    call Carpool_Cart_relative_shift(torus, offsets(:, 4), from, got)
    call check(from == source(4) .and. got == target(4), 'a shift has a source and a target')
    call Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], t, offsets, &
        [5, 6, 7, 8], MPI_INFO_NULL, .false., weighted)
    call Carpool_Cart_neighbor_get(weighted, t, source, weight, t, came, MPI_UNWEIGHTED)
    call check(all(weight == [5, 6, 7, 8]), 'weights come back as they were given')
    call Carpool_Cart_relative_rank(weighted, [0, dims(2)], got)
    call check(got == MPI_PROC_NULL, 'a dimension without period has a border')
    call MPI_Comm_free(weighted)
    call Carpool_Cart_neighbor_get(torus, t, source, MPI_UNWEIGHTED, t, target, MPI_UNWEIGHTED)
  end subroutine

  subroutine exchanged
    sent = [(10 * rank + i, i = 1, t)]
    came = -1
    call Carpool_Neighbor_alltoall(sent, 1, MPI_INTEGER, came, 1, MPI_INTEGER, torus)
    call check(all(came == [(10 * source(i) + i, i = 1, t)]), 'blocks come from the sources')
    came = -1
    call Carpool_Ineighbor_alltoallv(sent, spread(1_MPI_COUNT_KIND, 1, t), &
        [(int(t - i, MPI_ADDRESS_KIND), i = 1, t)], MPI_INTEGER, came, spread(1_MPI_COUNT_KIND, 1, t), &
        [(int(i - 1, MPI_ADDRESS_KIND), i = 1, t)], MPI_INTEGER, torus, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(came == [(10 * source(i) + t + 1 - i, i = 1, t)]), 'displacements may be large')
    came = -1
    call Carpool_Neighbor_allgather_init(rank, 1, MPI_INTEGER, came, 1, MPI_INTEGER, torus, &
        MPI_INFO_NULL, exchange)
    call Carpool_Start(exchange)
    call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
    call Carpool_Request_free(exchange)
    call check(all(came == source), 'a scalar may be sent')
    call Carpool_Neighbor_reduce(rank, got, 1, MPI_INTEGER, MPI_SUM, torus)
    call check(got == sum(source), 'a reduce sums what the sources have')
  end subroutine

  subroutine typed
    integer(MPI_ADDRESS_KIND) :: there(t), back_there(t)
    type(MPI_Datatype) :: types(t)
    types = MPI_INTEGER
    there = [(4 * (i - 1), i = 1, t)]
    back_there = there(t:1:-1)
    came = -1
    call Carpool_Neighbor_alltoallw_init(sent, spread(1, 1, t), there, types, came, spread(1, 1, t), &
        back_there, types, torus, MPI_INFO_NULL, exchange)
    call Carpool_Start(exchange)
    call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
    call Carpool_Request_free(exchange)
    call check(all(came == [(10 * source(i) + i, i = t, 1, -1)]), 'each block may have a type')
  end subroutine

  ! Three graphs of MPI: what each rank has comes from the one before it, or from both sides.
  subroutine on_graph
    integer :: next, last, one(1), two(2)
    type(MPI_Datatype) :: types(2)
    next = modulo(rank + 1, ranks)
    last = modulo(rank - 1, ranks)
    types = MPI_INTEGER
    call Carpool_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [last], MPI_UNWEIGHTED, 1, [next], &
        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph)
    one = -1
    call Carpool_Neighbor_alltoallw([rank], [1], [0_MPI_ADDRESS_KIND], types(1:1), one, [1], &
        [0_MPI_ADDRESS_KIND], types(1:1), graph)
    call check(one(1) == last, 'on a graph blocks come along the edges')
    call MPI_Comm_free(graph)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., graph)
    two = -1
    call Carpool_Neighbor_alltoallw([rank, rank + 100], [1, 1], [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], &
        types, two, [1, 1], [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], types, graph)
    call check(all(two == [last + 100, next]), 'on a torus of MPI they come from both sides')
    call MPI_Comm_free(graph)
  end subroutine
end program
