! SPDX-License-Identifier: MIT
! A call that is right throws no exception in the library, whatever topology it is on: an exception
! takes longer than the call.
program test_exceptions
  use, intrinsic :: iso_c_binding, only: c_int
  use mpi_f08
  use carpool
  use checks
  implicit none

  interface
    integer(c_int) function exceptions_thrown() bind(C)
      import c_int
    end function
  end interface

  integer :: rank, ranks, code, before
  type(MPI_Comm) :: comm

  call MPI_Init()
  call rank_and_size(rank, ranks)
  call on_topologies
  call sections
  call call_that_is_wrong
  call finish

contains

  subroutine on_topologies
    integer :: next, last
    next = modulo(rank + 1, ranks)
    last = modulo(rank - 1, ranks)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [last, next], MPI_UNWEIGHTED, 2, [next, last], &
        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm)
    call exchange('a distributed graph')
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., comm)
    call exchange('a torus')
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.false.], .false., comm)
    call exchange('a mesh')
    call Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 1, [ranks], [.true.], 2, [1, -1], MPI_UNWEIGHTED, &
        MPI_INFO_NULL, .false., comm)
    call exchange('a neighborhood of Carpool')
  end subroutine

  ! Calls from the first one on.
  subroutine exchange(topology)
    character(len=*), intent(in) :: topology
    integer(MPI_ADDRESS_KIND), parameter :: bytes(2) = [0, 4]
    integer, asynchronous :: came(2)
    integer :: i
    type(MPI_Datatype) :: types(2)
    type(MPI_Request) :: request
    type(Carpool_Request) :: persistent
    types = MPI_INTEGER
    before = exceptions_thrown()
    do i = 1, 3
      call Carpool_Neighbor_alltoallw([rank, rank], [1, 1], bytes, types, came, [1, 1], bytes, types, comm)
      call Carpool_Ineighbor_alltoallw([rank, rank], [1, 1], bytes, types, came, [1, 1], bytes, types, comm, &
          request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call Carpool_Neighbor_allgather(rank, 1, MPI_INTEGER, came, 1, MPI_INTEGER, comm)
    end do
    call Carpool_Neighbor_alltoallw_init([rank, rank], [1, 1], bytes, types, came, [1, 1], bytes, types, comm, &
        MPI_INFO_NULL, persistent)
    call Carpool_Start(persistent)
    call Carpool_Wait(persistent, MPI_STATUS_IGNORE)
    call Carpool_Request_free(persistent)
    call check(exceptions_thrown() == before, 'calls on ' // topology // ' throw nothing')
    call MPI_Comm_free(comm)
  end subroutine

  ! With a datatype, and by copies.
  subroutine sections
    integer :: wide(2, 5), i
    wide = rank
    before = exceptions_thrown()
    do i = 1, 3
      call Carpool_Bcast(wide(1, :), 5, MPI_INTEGER, 0, MPI_COMM_WORLD)
      call Carpool_Allreduce(MPI_IN_PLACE, wide(2, :), 5, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    end do
    call check(exceptions_thrown() == before, 'calls with sections throw nothing')
  end subroutine

  subroutine call_that_is_wrong
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    before = exceptions_thrown()
    call Carpool_Bcast(rank, -1, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    call check(exceptions_thrown() > before, 'exceptions are counted')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  end subroutine
end program
