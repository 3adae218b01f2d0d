// SPDX-License-Identifier: MIT
// The kernel that packs and unpacks. make generate compiles it to the text in
// copy_kernel_ptx.generated.hpp, without any header of CUDA's.

#include "device/copy_kernel.hpp"

using carpool::device::Tile;

// Copies all tiles; each block of threads ends by storing the number of the start in a word of its
// own, which the host reads. So no thread waits for another block, and nobody counts.
extern "C" __attribute__((global)) void carpool_copy(const Tile* tiles, unsigned count,
                                                     volatile unsigned* ended, unsigned number) {
    const unsigned thread = __nvvm_read_ptx_sreg_tid_x();
    const unsigned block = __nvvm_read_ptx_sreg_ctaid_x();
    const unsigned warps = __nvvm_read_ptx_sreg_ntid_x() / carpool::device::lanes_of_tile;
    const unsigned step = warps * __nvvm_read_ptx_sreg_nctaid_x();
    for (unsigned tile = block * warps + thread / carpool::device::lanes_of_tile; tile < count;
         tile += step)
        copy_tile(tiles[tile], thread % carpool::device::lanes_of_tile);
    __nvvm_membar_sys();
    __syncthreads();
    if (thread == 0) {
        __nvvm_membar_sys();
        ended[block] = number;
    }
}
