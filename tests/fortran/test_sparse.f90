! SPDX-License-Identifier: MIT
! Sparse exchanges bring each block to its destination, which is told who has sent it.
program test_sparse
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use carpool
  use checks
  implicit none
  integer :: rank, ranks, i, next, last, blocks, source, came(3), all_came(3)
  integer, target :: sent(3)
  integer, pointer :: block(:)
  integer(MPI_COUNT_KIND) :: bytes
  type(c_ptr) :: address
  type(Carpool_Delivery) :: delivery
  type(Carpool_Request) :: exchange
  type(MPI_Request) :: request

  call MPI_Init()
  call rank_and_size(rank, ranks)
  next = modulo(rank + 1, ranks)
  last = modulo(rank - 1, ranks)
  sent = 10 * rank + [1, 2, 3]
  all_came = 10 * last + [1, 2, 3]

  call Carpool_Sparse_exchange(2, [next, next], sent, [1, 2], [0, 1], MPI_INTEGER, MPI_COMM_WORLD, delivery)
  call told
  came = -1
  call Carpool_Sparse_exchange_init(delivery, sent, came, MPI_COMM_WORLD, MPI_INFO_NULL, exchange)
  call Carpool_Delivery_free(delivery)
  call check(delivery == CARPOOL_DELIVERY_NULL, 'a delivery that has been freed is null')
  call Carpool_Start(exchange)
  call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
  call Carpool_Request_free(exchange)
  call check(all(came == all_came), 'an exchange may be repeated')

  call Carpool_Sparse_exchange(1, [next], sent, [0], [0], MPI_INTEGER, MPI_COMM_WORLD, delivery)
  call Carpool_Delivery_get(delivery, 1, source, block)
  call check(source == last .and. size(block) == 0, 'an empty block is an array without elements')
  call Carpool_Delivery_free(delivery)

  call Carpool_Isparse_exchange(2, [next, next], sent, [1_MPI_COUNT_KIND, 2_MPI_COUNT_KIND], &
      [0_MPI_ADDRESS_KIND, 1_MPI_ADDRESS_KIND], MPI_INTEGER, MPI_COMM_WORLD, delivery, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call told
  call Carpool_Delivery_free(delivery)

  came = -1
  call Carpool_Sparse_alltoallv(1, [next], sent, [3], [0], MPI_INTEGER, 1, [last], came, [3], [0], &
      MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(came == all_came), 'an all-to-all along lists brings its blocks')
  call finish

contains

  subroutine told
    call Carpool_Delivery_count(delivery, blocks)
    call check(blocks == 2, 'as many blocks are delivered as were sent')
    do i = 1, min(blocks, 2)
      call Carpool_Delivery_get(delivery, i, source, bytes, address)
      call check(source == last .and. bytes == 4 * i, 'a block has a source and a size')
      call c_f_pointer(address, block, [bytes / 4])
      call check(all(block == all_came(i:2 * i - 1)), 'a block is what was sent')
      nullify(block)
      call Carpool_Delivery_get(delivery, i, source, block)
      call check(source == last .and. size(block) == i, 'an array has as many elements as were sent')
      call check(all(block == all_came(i:2 * i - 1)), 'an array is the block')
      call check(c_associated(c_loc(block), address), 'an array is no copy')
    end do
  end subroutine
end program
