#include "mpi/shape.hpp"

#include "mpi/element.hpp"
#include "mpi/type_contents.hpp"

#include <algorithm>
#include <utility>

namespace carpool::mpi {

Shape::Shape(MPI_Count count, MPI_Datatype type) : count_(count), type_(type), given_(type) {
    if (const auto* const element = predefined_element(type)) {
        repeat(*element);
        return;
    }
    auto [own, given] = kept(type);
    kept_ = std::move(own);
    type_ = kept_.get();
    given_ = given;
    repeat(Element(type_));
}

void Shape::repeat(const Element& element) {
    bytes_ = count_ * element.size;
    if (element.layout) layout_ = element.layout->repeated(count_, element.extent);
}

std::optional<std::int64_t> Shape::piece() const {
    if (bytes_ == 0) return 0;
    if (!layout_ || layout_->runs().size() != 1 || layout_->runs().front().repeat != 1) return {};
    return layout_->runs().front().offset;
}

double Shape::mean_piece() const {
    if (!layout_) return static_cast<double>(bytes_);
    return static_cast<double>(bytes_) /
           static_cast<double>(std::max<std::int64_t>(1, layout_->pieces()));
}

bool none_longer(std::span<const Block> blocks, std::int64_t longest) {
    return std::ranges::none_of(blocks, [longest](const Block& block) {
        return block.shape && block.shape->bytes() > longest;
    });
}

}  // namespace carpool::mpi
