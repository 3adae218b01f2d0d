! SPDX-License-Identifier: MIT
! Halos of arrays in two and three dimensions, of sections and of cells with components, are filled as
! the whole array says.
program test_halo
  use mpi_f08
  use carpool
  use checks
  implicit none
  integer, parameter :: n = 3
  integer, parameter :: outside = -1
  integer :: rank, ranks, code, length
  type(MPI_Comm) :: torus, mesh
  type(Carpool_Request) :: exchange
  character(len=MPI_MAX_ERROR_STRING) :: text

  call MPI_Init()
  call rank_and_size(rank, ranks)
  call on_torus
  call section_of_three
  call components
  call bounded
  call backward
  call refused
  call finish

contains

  subroutine cartesian(d, period, comm, coords, dims)
    integer, intent(in) :: d
    logical, intent(in) :: period
    type(MPI_Comm), intent(out) :: comm
    integer, intent(out) :: coords(d), dims(d)
    dims = 0
    call MPI_Dims_create(ranks, d, dims)
    call MPI_Cart_create(MPI_COMM_WORLD, d, dims, spread(period, 1, d), .false., comm)
    call MPI_Cart_coords(comm, rank, d, coords)
  end subroutine

  ! The number of a cell of the whole array, whose first one on this rank is (1, 1, ..).
  integer function number(at, coords, dims)
    integer, intent(in) :: at(:), coords(:), dims(:)
    integer :: k
    number = 0
    do k = size(at), 1, -1
      number = number * n * dims(k) + modulo(n * coords(k) + at(k) - 1, n * dims(k))
    end do
  end function

  subroutine once
    call Carpool_Start(exchange)
    call Carpool_Wait(exchange, MPI_STATUS_IGNORE)
    call Carpool_Request_free(exchange)
  end subroutine

  subroutine on_torus
    integer :: u(0:n + 1, 0:n + 1), coords(2), dims(2), stencil(2, 8), wide(3, 9), t, i, j, wrong
    call cartesian(2, .true., torus, coords, dims)
    call Carpool_Stencil_moore(2, 1, 8, t, stencil)
    call check(t == 8, 'nine points have eight neighbors')
    call Carpool_Stencil_moore(2, 1, 8, t, wide(::2, :8))
    call check(all(wide(::2, :8) == stencil), 'a section takes a stencil')
    call Carpool_Halo_init(u, MPI_INTEGER, [1, 1], [1, 1], t, wide(::2, :), torus, MPI_INFO_NULL, exchange)
    u = outside
    do j = 1, n
      do i = 1, n
        u(i, j) = number([i, j], coords, dims)
      end do
    end do
    call once
    wrong = 0
    do j = 0, n + 1
      do i = 0, n + 1
        if (u(i, j) /= number([i, j], coords, dims)) wrong = wrong + 1
      end do
    end do
    call check(wrong == 0, 'a halo of a matrix on a torus is filled')
    call MPI_Comm_free(torus)
  end subroutine

  ! Every second plane of a larger array, without its borders.
  subroutine section_of_three
    double precision :: whole(-1:n + 3, 0:n + 1, 2, 0:n + 1)
    integer :: coords(3), dims(3), stencil(3, 6), t, i, j, k, wrong
    call cartesian(3, .true., torus, coords, dims)
    call Carpool_Stencil_von_neumann(3, 1, 6, t, stencil)
    call Carpool_Halo_init(whole(0:n + 1, :, 2, :), MPI_DOUBLE_PRECISION, [1, 1, 1], [1, 1, 1], t, &
        stencil, torus, MPI_INFO_NULL, exchange)
    whole = outside
    do k = 1, n
      do j = 1, n
        do i = 1, n
          whole(i, j, 2, k) = number([i, j, k], coords, dims)
        end do
      end do
    end do
    call once
    wrong = 0
    do k = 0, n + 1
      do j = 0, n + 1
        do i = 0, n + 1
          if (count([i, j, k] == 0 .or. [i, j, k] == n + 1) <= 1) then
            if (nint(whole(i, j, 2, k)) /= number([i, j, k], coords, dims)) wrong = wrong + 1
          else if (nint(whole(i, j, 2, k)) /= outside) then
            wrong = wrong + 1
          end if
        end do
      end do
    end do
    call check(wrong == 0, 'a halo of a section of three dimensions is filled')
    call check(all(nint(whole(:, :, 1, :)) == outside), 'a halo of a section leaves other planes')
    call check(all(nint(whole(-1, :, 2, :)) == outside), 'a halo of a section leaves what is before it')
    call check(all(nint(whole(n + 2:, :, 2, :)) == outside), 'a halo of a section leaves what is behind it')
    call MPI_Comm_free(torus)
  end subroutine

  ! Two of three numbers of each cell; columns alone are distributed.
  subroutine components
    integer :: u(3, -1:n + 2), coords(1), dims(1), t, d, i, c, wrong
    integer :: stencil(1, 4), few(2, 1)
    call cartesian(1, .true., torus, coords, dims)
    call Carpool_Stencil('offsets 2: -2,1 0,5 1,1', 1, d, t, few)
    call check(d == 2 .and. t == 3 .and. all(few(:, 1) == [-2, 1]), 'as many offsets as there is room for')
    call Carpool_Stencil('moore 3 1', 0, d, t, few)
    call check(d == 3 .and. t == 26, 'without room offsets are counted')
    call Carpool_Stencil('offsets 1: -2 1', 4, d, t, stencil)
    call check(d == 1 .and. t == 2 .and. stencil(1, 1) == -2, 'a text names a stencil')
    call Carpool_Halo_init(u(1:3:2, :), MPI_INTEGER, [2], [2], t, stencil, torus, MPI_INFO_NULL, exchange)
    u = outside
    do i = 1, n
      u(:, i) = 10 * number([i], coords, dims) + [1, 2, 3]
    end do
    call once
    wrong = 0
    do i = -1, n + 2
      do c = 1, 3, 2
        if (u(c, i) /= 10 * number([i], coords, dims) + c) wrong = wrong + 1
      end do
    end do
    call check(wrong == 0, 'cells may have components')
    call check(all(u(2, -1:0) == outside), 'components beside a section stay')
    call MPI_Comm_free(torus)
  end subroutine

  subroutine bounded
    integer :: u(n + 1), coords(1), dims(1)
    call cartesian(1, .false., mesh, coords, dims)
    u = outside
    u(2:) = coords(1)
    call Carpool_Halo_init(u, MPI_INTEGER, [1], [0], 1, [-1], mesh, MPI_INFO_NULL, exchange)
    call once
    call check(u(1) == merge(outside, coords(1) - 1, coords(1) == 0), 'a border without neighbor stays')
    call MPI_Comm_free(mesh)
  end subroutine

  subroutine backward
    integer :: u(n + 1), coords(1), dims(1)
    call cartesian(1, .true., torus, coords, dims)
    u = outside
    u(1:n) = coords(1)
    call Carpool_Halo_init(u(n + 1:1:-1), MPI_INTEGER, [1], [0], 1, [-1], torus, MPI_INFO_NULL, exchange)
    call once
    call check(u(n + 1) == modulo(coords(1) - 1, ranks), 'an array may run backwards')
    call MPI_Comm_free(torus)
  end subroutine

  subroutine refused
    integer :: u(4), coords(2), dims(2)
    real :: reals(4, 4)
    call cartesian(2, .true., torus, coords, dims)
    call MPI_Comm_set_errhandler(torus, MPI_ERRORS_RETURN)
    call Carpool_Halo_init(u, MPI_INTEGER, [1, 1], [1, 1], 1, [1, 0], torus, MPI_INFO_NULL, exchange, code)
    call MPI_Error_string(code, text, length)
    call check(class_of(code) == MPI_ERR_DIMS .and. index(text, 'field has 1 dimensions') > 0, &
        'an array of too few dimensions is refused: ' // trim(text))
    call Carpool_Halo_init(reals, MPI_DOUBLE_PRECISION, [1, 1], [1, 1], 1, [1, 0], torus, MPI_INFO_NULL, &
        exchange, code)
    call MPI_Error_string(code, text, length)
    call check(class_of(code) == MPI_ERR_TYPE .and. index(text, 'element has an extent of 8 bytes') > 0, &
        'an element of another size is refused: ' // trim(text))
    call MPI_Comm_free(torus)
  end subroutine
end program
