#include "many/exchange.hpp"

#include "engine/activity.hpp"
#include "engine/steps.hpp"
#include "group/urn.hpp"
#include "many/office.hpp"
#include "many/voyage.hpp"
#include "mpi/agreement.hpp"
#include "mpi/attribute.hpp"
#include "mpi/crowding.hpp"
#include "neighbor/lane.hpp"
#include "neighbor/peer_list.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace carpool::many {
namespace {

/// What a rank brings to an exchange, or what is wrong with it.
struct Intent {
    Cargo cargo;
    std::optional<mpi::Mistake> mistake;
    const std::byte* sendbuf;
    std::function<void(Delivery)> receive;
};

Cargo read_cargo(const Arguments& arguments, const mpi::Lane& lane) {
    const auto edges = neighbor::edges_of(
        {"outdegree", "destinations", arguments.degree, arguments.destinations}, lane.size());
    if (arguments.send.buffer == MPI_IN_PLACE)
        throw mpi::Error(MPI_ERR_BUFFER, "sendbuf is MPI_IN_PLACE, expected a buffer of its own");
    call::check_arrays(arguments.send, arguments.degree);
    call::BlockReader reader(arguments.send, mpi::private_self());
    Cargo cargo;
    for (int i = 0; i < arguments.degree; ++i) {
        const int target = edges[static_cast<std::size_t>(i)].peer;
        cargo.targets.push_back(target);
        cargo.blocks.push_back(target == topology::no_rank ? mpi::Block{} : reader.read(i));
    }
    return cargo;
}

Intent read_intent(const Arguments& arguments, const mpi::Lane& lane,
                   std::function<void(Delivery)> receive) {
    Intent intent{{}, {}, arguments.send.buffer, std::move(receive)};
    const auto error = mpi::mistake_in([&] { intent.cargo = read_cargo(arguments, lane); });
    if (error) intent.mistake = mpi::Mistake{lane.rank(), error->error_class(), error->what()};
    return intent;
}

/// Of the exchanges of a communicator one, from when it may begin until it has ended. One that
/// breaks off, because MPI or memory fails, ends all later ones, and leaves its memory to MPI.
class Turn {
public:
    Turn(std::shared_ptr<Office> office, std::int64_t number)
        : office_(std::move(office)), number_(number) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
        if (account) {
            office_->end(number_, *account);
        } else {
            office_->break_off(number_);
            static_cast<void>(voyage.release());
        }
    }

    bool test() { return office_->may_begin(number_); }

    std::unique_ptr<Voyage> voyage;
    std::optional<Account> account;  ///< of all ranks, once it is known

private:
    std::shared_ptr<Office> office_;
    std::int64_t number_;
};

/// Where an exchange takes place.
struct Ticket {
    MPI_Comm comm;
    std::shared_ptr<mpi::Lane> lane;
    std::shared_ptr<Office> office;
    std::shared_ptr<group::Urns> urns;  ///< asked for at once: comm may be freed meanwhile
    std::int64_t number;
    int tag;  ///< of an agreement
};

std::unique_ptr<Voyage> voyage_of(const Ticket& ticket, const Intent& intent) {
    const auto way = ticket.office->way(ticket.number, ticket.lane->size());
    const auto tags = ticket.office->tags(ticket.number);
    const Passage passage{*ticket.lane, tags, way.longest};
    if (way.kind != Way::Kind::direct) {
        auto& berth = ticket.office->berth(ticket.number, way, *ticket.lane);
        return std::make_unique<FixedVoyage>(passage, berth, intent.cargo, intent.mistake);
    }
    auto urn = group::Urns::lend(ticket.urns, ticket.lane, ticket.tag);
    return std::make_unique<DirectVoyage>(passage, ticket.comm, std::move(urn), intent.cargo,
                                          intent.mistake);
}

/// By the first exchange, for all.
class FirstWord {
public:
    explicit FirstWord(const Ticket& ticket)
        : visit_(ticket.lane, &engine::Activity::progress), office_(*ticket.office) {
        const auto mistake =
            mpi::mistake_in([&] { settings_ = Settings::from_environment(ticket.lane->size()); });
        mpi::Tally tally;
        tally.crowding.add(mpi::crowding());
        std::vector<mpi::Claim> claims;
        if (settings_) claims.push_back(settings_->claim());
        agreement_.emplace(ticket.comm, std::move(claims), mistake, tally);
    }

    bool test() { return agreement_->test(); }

    void conclude() {
        try {
            agreement_->conclude();
            const double ranks_per_core = mpi::ranks_per_core(agreement_->tally().crowding.most);
            settings_->heed_crowding(ranks_per_core);
            office_.agreed(*settings_, ranks_per_core);
        } catch (const mpi::Error& error) {
            office_.failed(error);
        }
    }

private:
    mpi::Lane::Visit visit_;
    Office& office_;
    std::optional<Settings> settings_;
    std::optional<mpi::Agreement> agreement_;
};

std::shared_ptr<engine::Prepared> nothing_left(const mpi::Lane& lane) {
    auto prepared = std::make_shared<engine::Prepared>();
    prepared->exchange = std::make_unique<engine::Exchange>(
        engine::bind({}, {}, engine::Packing::pack), lane.channel_comm(), std::nullopt);
    return prepared;
}

/// All of an exchange is what a request calls its preparation; nothing is left to start.
engine::Steps steps_of(Ticket ticket, Intent intent) {
    if (ticket.number == 0) {
        FirstWord word(ticket);
        co_await engine::until(word);
        word.conclude();
    }
    Turn turn(ticket.office, ticket.number);
    co_await engine::until(turn);
    turn.voyage = voyage_of(ticket, intent);
    co_await engine::until(*turn.voyage);
    const auto& news = turn.voyage->news();
    turn.account = news.account;
    if (news.mistake) throw news.mistake->error();
    auto delivery = turn.voyage->take();
    delivery.sent = std::move(intent.cargo);
    delivery.sendbuf = intent.sendbuf;
    intent.receive(std::move(delivery));
    co_return nothing_left(*ticket.lane);
}

}  // namespace

std::unique_ptr<engine::Request> exchanged(MPI_Comm comm, const Arguments& arguments,
                                           std::function<void(Delivery)> receive) {
    auto lane = neighbor::opened_lane(comm);
    auto office = mpi::Attribute<Office>::of(comm);
    if (!office->is_open()) office->open(lane, comm);
    auto intent = read_intent(arguments, *lane, std::move(receive));
    const int tag = lane->call_tag();
    auto urns = mpi::Attribute<group::Urns>::of(comm);
    Ticket ticket{comm, lane, office, std::move(urns), office->next_number(), tag};
    auto steps = engine::Steps::begun(steps_of(std::move(ticket), std::move(intent)));
    // who frees comm must not wait for ranks that do so too: only the first word travels on it
    return engine::Request::once(comm, std::move(lane), tag, std::move(steps), false);
}

}  // namespace carpool::many
