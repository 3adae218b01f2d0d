// SPDX-License-Identifier: MIT
#pragma once

#include "family.hpp"

namespace families {

/// Halos on all grids, whose cells are followed one by one, too.
void verify_halos(const Scope& scope, Tally& tally);

/// Exchanges by index: updates of ghosts and sums of them, by every rule for graphs.
void verify_ghosts(const Scope& scope, Tally& tally);

/// Exchanges whose blocks' sizes only their two ends know: with length headers and rendezvous
/// messages, and with sizes that ranks have learnt.
void verify_unsized(const Scope& scope, Tally& tally);

/// Several exchanges of any kind merged into one.
void verify_bundles(const Scope& scope, Tally& tally);

}  // namespace families
