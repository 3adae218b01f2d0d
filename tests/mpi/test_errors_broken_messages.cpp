// SPDX-License-Identifier: MIT
// ranks: 1
// program: own
//
// What a rank may be sent by one whose memory is broken: each such message is an error that says
// what is wrong with it, and nothing outside of the message is read.

#include "engine/headed_message.hpp"
#include "mpi/error.hpp"
#include "sparse/parcel.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace carpool;

/// The error text of what the body throws; empty if it throws nothing.
template <typename Body>
std::string error_in(Body body) {
    const auto error = mpi::mistake_in(body);
    return error ? error->what() : "";
}

/// Reads all parcels of a message.
std::string error_in_parcels(const std::vector<std::byte>& message) {
    return error_in([&] {
        sparse::IncomingParcels incoming(message);
        while (incoming.next()) continue;
    });
}

std::vector<std::byte> message_of(sparse::ParcelHeader header) {
    sparse::OutgoingParcels outgoing;
    if (header.straight != 0)
        outgoing.announce(header);
    else
        outgoing.add(header);
    return outgoing.sealed({});
}

template <typename Number>
void overwrite(std::vector<std::byte>& message, std::size_t at, Number number) {
    std::memcpy(message.data() + at, &number, sizeof number);
}

constexpr std::size_t bytes_of_first_parcel = sparse::least_message + 8;

BOOST_AUTO_TEST_SUITE(test_errors_broken_messages)

BOOST_AUTO_TEST_CASE(a_parcel_that_ends_beyond_its_message_is_refused) {
    auto message = message_of({1, 0, 16, 0, 0});
    BOOST_TEST(error_in_parcels(message).empty());
    for (const std::int64_t bytes : {std::int64_t{17}, std::int64_t{-1}, std::int64_t{1} << 62}) {
        overwrite(message, bytes_of_first_parcel, bytes);
        BOOST_TEST(error_in_parcels(message) ==
                   "a broken message of an exchange has come: the length of a part is " +
                       std::to_string(bytes));
    }
}

BOOST_AUTO_TEST_CASE(a_message_that_ends_in_a_header_is_refused) {
    auto message = message_of({1, 0, 16, 0, 0});
    message.resize(sparse::least_message + 31);
    BOOST_TEST(error_in_parcels(message) ==
               "a broken message of an exchange has come: the length of its last part is 31");
}

BOOST_AUTO_TEST_CASE(a_parcel_of_negative_length_is_refused) {
    auto message = message_of({1, 0, 1000, 0, 1});
    BOOST_TEST(error_in_parcels(message).empty());
    overwrite(message, bytes_of_first_parcel, std::int64_t{-8});
    BOOST_TEST(error_in_parcels(message) ==
               "a broken message of an exchange has come: the length of a parcel is -8");
}

BOOST_AUTO_TEST_CASE(an_error_text_longer_than_its_message_is_refused) {
    sparse::OutgoingParcels outgoing;
    auto message = outgoing.sealed({{}, mpi::Mistake{3, MPI_ERR_ARG, "wrong"}});
    BOOST_TEST(error_in_parcels(message).empty());
    overwrite(message, sparse::least_message - sizeof(std::int32_t), std::int32_t{17});
    BOOST_TEST(error_in_parcels(message) ==
               "a broken message of an exchange has come: the length of a part is 17");
}

BOOST_AUTO_TEST_CASE(a_message_length_below_the_minimum_is_refused) {
    auto message = message_of({1, 0, 16, 0, 0});
    overwrite(message, 0, std::int64_t{31});
    BOOST_TEST(error_in([&] { sparse::length_of(message); }) ==
               "a broken message of an exchange has come: its length is 31");
}

BOOST_AUTO_TEST_CASE(a_length_header_with_a_length_below_0_is_refused) {
    constexpr std::int64_t longest = 8;
    engine::IncomingHeadedMessage incoming(longest, 2, 5);
    std::vector<std::byte> message(static_cast<std::size_t>(incoming.room()));
    BOOST_TEST(error_in([&] { incoming.read(message.data()); }).empty());
    overwrite(message, sizeof(std::int64_t), std::int64_t{-1});
    BOOST_TEST(error_in([&] { incoming.read(message.data()); }) ==
               "a broken length header has come to rank 5: a part has -1 bytes");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
