#include "carpool/carpool.h"

#include "api/guarded.hpp"
#include "neighbor/create.hpp"

using namespace carpool;

int Carpool_Cart_neighborhood_create(MPI_Comm comm, int d, const int dims[], const int periods[],
                                     int t, const int targetrelative[], const int weight[],
                                     MPI_Info info, int reorder, MPI_Comm* cartcomm) {
    return api::guarded(comm, [&] {
        api::check_comm(comm, "comm");
        *cartcomm = neighbor::create_cart(
            comm, {d, dims, periods, t, targetrelative, weight, info, reorder});
    });
}

int Carpool_Iso_neighborhood_create(MPI_Comm cartcomm, int s, const int relative_coordinates[],
                                    MPI_Comm* isocomm) {
    return api::guarded(cartcomm, [&] {
        api::check_comm(cartcomm, "cartcomm");
        *isocomm = neighbor::create_iso(cartcomm, s, relative_coordinates);
    });
}
