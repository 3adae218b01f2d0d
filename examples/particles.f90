! SPDX-License-Identifier: MIT
! Particles that move over a torus of ranks: mpiexec -n 4 ./particles_f90
!
! particles.c in Fortran: each rank has the particles in its part of the unit square. It knows to which
! ranks it sends particles, but not from which ranks it receives some: that is a sparse exchange.
program particles
  use mpi_f08
  use carpool
  implicit none
  integer, parameter :: all = 500, steps = 20
  integer, parameter :: words = 5 ! of a particle: its number, two coordinates, two speeds
  double precision :: everyone(words, all), mine(words, all), sorted(words, all)
  integer :: rank, size, dims(2) = 0, step, n, i, sums(2)
  type(MPI_Datatype) :: particle

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Dims_create(size, 2, dims)
  call MPI_Type_contiguous(words, MPI_DOUBLE_PRECISION, particle)
  call MPI_Type_commit(particle)

  call create
  do step = 1, steps
    call move(mine(:, 1:n))
    call exchange
    call move(everyone)
  end do

  sums = [n, count([(at_home(mine(:, i)), i = 1, n)])]
  call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(5(i0, a))', all, ' particles on ', size, ' ranks, ', steps, ' steps: ', &
      all - sums(1), ' lost, ', sums(1) - sums(2), ' not at home'
  call MPI_Type_free(particle)
  call MPI_Finalize()
  if (any(sums /= all)) error stop 1

contains

  ! The square is cut into dims(1) x dims(2) parts.
  pure integer function owner(one)
    double precision, intent(in) :: one(words)
    integer :: part(2)
    part = modulo(int(one(2:3) * dims), dims)
    owner = part(1) * dims(2) + part(2)
  end function

  ! Positions and speeds that look random, and are the same on all ranks.
  subroutine create
    n = 0
    do i = 1, all
      everyone(:, i) = [dble(i), modulo(i * 0.618d0, 1d0), modulo(i * 0.414d0, 1d0), &
          modulo(i * 0.732d0, 1d0) / 10 - 0.05d0, modulo(i * 0.236d0, 1d0) / 10 - 0.05d0]
      if (owner(everyone(:, i)) == rank) call take(everyone(:, i))
    end do
  end subroutine

  subroutine take(one)
    double precision, intent(in) :: one(words)
    n = n + 1
    mine(:, n) = one
  end subroutine

  subroutine move(those)
    double precision, intent(inout) :: those(:, :)
    those(2:3, :) = modulo(those(2:3, :) + those(4:5, :), 1d0)
  end subroutine

  ! Sorts the particles by owner: the owners, how many particles each gets, and where they begin.
  subroutine sort(owners, destination, counts, displs)
    integer, intent(out) :: owners, destination(:), counts(:), displs(:)
    integer :: to, placed, begin
    owners = 0
    placed = 0
    do to = 0, size - 1
      begin = placed
      do i = 1, n
        if (owner(mine(:, i)) /= to) cycle
        placed = placed + 1
        sorted(:, placed) = mine(:, i)
      end do
      if (placed == begin) cycle
      owners = owners + 1
      destination(owners) = to
      counts(owners) = placed - begin
      displs(owners) = begin
    end do
  end subroutine

  ! Sends each particle to its owner.
  subroutine exchange
    integer :: owners, destination(all), counts(all), displs(all)
    type(Carpool_Delivery) :: delivery
    call sort(owners, destination, counts, displs)
    call Carpool_Sparse_exchange(owners, destination, sorted, counts, displs, particle, &
        MPI_COMM_WORLD, delivery)
    call receive(delivery)
    call Carpool_Delivery_free(delivery)
  end subroutine

  ! Takes the particles that have arrived.
  subroutine receive(delivery)
    type(Carpool_Delivery), intent(in) :: delivery
    double precision, pointer :: arrived(:) ! in the delivery, so nothing is copied
    integer :: blocks, block, source
    n = 0
    call Carpool_Delivery_count(delivery, blocks)
    do block = 1, blocks
      call Carpool_Delivery_get(delivery, block, source, arrived)
      do i = 1, ubound(arrived, 1), words
        call take(arrived(i:i + words - 1))
      end do
    end do
  end subroutine

  ! True if a particle is where a single process would have moved it.
  logical function at_home(one)
    double precision, intent(in) :: one(words)
    at_home = owner(one) == rank .and. all_equal(one, everyone(:, nint(one(1))))
  end function

  pure logical function all_equal(a, b)
    double precision, intent(in) :: a(:), b(:)
    all_equal = .not. any(abs(a - b) > 0)
  end function
end program
