! SPDX-License-Identifier: MIT
! Requests complete as those of MPI do: in any order, with indices from 1 and statuses; plans are told.
program test_requests
  use, intrinsic :: iso_c_binding, only: c_intptr_t, c_null_ptr
  use mpi_f08
  use carpool
  use checks
  implicit none
  integer, parameter :: n = 3
  integer :: rank, ranks, i, code, length, index_of_one, done, indices(n), ended
  integer :: sent(n), came(n)
  logical :: flag
  type(Carpool_Request) :: requests(n), several(2), bundle
  type(MPI_Request) :: request
  type(MPI_Status) :: status, statuses(n)
  type(Carpool_Plan) :: plan
  character(len=MPI_MAX_ERROR_STRING) :: text

  call MPI_Init()
  call rank_and_size(rank, ranks)
  do i = 1, n
    call Carpool_Allreduce_init(sent(i), came(i), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
        MPI_INFO_NULL, requests(i))
  end do
  call together
  call one_by_one
  call bundled
  call planned
  call mistaken
  do i = 1, n
    call Carpool_Request_free(requests(i))
  end do
  call check(all(requests == CARPOOL_REQUEST_NULL), 'requests that have been freed are null')
  call finish

contains

  subroutine start(base)
    integer, intent(in) :: base
    sent = [(base + i, i = 1, n)]
    came = -1
    call Carpool_Startall(n, requests)
  end subroutine

  logical function arrived(base)
    integer, intent(in) :: base
    arrived = all(came == ranks * [(base + i, i = 1, n)])
  end function

  subroutine together
    call start(1)
    statuses%MPI_ERROR = MPI_SUCCESS
    call Carpool_Waitall(n, requests, statuses)
    call check(arrived(1), 'Waitall waits for all')
    call check(all(statuses%MPI_SOURCE == MPI_ANY_SOURCE), 'statuses of collectives are empty')
    call start(2)
    call Carpool_Waitall(n, requests, MPI_STATUSES_IGNORE)
    call check(arrived(2), 'Waitall waits for all without statuses')
    call start(3)
    flag = .false.
    do while (.not. flag)
      call Carpool_Testall(n, requests, flag, MPI_STATUSES_IGNORE)
    end do
    call check(arrived(3), 'Testall says when all have ended')
    call start(4)
    call Carpool_Wait(requests(1), status)
    call Carpool_Wait(requests(2), MPI_STATUS_IGNORE)
    flag = .false.
    do while (.not. flag)
      call Carpool_Test(requests(3), flag, status)
    end do
    call check(arrived(4), 'Wait and Test wait for one')
  end subroutine

  subroutine one_by_one
    logical :: seen(n)
    call start(5)
    seen = .false.
    do i = 1, n
      call Carpool_Waitany(n, requests, index_of_one, status)
      seen(index_of_one) = .true.
    end do
    call check(all(seen), 'Waitany gives each request once, numbered from 1')
    call Carpool_Waitany(n, requests, index_of_one, status)
    call check(index_of_one == MPI_UNDEFINED, 'where none is active there is no index')
    call start(6)
    seen = .false.
    ended = 0
    do while (ended < n)
      call Carpool_Testany(n, requests, index_of_one, flag, MPI_STATUS_IGNORE)
      if (.not. flag) cycle
      seen(index_of_one) = .true.
      ended = ended + 1
    end do
    call check(all(seen), 'Testany gives each request once, numbered from 1')
    call start(7)
    seen = .false.
    ended = 0
    do while (ended < n)
      call Carpool_Waitsome(n, requests, done, indices, statuses)
      seen(indices(1:done)) = .true.
      ended = ended + done
    end do
    call check(all(seen), 'Waitsome gives each request once, numbered from 1')
    call start(8)
    ended = 0
    do while (ended < n)
      call Carpool_Testsome(n, requests, done, indices, MPI_STATUSES_IGNORE)
      if (done > 0) ended = ended + done
    end do
    call Carpool_Testsome(n, requests, done, indices, MPI_STATUSES_IGNORE)
    call check(done == MPI_UNDEFINED, 'where none is active there is no number')
  end subroutine

  subroutine bundled
    call Carpool_Bundle_init(n, requests, MPI_COMM_WORLD, MPI_INFO_NULL, bundle)
    sent = [(9 + i, i = 1, n)]
    call Carpool_Start(bundle)
    call Carpool_Wait(bundle, MPI_STATUS_IGNORE)
    call check(arrived(9), 'a bundle does what its requests do')
    call Carpool_Start(bundle)
    call Carpool_Request_get_mpi(bundle, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call Carpool_Request_free(bundle)
  end subroutine

  subroutine planned
    call Carpool_Request_get_plan(requests(1), plan)
    call check(len_trim(plan%algorithm) > 0 .and. scan(plan%algorithm, char(0)) == 0, &
        'a plan names its algorithm: ' // plan%algorithm)
    call Carpool_Allreduce(rank, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call Carpool_Comm_get_plan(MPI_COMM_WORLD, 'allreduce  ', plan)
    call check(plan%bytes >= 0 .and. len_trim(plan%algorithm) > 0, 'a call has a plan')
  end subroutine

  subroutine mistaken
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    call Carpool_Bcast(sent, -1, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    call check(class_of(code) == MPI_ERR_COUNT, 'a negative count is MPI_ERR_COUNT')
    call MPI_Error_string(code, text, length)
    call check(index(text, 'Carpool_Bcast: count is -1') == 1, 'its text names function, argument, value: ' &
        // text(1:length))
    call Carpool_Ibcast_init(sent, -1, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, several(2))
    several(1) = requests(1)
    call Carpool_Startall(2, several)
    call Carpool_Waitall(2, several, statuses, code)
    call check(class_of(code) == MPI_ERR_IN_STATUS, 'Waitall says that a status has an error')
    call check(statuses(1)%MPI_ERROR == MPI_SUCCESS .and. &
        class_of(statuses(2)%MPI_ERROR) == MPI_ERR_COUNT, 'the status has the error of its request')
    call Carpool_Request_free(several(2))
    call Carpool_Barrier_init(MPI_COMM_NULL, MPI_INFO_NULL, bundle, code)
    call check(class_of(code) == MPI_ERR_COMM, 'a null communicator is MPI_ERR_COMM')
    call Carpool_Comm_get_plan(MPI_COMM_WORLD, 'all to all', plan, code)
    call check(class_of(code) == MPI_ERR_ARG, 'a name of no operation is MPI_ERR_ARG')
    call Carpool_Request_set_stream(requests(1), transfer(2_c_intptr_t, c_null_ptr), code)
    call check(class_of(code) == MPI_ERR_ARG, 'the stream of each thread is MPI_ERR_ARG')
    call Carpool_Comm_set_stream(MPI_COMM_WORLD, c_null_ptr, code)
    call check(code == MPI_SUCCESS, 'the legacy default stream is taken')
    call Carpool_Bcast(sent, -1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  end subroutine
end program
