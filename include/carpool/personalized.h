/* SPDX-License-Identifier: MIT */
/* The former name of sparse.h, which the next version drops. The all-to-alls, which were once here,
 * are in collectives.h. */
#ifndef CARPOOL_PERSONALIZED_H
#define CARPOOL_PERSONALIZED_H

#include <carpool/collectives.h>
#include <carpool/deprecated.h>
#include <carpool/sparse.h>

#endif
