// SPDX-License-Identifier: MIT
#include "mpi/types/element.hpp"

#include "mpi/types/extent.hpp"
#include "mpi/types/type_contents.hpp"

#include <map>

namespace carpool::mpi {

namespace {

bool is_one_piece(const Layout& layout, std::int64_t bytes) {
    const auto runs = layout.runs();
    return runs.size() == 1 && runs.front().offset == 0 && runs.front().length == bytes;
}

}  // namespace

Element::Element(MPI_Datatype type)
    : size(size_of(type)),
      extent(extent_of(type)),
      layout(Layout::of(type)),
      is_dense(size == extent && layout && is_one_piece(*layout, size)) {}

const Element* predefined_element(MPI_Datatype type) {
    static thread_local std::map<MPI_Datatype, Element> known;
    static thread_local const decltype(known)::value_type* last = nullptr;
    if (last != nullptr && last->first == type) return &last->second;
    auto at = known.find(type);
    if (at == known.end() && !is_predefined(type)) return nullptr;
    if (at == known.end()) at = known.try_emplace(type, type).first;
    last = &*at;
    return &at->second;
}

std::int64_t element_size(MPI_Datatype type) {
    const auto* const element = predefined_element(type);
    return element != nullptr ? element->size : size_of(type);
}

}  // namespace carpool::mpi
