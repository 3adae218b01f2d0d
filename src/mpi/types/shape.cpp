// SPDX-License-Identifier: MIT
#include "mpi/types/shape.hpp"

#include "mpi/error.hpp"
#include "mpi/types/type_name.hpp"

#include <algorithm>
#include <utility>

namespace carpool::mpi {

Shape::Shape(MPI_Count count, MPI_Datatype type) : count_(count), type_(type) {
    const auto* const element = predefined_element(type);
    if (element != nullptr)
        repeat(*element);
    else
        *this = Shape(count, std::make_shared<const DerivedType>(type));
}

Shape::Shape(MPI_Count count, MPI_Datatype type, const Element& element)
    : count_(count), type_(type) {
    repeat(element);
}

Shape::Shape(MPI_Count count, std::shared_ptr<const DerivedType> type)
    : count_(count), type_(type->type()), derived_(std::move(type)) {
    repeat(derived_->element());
}

Shape Shape::of_bytes(Layout layout) {
    Shape shape;
    shape.type_ = MPI_BYTE;
    shape.count_ = shape.whole_.length = layout.size();
    const auto runs = layout.runs();
    const bool is_one_piece =
        runs.empty() || (runs.size() == 1 && runs[0].repeat == 1 && runs[0].offset == 0);
    if (!is_one_piece)
        shape.scattered_ = std::make_shared<const std::optional<Layout>>(std::move(layout));
    return shape;
}

Shape Shape::with_count(MPI_Count count) const {
    return derived_ ? Shape(count, derived_) : Shape(count, type_);
}

void Shape::repeat(const Element& element) {
    whole_.length = count_ * element.size;
    if (element.is_dense) return;
    auto layout = element.layout ? element.layout->repeated(count_, element.extent) : std::nullopt;
    scattered_ = std::make_shared<const std::optional<Layout>>(std::move(layout));
}

std::optional<std::span<const Run>> Shape::runs() const {
    if (!scattered_) return std::span(&whole_, whole_.length > 0 ? 1 : 0);
    if (!*scattered_) return std::nullopt;
    return (*scattered_)->runs();
}

std::optional<std::int64_t> Shape::piece() const {
    if (!scattered_ || whole_.length == 0) return 0;
    const auto all = runs();
    if (!all || all->size() != 1 || all->front().repeat != 1) return std::nullopt;
    return all->front().offset;
}

double Shape::mean_piece() const {
    const auto bytes = static_cast<double>(whole_.length);
    if (!scattered_ || !*scattered_) return bytes;
    return bytes / static_cast<double>(std::max<std::int64_t>(1, (*scattered_)->pieces()));
}

std::string text_of(const Shape& shape) {
    if (!shape) return "0 bytes";
    return std::to_string(shape.count()) + " of " + type_name(shape.type()) + " (" +
           std::to_string(shape.bytes()) + " bytes)";
}

bool have_many_pieces(std::span<const Block> blocks) {
    constexpr std::size_t many = 32;
    std::size_t runs = 0;
    for (const auto& block : blocks) {
        if (block.shape.is_dense()) continue;
        const auto of_block = block.shape.runs();
        if (of_block) runs += of_block->size();
    }
    return runs >= many;
}

std::vector<std::int64_t> sizes_of(std::span<const Block> blocks) {
    std::vector<std::int64_t> sizes;
    for (const auto& block : blocks) sizes.push_back(block.shape.bytes());
    return sizes;
}

bool none_longer(std::span<const Block> blocks, std::int64_t longest) {
    return std::ranges::none_of(
        blocks, [longest](const Block& block) { return block.shape.bytes() > longest; });
}

}  // namespace carpool::mpi
