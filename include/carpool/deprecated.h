/* SPDX-License-Identifier: MIT */
/* Former names, which the next version drops. Included by carpool.h. */
#ifndef CARPOOL_DEPRECATED_H
#define CARPOOL_DEPRECATED_H

#include <carpool/sparse.h>

#define Carpool_Exchange Carpool_Sparse_exchange
#define Carpool_Exchange_c Carpool_Sparse_exchange_c
#define Carpool_Iexchange Carpool_Isparse_exchange
#define Carpool_Iexchange_c Carpool_Isparse_exchange_c
#define Carpool_Exchange_init Carpool_Sparse_exchange_init

#endif
