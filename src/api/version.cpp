// SPDX-License-Identifier: MIT
#include "carpool/carpool.h"

int Carpool_Get_version(int* major, int* minor, int* patch) {
    if (major != nullptr) *major = CARPOOL_VERSION_MAJOR;
    if (minor != nullptr) *minor = CARPOOL_VERSION_MINOR;
    if (patch != nullptr) *patch = CARPOOL_VERSION_PATCH;
    return MPI_SUCCESS;
}
