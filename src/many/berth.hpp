#pragma once

#include "many/partners.hpp"
#include "mpi/lane.hpp"
#include "routing/course.hpp"

namespace carpool::many {

/// What exchanges by fixed partners keep from one to the next that goes the same way with the same
/// tags.
struct Berth {
    Berth(const mpi::Lane& lane, int tag, routing::Course course);

    routing::Course course;
    Partners partners;
};

}  // namespace carpool::many
