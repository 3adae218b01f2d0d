#include "group/terms.hpp"

namespace carpool::group {

mpi::Claim Terms::claim() const {
    mpi::Claim all{"settings in the environment (CARPOOL_*)", {}};
    for (const auto& [kind, of_kind] : settings)
        for (const auto& claim : of_kind.claims())
            all.values.insert(all.values.end(), claim.values.begin(), claim.values.end());
    for (const auto& [kind, of_kind] : settings)
        all.values.push_back(of_kind.preferred != nullptr
                                 ? of_kind.preferred - collectives::algorithms(kind).data()
                                 : -1);
    return all;
}

}  // namespace carpool::group
