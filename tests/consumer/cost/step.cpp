// SPDX-License-Identifier: MIT
// A start and a wait in C++; see step.c.
#include <carpool/carpool.hpp>

extern "C" void step(carpool::Request& request);

extern "C" void step(carpool::Request& request) {
    request.start();
    request.wait();
}
