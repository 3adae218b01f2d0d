#pragma once

#include "engine/transport.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace carpool::engine {

/// Messages of which some go one way and some another, as those who bound them see them together.
class SplitTransfers final : public BoundTransfers {
public:
    /// What has become of each message.
    struct Split {
        struct Send {
            std::size_t part;
            std::size_t number;  ///< in the part
        };
        std::vector<Send> sends;
        std::array<std::vector<int>, 2> places;  ///< per part, those in which receives are watched
    };
    struct Parts {
        TransferList near;
        TransferList far;
        Split split;
    };

    using IsNear = std::function<bool(const Transfer&)>;

    static Parts split(const TransferList& transfers, const IsNear& is_near);

    SplitTransfers(Split split, std::unique_ptr<BoundTransfers> near,
                   std::unique_ptr<BoundTransfers> far)
        : split_(std::move(split)), parts_{std::move(near), std::move(far)} {}

    void post(int tag) override;
    void launch(std::size_t send) override;
    std::span<const int> test_some(int count, std::span<int> ended) override;
    bool test_receives(int first, int end) override;
    bool test_rest(int first) override;
    bool needs_tests() const override {
        return parts_[0]->needs_tests() || parts_[1]->needs_tests();
    }
    SharedUse shared_use() const override { return parts_[0]->shared_use(); }
    std::vector<int> awaited() const override;
    void withdraw() override;

private:
    int place_in(std::size_t part, int place) const;

    Split split_;
    std::array<std::unique_ptr<BoundTransfers>, 2> parts_;
};

}  // namespace carpool::engine
