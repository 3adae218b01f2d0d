! SPDX-License-Identifier: MIT
! The texts of errors name functions, arguments and indices as Fortran does, and only in its calls.
program test_error_texts
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use carpool
  use checks
  implicit none

  interface
    integer(c_int) function C_delivery_get(delivery, index, source, bytes, data) &
        bind(C, name='Carpool_Delivery_get')
      import
      type(Carpool_Delivery), value :: delivery
      integer(c_int), value :: index
      integer(c_int), intent(out) :: source
      integer(MPI_COUNT_KIND), intent(out) :: bytes
      type(c_ptr), intent(out) :: data
    end function
  end interface

  integer :: rank, ranks, code, length, source
  integer(MPI_COUNT_KIND) :: bytes
  type(c_ptr) :: address
  character(len=MPI_MAX_ERROR_STRING) :: text

  call MPI_Init()
  call rank_and_size(rank, ranks)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call delivered
  call counts_and_ranks
  call halo
  call shapes
  call requests
  call finish

contains

  subroutine says(expected)
    character(len=*), intent(in) :: expected
    call MPI_Error_string(code, text, length)
    call check(text(1:min(length, len(expected))) == expected, expected // ', but it says: ' // trim(text))
  end subroutine

  subroutine delivered
    type(Carpool_Delivery) :: delivery
    double precision, pointer :: numbers(:)
    call Carpool_Sparse_exchange(1, [0], rank, [1], [0], MPI_INTEGER, MPI_COMM_SELF, delivery)
    call Carpool_Delivery_get(delivery, 0, source, bytes, address, code)
    call says('Carpool_Delivery_get: index is 0, expected from 1 on, less than 2')
    call Carpool_Delivery_get(delivery, 2, source, bytes, address, code)
    call says('Carpool_Delivery_get: index is 2, expected from 1 on, less than 2')
    call Carpool_Delivery_get(delivery, 2, source, numbers, code)
    call says('Carpool_Delivery_get: index is 2, expected from 1 on, less than 2')
    call check(size(numbers) == 0, 'an array has no elements after an error')
    call Carpool_Delivery_get(delivery, 1, source, numbers, code)
    call says('Carpool_Delivery_get: block 1 has 4 bytes, expected a multiple of 8, the bytes of an element of data')
    code = C_delivery_get(delivery, 1, source, bytes, address)
    call says('Carpool_Delivery_get: index is 1, expected from 0 on, less than 1')
    call Carpool_Delivery_free(delivery)
  end subroutine

  subroutine counts_and_ranks
    integer :: came(2)
    call Carpool_Alltoallv([rank], [-1], [0], MPI_INTEGER, came, [1], [0], MPI_INTEGER, MPI_COMM_SELF, code)
    call says('Carpool_Alltoallv: rank 0: sendcounts(1) is -1, expected at least 0')
    call Carpool_Sparse_alltoallv(2, [0, 1], [rank, rank], [1, 1], [0, 1], MPI_INTEGER, 1, [0], came, [1], [0], &
        MPI_INTEGER, MPI_COMM_SELF, code)
    call says('Carpool_Sparse_alltoallv: rank 0: destinations(2) is 1, expected 0 to 0')
  end subroutine

  ! Without room for the halo of the second dimension, and with a halo wider than the torus.
  subroutine halo
    double precision, asynchronous :: u(10, 10)
    integer :: stencil(2, 8), t
    type(MPI_Comm) :: torus
    type(Carpool_Request) :: exchange
    call MPI_Cart_create(MPI_COMM_SELF, 2, [1, 1], [.true., .true.], .false., torus)
    call Carpool_Stencil_moore(2, 1, 8, t, stencil)
    call Carpool_Halo_init(u(1:6:2, 1:1), MPI_DOUBLE_PRECISION, [1, 1], [1, 1], t, stencil, torus, MPI_INFO_NULL, &
        exchange, code)
    call says('Carpool_Halo_init: rank 0: the number of owned cells in dimension 2 of cartcomm is -1, expected at least 0')
    call Carpool_Halo_init(u(1:3, :), MPI_DOUBLE_PRECISION, [2, 1], [0, 1], t, stencil, torus, MPI_INFO_NULL, &
        exchange, code)
    call says('Carpool_Halo_init: lower(1) is 2, expected at most 1')
    call Carpool_Halo_init(u, MPI_DOUBLE_PRECISION, [1, 1], [1, 0], t, stencil, torus, MPI_INFO_NULL, exchange, code)
    call says('Carpool_Halo_init: stencil(2, 3) is 1, outside the halo, expected from -1 to 0')
    call MPI_Comm_free(torus)
  end subroutine

  ! Arrays that are transposed, or too short.
  subroutine shapes
    integer :: columns(2, 8), rows(8, 2), one_behind_the_other(15), t, d, to
    double precision, asynchronous :: u(4, 4)
    type(MPI_Comm) :: torus, other
    type(Carpool_Request) :: exchange
    call MPI_Cart_create(MPI_COMM_SELF, 2, [1, 1], [.true., .true.], .false., torus)
    call Carpool_Stencil_moore(2, 1, 8, t, rows, code)
    call says('Carpool_Stencil_moore: offsets has the shape (8, 2), expected (2, 8): a column for each of the 8 offsets')
    call Carpool_Stencil_moore(2, 1, 8, t, one_behind_the_other, code)
    call says('Carpool_Stencil_moore: offsets has the shape (15), expected (2, 8)')
    call Carpool_Stencil('moore 2 1', 8, d, t, rows, code)
    call says('Carpool_Stencil: offsets has the shape (8, 2), expected (2, 8)')
    call Carpool_Stencil('moore 2 1', 8, d, t, one_behind_the_other, code)
    call says('Carpool_Stencil: offsets has the shape (15), expected (2, 8)')
    call Carpool_Stencil_shales(2, 2, [1], 8, t, columns, code)
    call says('Carpool_Stencil_shales: radii has the shape (1), expected 2 elements')

    call Carpool_Stencil_moore(2, 1, 8, t, columns)
    call Carpool_Halo_init(u, MPI_DOUBLE_PRECISION, [1], [1, 1], t, columns, torus, MPI_INFO_NULL, exchange, code)
    call says('Carpool_Halo_init: lower has the shape (1), expected 2 elements')
    call Carpool_Halo_init(u, MPI_DOUBLE_PRECISION, [1, 1], [1], t, columns, torus, MPI_INFO_NULL, exchange, code)
    call says('Carpool_Halo_init: upper has the shape (1), expected 2 elements')
    call Carpool_Halo_init(u, MPI_DOUBLE_PRECISION, [1, 1], [1, 1], t, transpose(columns), torus, MPI_INFO_NULL, &
        exchange, code)
    call says('Carpool_Halo_init: stencil has the shape (8, 2), expected (2, 8)')
    call Carpool_Halo_init(u, MPI_DOUBLE_PRECISION, [1, 1], [1, 1], t, columns(:, 1:7), torus, MPI_INFO_NULL, &
        exchange, code)
    call says('Carpool_Halo_init: stencil has the shape (2, 7), expected (2, 8)')

    call Carpool_Iso_neighborhood_create(torus, t, transpose(columns), other, code)
    call says('Carpool_Iso_neighborhood_create: relative_coordinates has the shape (8, 2), expected (2, 8)')
    call Carpool_Cart_neighborhood_create(MPI_COMM_SELF, 2, [1, 1], [.true.], t, columns, MPI_UNWEIGHTED, &
        MPI_INFO_NULL, .false., other, code)
    call says('Carpool_Cart_neighborhood_create: periods has the shape (1), expected 2 elements')
    call Carpool_Cart_relative_rank(torus, [1], to, code)
    call says('Carpool_Cart_relative_rank: relative has the shape (1), expected 2 elements')
    call MPI_Comm_free(torus)
  end subroutine

  subroutine requests
    type(Carpool_Request) :: two(2)
    call Carpool_Barrier_init(MPI_COMM_SELF, MPI_INFO_NULL, two(1))
    two(2) = CARPOOL_REQUEST_NULL
    call Carpool_Startall(2, two, code)
    call says('Carpool_Startall: requests(2) is CARPOOL_REQUEST_NULL')
    call Carpool_Request_free(two(1))
  end subroutine
end program
