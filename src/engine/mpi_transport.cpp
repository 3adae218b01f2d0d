// SPDX-License-Identifier: MIT
#include "engine/mpi_transport.hpp"

#include "base/expects.hpp"
#include "engine/mpi_message.hpp"
#include "engine/receive_lengths.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/library.hpp"
#include "mpi/tests.hpp"
#include "mpi/types/byte_count.hpp"

#include <mpi.h>

#include <algorithm>
#include <utility>

namespace carpool::engine {
namespace {

using mpi::check;

constexpr int tests_between_host_progress = 32;

/// Requests are in the order of places.
class MpiMessages final : public Transport::Messages {
public:
    MpiMessages(TransferList list, const mpi::CommState& state)
        : state_(state),
          persistent_(list.tag.has_value()),
          checked_(list.checked),
          order_(std::move(list.order)),
          received_(order_.size()),
          requests_(order_.size() + list.sends.size(), MPI_REQUEST_NULL) {
        std::vector<const Transfer*> receives(order_.size());
        for (std::size_t r = 0; r < order_.size(); ++r) receives[place_of(r)] = list.receives[r];
        receives_.reserve(receives.size());
        for (const auto* const receive : receives) receives_.emplace_back(*receive, state);
        sends_.reserve(list.sends.size());
        for (const auto* const send : list.sends) sends_.emplace_back(*send, state);
        if (checked_) statuses_.resize(order_.size());
        if (list.tag) make_persistent(*list.tag);
    }

    ~MpiMessages() override {
        if (mpi::finalized()) return;
        for (auto& request : requests_)
            if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }

    void filled() override { CARPOOL_EXPECTS(!persistent_, tag_); }

    /// Starts receives one by one, since MPI_Startall may take any order and messages of one peer
    /// share a tag.
    void post(int tag) override {
        tag_ = tag;
        next_ = 0;
        for (std::size_t r = 0; r < order_.size(); ++r) {
            const auto place = place_of(r);
            if (persistent_)
                check(MPI_Start(&requests_[place]), "MPI_Start");
            else
                receives_[place].receive(receives_[place].tag_in(tag_), requests_[place]);
        }
    }

    void launch(std::size_t send) override {
        auto& request = request_of_send(send);
        auto& message = sends_[send];
        const auto bytes = message.transfer().payload->load();
        if (persistent_) return check(MPI_Start(&request), "MPI_Start");
        message.send(bytes, message.tag_in(tag_), request);
    }

    void send(int target, int tag, std::span<const std::byte> bytes, bool synchronous) override {
        const mpi::ByteCount count(bytes.size());
        auto* const post = synchronous ? MPI_Issend : MPI_Isend;
        check(post(bytes.data(), count.count(), count.type(), state_.channel_rank(target), tag,
                   state_.channel_comm(), &requests_.emplace_back(MPI_REQUEST_NULL)),
              synchronous ? "MPI_Issend" : "MPI_Isend");
    }

    void receive(int source, int tag, std::span<std::byte> bytes) override {
        const mpi::ByteCount count(bytes.size());
        check(MPI_Irecv(bytes.data(), count.count(), count.type(), state_.channel_rank(source), tag,
                        state_.channel_comm(), &added_receive()),
              "MPI_Irecv");
    }

    std::optional<UnexpectedMessage> probe(int tag) override {
        if (!mpi::may_probe()) return std::nullopt;
        int flag = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        check(MPI_Improbe(MPI_ANY_SOURCE, tag, state_.channel_comm(), &flag, &message, &status),
              "MPI_Improbe");
        if (flag == 0) return std::nullopt;
        MPI_Count size = 0;
        check(MPI_Get_elements_x(&status, MPI_BYTE, &size), "MPI_Get_elements_x");
        const mpi::ByteCount count(static_cast<std::size_t>(size));
        auto memory = memory_for(size);
        check(MPI_Imrecv(memory.get(), count.count(), count.type(), &message, &added_receive()),
              "MPI_Imrecv");
        const std::span bytes(memory.get(), static_cast<std::size_t>(size));
        return UnexpectedMessage{state_.rank_of_channel_rank(status.MPI_SOURCE), bytes,
                                 std::move(memory)};
    }

    std::span<const int> test_some(int count, std::span<int> ended) override {
        go_on_beside(count);
        if (checked_)
            return mpi::is_open_mpi() ? checked_some(count, ended) : test_each(count, ended);
        const int found = mpi::test_some(among(0, count), ended);
        return ended.first(static_cast<std::size_t>(found));
    }

    bool test_all(int first, int end) override {
        go_on_beside(end - first, first);
        return checked_ ? test_in_order(first, end) : mpi::test_all(among(first, end));
    }

    bool has_ended(int place) const override {
        return mpi::is_over(requests_[static_cast<std::size_t>(place)]);
    }

    void withdraw() override {
        for (auto& request : std::span(requests_).first(received_))
            if (!mpi::is_over(request)) cancel_receive(request);
        forget_added();
    }

private:
    MPI_Request& added_receive() {
        ++received_;
        return requests_.emplace_back(MPI_REQUEST_NULL);
    }

    void forget_added() {
        received_ = receives_.size();
        for (; requests_.size() > received_ + sends_.size(); requests_.pop_back())
            if (requests_.back() != MPI_REQUEST_NULL) MPI_Request_free(&requests_.back());
    }

    /// Lets MPI progress now and then while messages of other transports are waited for and none of
    /// these is tested: other ranks may wait for what this rank has sent.
    void go_on_beside(int asked, int first = 0) {
        if (asked > 0 || static_cast<std::size_t>(first) == requests_.size()) return;
        if (++vain_tests_ % tests_between_host_progress == 0)
            mpi::let_host_progress(state_.channel_comm());
    }

    std::span<const int> checked_some(int count, std::span<int> ended) {
        const int found = mpi::test_some(among(0, count), ended, statuses_);
        const auto some = ended.first(static_cast<std::size_t>(found));
        for (std::size_t i = 0; i < some.size(); ++i)
            check_receive(static_cast<std::size_t>(some[i]), statuses_[i], statuses_[i].MPI_ERROR);
        return some;
    }

    void check_receive(std::size_t place, const MPI_Status& status, int code) const {
        check_length(receives_[place].transfer(), state_.rank(), status, code);
    }

    // MPICH raises an error of one of several receives on a communicator of the user. So receives
    // are tested one by one there; those that nothing waits for are tested so on all MPIs.

    bool test_one(std::size_t i) {
        if (requests_[i] == MPI_REQUEST_NULL) return true;
        int flag = 0;
        MPI_Status status;
        const int code = mpi::test(requests_[i], flag, status);
        if (i >= received_)
            check(code, "MPI_Test");
        else if (code != MPI_SUCCESS || flag != 0)
            check_receive(i, status, code);
        return flag != 0;
    }

    std::span<const int> test_each(int count, std::span<int> ended) {
        std::size_t found = 0;
        for (int i = 0; i < count; ++i) {
            const auto place = static_cast<std::size_t>(i);
            if (requests_[place] != MPI_REQUEST_NULL && test_one(place)) ended[found++] = i;
        }
        return ended.first(found);
    }

    /// Goes on at the first receive that had not ended at the last test.
    bool test_in_order(int first, int end) {
        const auto behind = static_cast<std::size_t>(end);
        next_ = std::max(next_, static_cast<std::size_t>(first));
        while (next_ < behind && test_one(next_)) ++next_;
        return next_ == behind;
    }

    std::span<MPI_Request> among(int first, int end) {
        return std::span(requests_).subspan(static_cast<std::size_t>(first),
                                            static_cast<std::size_t>(end - first));
    }
    std::size_t place_of(std::size_t receive) const {
        return static_cast<std::size_t>(order_[receive]);
    }
    MPI_Request& request_of_send(std::size_t send) { return requests_[receives_.size() + send]; }

    void make_persistent(int tag) {
        for (std::size_t r = 0; r < order_.size(); ++r)
            receives_[place_of(r)].init_receive(tag, requests_[place_of(r)]);
        for (std::size_t s = 0; s < sends_.size(); ++s)
            sends_[s].init_send(tag, request_of_send(s));
    }

    const mpi::CommState& state_;
    bool persistent_;
    bool checked_;
    int tag_ = 0;
    std::vector<int> order_;            // per receive of the list, its place
    std::vector<MpiMessage> receives_;  // by place
    std::vector<MpiMessage> sends_;
    std::size_t received_;  // how many receives there are, with added ones
    std::vector<MPI_Request> requests_;
    std::vector<MPI_Status> statuses_;  // of checked receives
    std::size_t next_ = 0;              // all before this one have ended
    int vain_tests_ = 0;                // tests that covered no message
};

}  // namespace

std::optional<Reach> MpiTransport::reach(int) const {
    return Reach{.packs_to = 0, .needs_tests = false, .tells_ack = true};
}

Staging MpiTransport::staging(int, std::int64_t bytes) const { return memory_for(bytes); }

std::unique_ptr<Transport::Messages> MpiTransport::messages(TransferList list) const {
    CARPOOL_EXPECTS(state_.size() > 1 || list.sends.empty(), list.sends.size());
    return std::make_unique<MpiMessages>(std::move(list), state_);
}

UnexpectedTag MpiTransport::unexpected_from(int rank) const {
    if (!mpi::may_probe()) return {};
    int flag = 0;
    MPI_Status status;
    check(MPI_Iprobe(state_.channel_rank(rank), MPI_ANY_TAG, state_.channel_comm(), &flag, &status),
          "MPI_Iprobe");
    return {flag != 0 ? std::optional(status.MPI_TAG) : std::nullopt};
}

}  // namespace carpool::engine
