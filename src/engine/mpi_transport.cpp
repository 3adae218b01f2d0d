#include "engine/mpi_transport.hpp"

#include "base/each_once.hpp"
#include "base/expects.hpp"
#include "engine/receive_lengths.hpp"
#include "mpi/byte_count.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/library.hpp"
#include "mpi/tests.hpp"

#include <mpi.h>

#include <algorithm>
#include <utility>

namespace carpool::engine {
namespace {

using mpi::check;

/// Requests stand in the order in which they are watched: receives, then sends.
class MpiTransfers final : public BoundTransfers {
public:
    MpiTransfers(TransferList transfers, const mpi::CommState& state, std::optional<int> tag)
        : transfers_(std::move(transfers)),
          state_(state),
          comm_(state.channel_comm()),
          persistent_(tag.has_value()),
          requests_(transfers_.receives.size() + transfers_.sends.size(), MPI_REQUEST_NULL) {
        if (transfers_.checked) {
            lengths_.emplace(transfers_, state.rank());
            statuses_.resize(transfers_.receives.size());
        }
        for (auto* list : {&transfers_.receives, &transfers_.sends})
            for (auto& transfer : *list) transfer.peer = state.channel_rank(transfer.peer);
        if (tag) make_persistent(*tag);
    }

    ~MpiTransfers() override {
        if (mpi::finalized()) return;
        for (auto& request : requests_)
            if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }

    /// One by one, since MPI_Startall may take any order and messages of one peer share a tag.
    void post(int tag) override {
        tag_ = tag;
        next_ = 0;
        for (std::size_t r = 0; r < transfers_.receives.size(); ++r) {
            auto& request = request_of_receive(r);
            const auto& t = transfers_.receives[r];
            if (persistent_)
                check(MPI_Start(&request), "MPI_Start");
            else
                check(MPI_Irecv(t.buffer, t.count, t.type, t.peer, tag_of(t), comm_, &request),
                      "MPI_Irecv");
        }
    }

    void launch(std::size_t send) override {
        auto& request = request_of_send(send);
        const auto& t = transfers_.sends[send];
        const auto bytes = t.cargo->load();
        if (persistent_) return check(MPI_Start(&request), "MPI_Start");
        if (bytes != t.bytes) return launch_first(t, bytes, request);
        check(MPI_Isend(t.buffer, t.count, t.type, t.peer, tag_of(t), comm_, &request),
              "MPI_Isend");
    }

    std::span<const int> test_some(int count, std::span<int> ended) override {
        if (lengths_)
            return mpi::is_open_mpi() ? checked_some(count, ended) : test_each(count, ended);
        const int found = mpi::test_some(among(0, count), ended);
        return ended.first(static_cast<std::size_t>(found));
    }

    bool test_receives(int first, int end) override {
        return lengths_ ? test_in_order(first, end) : mpi::test_all(among(first, end));
    }

    bool test_rest(int first) override {
        return test_receives(first, static_cast<int>(requests_.size()));
    }

    std::vector<int> awaited() const override {
        std::vector<int> ranks;
        const auto add = [&](const Transfer& transfer, MPI_Request request) {
            if (request != MPI_REQUEST_NULL)
                ranks.push_back(state_.rank_of_channel_rank(transfer.peer));
        };
        for (std::size_t r = 0; r < transfers_.receives.size(); ++r)
            add(transfers_.receives[r], request_of_receive(r));
        for (std::size_t s = 0; ranks.empty() && s < transfers_.sends.size(); ++s)
            add(transfers_.sends[s], request_of_send(s));
        base::keep_each_once(ranks);
        return ranks;
    }

    void withdraw() override {
        for (std::size_t r = 0; r < transfers_.receives.size(); ++r) {
            auto& request = request_of_receive(r);
            if (request == MPI_REQUEST_NULL) continue;
            check(MPI_Cancel(&request), "MPI_Cancel");
            MPI_Wait(&request, MPI_STATUS_IGNORE);  // what has come too long is an error here, too
        }
    }

private:
    void launch_first(const Transfer& t, std::int64_t bytes, MPI_Request& request) {
        const mpi::ByteCount count(static_cast<std::size_t>(bytes));
        check(MPI_Isend(t.buffer, count.count(), count.type(), t.peer, tag_of(t), comm_, &request),
              "MPI_Isend");
    }

    int tag_of(const Transfer& transfer) const { return transfer.apart ? tag_ - 1 : tag_; }

    std::span<const int> checked_some(int count, std::span<int> ended) {
        const int found = mpi::test_some(among(0, count), ended, statuses_);
        const auto some = ended.first(static_cast<std::size_t>(found));
        for (std::size_t i = 0; i < some.size(); ++i)
            lengths_->check(static_cast<std::size_t>(some[i]), statuses_[i],
                            statuses_[i].MPI_ERROR);
        return some;
    }

    // MPICH raises what it finds wrong with one of several receives on a communicator of the
    // user's, so there they are tested one by one; as are all that nothing waits for.

    bool test_one(std::size_t i) {
        if (requests_[i] == MPI_REQUEST_NULL) return true;
        int flag = 0;
        MPI_Status status;
        const int code = mpi::test(requests_[i], flag, status);
        if (i >= transfers_.receives.size())
            check(code, "MPI_Test");
        else if (code != MPI_SUCCESS || flag != 0)
            lengths_->check(i, status, code);
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

    /// Goes on where the last test has found one that had not ended.
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
    std::size_t place_of_receive(std::size_t receive) const {
        return static_cast<std::size_t>(transfers_.order[receive]);
    }
    std::size_t place_of_send(std::size_t send) const { return transfers_.receives.size() + send; }

    MPI_Request& request_of_receive(std::size_t r) { return requests_[place_of_receive(r)]; }
    MPI_Request request_of_receive(std::size_t r) const { return requests_[place_of_receive(r)]; }
    MPI_Request& request_of_send(std::size_t s) { return requests_[place_of_send(s)]; }
    MPI_Request request_of_send(std::size_t s) const { return requests_[place_of_send(s)]; }

    void make_persistent(int tag) {
        for (std::size_t r = 0; r < transfers_.receives.size(); ++r) {
            const auto& t = transfers_.receives[r];
            check(MPI_Recv_init(t.buffer, t.count, t.type, t.peer, tag, comm_,
                                &request_of_receive(r)),
                  "MPI_Recv_init");
        }
        for (std::size_t s = 0; s < transfers_.sends.size(); ++s) {
            const auto& t = transfers_.sends[s];
            check(MPI_Send_init(t.buffer, t.count, t.type, t.peer, tag, comm_, &request_of_send(s)),
                  "MPI_Send_init");
        }
    }

    TransferList transfers_;  // to ranks of the channel
    const mpi::CommState& state_;
    MPI_Comm comm_;
    bool persistent_;
    int tag_ = 0;
    std::vector<MPI_Request> requests_;
    std::optional<ReceiveLengths> lengths_;  // of checked ones
    std::vector<MPI_Status> statuses_;       // of those
    std::size_t next_ = 0;                   // all before have ended
};

class MpiMessages final : public LooseMessages {
public:
    explicit MpiMessages(const mpi::CommState& state) : state_(state) {}

    void send(int target, int tag, std::span<const std::byte> bytes, bool synchronous) override {
        CARPOOL_EXPECTS(state_.size() > 1, target, tag);  // all of one rank share a channel
        const mpi::ByteCount count(bytes.size());
        auto* const post = synchronous ? MPI_Issend : MPI_Isend;
        check(post(bytes.data(), count.count(), count.type(), state_.channel_rank(target), tag,
                   state_.channel_comm(), &sends_.emplace_back(MPI_REQUEST_NULL)),
              synchronous ? "MPI_Issend" : "MPI_Isend");
    }

    std::size_t receive(int source, int tag, std::span<std::byte> bytes) override {
        const mpi::ByteCount count(bytes.size());
        check(MPI_Irecv(bytes.data(), count.count(), count.type(), state_.channel_rank(source), tag,
                        state_.channel_comm(), &receives_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Irecv");
        return receives_.size() - 1;
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
        check(MPI_Imrecv(memory.get(), count.count(), count.type(), &message,
                         &receives_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Imrecv");
        const std::span bytes(memory.get(), static_cast<std::size_t>(size));
        return UnexpectedMessage{state_.rank_of_channel_rank(status.MPI_SOURCE), bytes,
                                 std::move(memory), receives_.size() - 1};
    }

    std::optional<std::size_t> test_any() override { return mpi::test_any(receives_); }

    bool all_sent() override {
        if (!mpi::test_all(sends_)) return false;
        sends_.clear();
        return true;
    }

    bool all_received() override { return mpi::test_all(receives_); }

    void clear() override {
        CARPOOL_EXPECTS(sends_.empty(), sends_.size());
        receives_.clear();
    }

    std::optional<int> unexpected_from(int rank) override {
        if (!mpi::may_probe()) return std::nullopt;
        int flag = 0;
        MPI_Status status;
        check(MPI_Iprobe(state_.channel_rank(rank), MPI_ANY_TAG, state_.channel_comm(), &flag,
                         &status),
              "MPI_Iprobe");
        return flag != 0 ? std::optional(status.MPI_TAG) : std::nullopt;
    }

private:
    const mpi::CommState& state_;
    std::vector<MPI_Request> sends_;
    std::vector<MPI_Request> receives_;
};

}  // namespace

Staging MpiTransport::staging(int, std::int64_t bytes) const { return memory_for(bytes); }

std::unique_ptr<BoundTransfers> MpiTransport::bound(TransferList transfers,
                                                    std::optional<int> tag) const {
    CARPOOL_EXPECTS(state_.size() > 1 || transfers.sends.empty(), transfers.sends.size());
    CARPOOL_EXPECTS(transfers.order.size() == transfers.receives.size(), state_.rank(),
                    transfers.order.size(), transfers.receives.size());
    return std::make_unique<MpiTransfers>(std::move(transfers), state_, tag);
}

std::unique_ptr<LooseMessages> MpiTransport::loose() const {
    return std::make_unique<MpiMessages>(state_);
}

}  // namespace carpool::engine
