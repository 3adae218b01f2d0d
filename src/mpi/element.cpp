#include "mpi/element.hpp"

#include "mpi/extent.hpp"
#include "mpi/type_contents.hpp"

#include <map>

namespace carpool::mpi {

Element::Element(MPI_Datatype type)
    : size(size_of(type)), extent(extent_of(type)), layout(Layout::of(type)) {}

const Element* predefined_element(MPI_Datatype type) {
    static thread_local std::map<MPI_Datatype, Element> known;
    if (const auto at = known.find(type); at != known.end()) return &at->second;
    if (!is_predefined(type)) return nullptr;
    return &known.try_emplace(type, type).first->second;
}

}  // namespace carpool::mpi
