// SPDX-License-Identifier: MIT
#include "arguments/side.hpp"

#include "arguments/handle_number.hpp"
#include "mpi/comm/channel.hpp"
#include "mpi/device_memory.hpp"
#include "mpi/error.hpp"
#include "mpi/types/element.hpp"
#include "mpi/types/type_contents.hpp"
#include "mpi/types/type_name.hpp"

#include <algorithm>
#include <cstdlib>

namespace carpool::arguments {
namespace {

using mpi::Error;

std::string indexed(const char* name, bool varying, int i) {
    return varying ? mpi::element(name, i) : std::string(name);
}

/// The name that MPI or the user has given the datatype, else the name of the argument.
std::string type_name(const Side& side, int i) {
    return mpi::type_name(side.type(i), indexed(side.names.type, side.varying_types, i));
}

std::string size_text(const Side& side, int i, std::int64_t bytes) {
    return count_name(side, i) + " is " + std::to_string(side.count(i)) + " of " +
           type_name(side, i) + " (" + std::to_string(bytes) + " bytes)";
}

/// The address of the first byte of a block.
std::int64_t first_byte_of(const mpi::Block& block) {
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    mpi::check(MPI_Type_get_true_extent_x(block.shape.type(), &lower, &extent),
               "MPI_Type_get_true_extent_x");
    return reinterpret_cast<std::intptr_t>(block.address) + lower;
}

/// No memory holds more, so that sums of sizes never overflow.
constexpr double most_memory = 0x1p56;

/// Throws MPI_ERR_COUNT for more elements of that many bytes than some memory can hold.
[[noreturn]] void refuse_count(const Side& side, int i, std::int64_t element) {
    throw Error(MPI_ERR_COUNT, count_name(side, i) + " is " + std::to_string(side.count(i)) +
                                   " elements of " + std::to_string(element) +
                                   " bytes, expected what some memory can hold");
}

/// Whether a block without elements has a datatype that nobody looks at: programs give
/// MPI_DATATYPE_NULL there, and MPI accepts it.
bool has_no_type(const Side& side, int i) {
    return side.count(i) == 0 && (side.varying_types || side.one_type == MPI_DATATYPE_NULL);
}

}  // namespace

std::array<std::pair<const char*, const void*>, 3> Side::arrays() const {
    return {{{counts.varies() ? names.count : nullptr, counts.array()},
             {displacements.varies() ? names.displacement : nullptr, displacements.array()},
             {varying_types ? names.type : nullptr, types}}};
}

std::string_view function_suffix(const Side& send, const Side& recv) {
    if (send.varying_types || recv.varying_types) return "w";
    return send.varying_counts() || recv.varying_counts() ? "v" : "";
}

std::string count_name(const Side& side, int i) {
    return indexed(side.names.count, side.varying_counts(), i);
}

std::string differing_sizes(const Side& side, int i, std::int64_t bytes, const Side& other, int j,
                            std::int64_t other_bytes) {
    return size_text(side, i, bytes) + " and " + size_text(other, j, other_bytes) +
           ", expected as many bytes";
}

/// MPI has no function that tells whether a datatype is committed, but MPI_Pack fails if it is not.
void check_type(std::string_view name, MPI_Datatype type, MPI_Comm comm) {
    if (type == MPI_DATATYPE_NULL)
        throw Error(MPI_ERR_TYPE,
                    std::string(name) + " is MPI_DATATYPE_NULL, expected a committed datatype");
    char in = 0;
    char out = 0;
    int position = 0;
    if (!mpi::is_predefined(type) &&
        MPI_Pack(&in, 0, type, &out, 1, &position, comm) != MPI_SUCCESS)
        throw Error(MPI_ERR_TYPE,
                    std::string(name) + " is not committed, expected a committed datatype");
}

void check_count(const Side& side, int i) {
    if (const auto count = side.count(i); count < 0)
        throw Error(MPI_ERR_COUNT,
                    count_name(side, i) + " is " + std::to_string(count) + ", expected at least 0");
}

void check_unused(const Side& side, int i) {
    check_count(side, i);
    if (!has_no_type(side, i))
        check_type(indexed(side.names.type, side.varying_types, i), side.type(i),
                   mpi::Channel::alone()->comm());
}

void check_buffer(const Side& side, int i, const mpi::Block& block) {
    if (side.buffer != nullptr || block.shape.bytes() == 0) return;
    constexpr std::int64_t first_page = 4096;  // no process has memory there
    const bool absolute = side.varying_types || !mpi::is_predefined(block.shape.given());
    if (absolute && first_byte_of(block) >= first_page) return;
    throw Error(MPI_ERR_BUFFER, std::string(side.names.buffer) + " is a null pointer, where " +
                                    count_name(side, i) + " is " + std::to_string(side.count(i)) +
                                    ", expected a buffer");
}

void check_arrays(const Side& side, int blocks) {
    if (!lacks_array(side, blocks)) return;
    for (const auto& [name, array] : side.arrays())
        if (name != nullptr && array == nullptr)
            throw Error(MPI_ERR_ARG, std::string(name) +
                                         " is a null pointer, expected an array of " +
                                         std::to_string(blocks));
}

void add(base::Digest& digest, const Side& side, int blocks) {
    digest.add(bits_of(side.buffer));
    if (lacks_array(side, blocks)) return;
    const bool displaced = side.order == BlockOrder::displaced;
    const bool varies = side.varying_counts() || side.varying_types || displaced;
    for (int i = 0; i < (varies ? blocks : 1); ++i) {
        digest.add(side.count(i));
        if (displaced) digest.add(side.displacements[i]);
        digest.add(bits_of(side.type(i)));
    }
}

void BlockReader::read(int i, mpi::Block& block) {
    check_count(side_, i);
    if (has_no_type(side_, i)) {
        block = {side_.buffer, mpi::Shape(0, MPI_BYTE)};
        return;
    }
    const auto type = side_.type(i);
    if (type != last_type_) take_type(i);
    const auto count = side_.count(i);
    if (static_cast<double>(count) * static_cast<double>(element_size_) > most_memory)
        refuse_count(side_, i, element_size_);
    auto* const address = side_.buffer + displacement(i) * unit_;
    const bool is_known = block.address == address && block.shape.bytes() > 0;
    block.address = nullptr;  // until it has been checked
    if (predefined_ != nullptr)
        block.shape.become(count, type, *predefined_);
    else if (!block.shape.is(count, *derived_))
        block.shape =
            types_ != nullptr ? types_->shape_of(count, derived_) : mpi::Shape(count, derived_);
    if (!is_placed_ && block.shape.bytes() > 0) find_device(block, address, is_known);
    block.address = address;
    if (side_.buffer == nullptr) check_buffer(side_, i, block);
}

void BlockReader::read_all(int count, std::vector<mpi::Block>& blocks) {
    blocks.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) read(i, blocks[static_cast<std::size_t>(i)]);
    note_device(blocks);
}

namespace {

/// Where the bytes of a block begin that has the address; the same if only MPI knows.
const std::byte* first_byte_at(const std::byte* address, const mpi::Shape& shape) {
    const auto runs = shape.runs();
    return runs && !runs->empty() ? address + runs->front().offset : address;
}

}  // namespace

device::Device* device_of(const Side& side, const std::byte* address, const mpi::Shape& shape) {
    const std::string buffer = side.names.buffer;
    auto* const device = mpi::device_of(buffer, first_byte_at(address, shape));
    if (device == nullptr) return nullptr;
    if (!side.takes_device_memory) mpi::refuse_device_memory(buffer);
    if (!shape.runs())
        throw Error(MPI_ERR_TYPE,
                    buffer +
                        " is memory of a GPU, and a datatype of its blocks can only be "
                        "read by MPI_Pack, expected one whose pieces Carpool knows");
    return device;
}

/// @param is_known  the block has been read at this address before
void BlockReader::find_device(const mpi::Block& block, const std::byte* address, bool is_known) {
    is_placed_ = true;
    if (!is_known || block.device != nullptr) device_ = device_of(side_, address, block.shape);
}

void BlockReader::set_device(std::span<mpi::Block> blocks) const {
    for (auto& block : blocks) {
        block.device = device_;
        if (!block.shape || block.shape.bytes() == 0) continue;
        if (device_of(side_, block.address, block.shape) != device_)
            throw Error(MPI_ERR_BUFFER,
                        "blocks of " + std::string(side_.names.buffer) +
                            " lie partly in memory of a GPU and partly elsewhere, expected all of "
                            "them in one place");
    }
}

/// Looks for derived types first: whether a type is predefined, MPI is asked.
void BlockReader::take_type(int i) {
    const auto type = side_.type(i);
    last_type_ = type;
    derived_ = types_ != nullptr ? types_->find(type) : nullptr;
    predefined_ = derived_ || type == MPI_DATATYPE_NULL ? nullptr : mpi::predefined_element(type);
    if (predefined_ == nullptr && !derived_) take_derived_type(i);
    const auto& element = predefined_ != nullptr ? *predefined_ : derived_->element();
    unit_ = side_.varying_types ? 1 : element.extent;
    element_size_ = std::max({std::int64_t{1}, element.size, std::abs(element.extent)});
}

void BlockReader::take_derived_type(int i) {
    const auto type = side_.type(i);
    check_type(indexed(side_.names.type, side_.varying_types, i), type,
               mpi::Channel::alone()->comm());
    derived_ =
        types_ != nullptr ? types_->read(type) : std::make_shared<const mpi::DerivedType>(type);
}

/// If blocks lie behind each other, sums the counts of those before block i.
std::int64_t BlockReader::displacement(int i) {
    if (side_.order == BlockOrder::at_start) return 0;
    if (side_.order == BlockOrder::displaced) return side_.displacements[i];
    if (!side_.varying_counts()) return std::int64_t{i} * side_.count(i);
    for (; next_ < i; ++next_) end_ += side_.count(next_);
    return end_;
}

}  // namespace carpool::arguments
