// What a tuning file says, and what is wrong with one that is none.

#include "base/json.hpp"
#include "choose/tuning_text.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

namespace {

using carpool::base::Json;
using namespace carpool::choose;

const std::string file = R"({
 "carpool_tuning": 1,
 "machines": [
  {"mpi": "Open MPI 5.0.11", "neighborhoods": {"by_mpi": {"alpha": 9, "beta": 9, "sigma": 9}}},
  {"mpi": "MPICH 5.0.2", "ranks": 4,
   "neighborhoods": {"through_memory": {"alpha": 1e-6, "beta": 2.5e-9, "sigma": 0}},
   "collectives": {"between_nodes": {"alpha": 3, "beta": 4, "sigma": 5, "more": [true, null]}}}
 ]
})";

std::string complaint(const std::string& text) {
    try {
        tuned_in(text, "MPICH 5.0.2");
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

BOOST_AUTO_TEST_SUITE(test_tuning_file)

BOOST_AUTO_TEST_CASE(levels_that_were_measured_replace_the_usual_ones) {
    const auto tuned = tuned_in(file, "MPICH 5.0.2").costs;
    const auto& usual = usual_costs(Work::neighborhoods, false);
    const auto costs = tuned.of(Work::neighborhoods).over(usual);
    BOOST_TEST((costs.by_mpi == usual.by_mpi));
    BOOST_TEST((costs.between_nodes == usual.between_nodes));
    BOOST_TEST((costs.through_memory == CostModel{1e-6, 2.5e-9, 0}));
    BOOST_TEST((*tuned.of(Work::collectives).between_nodes == CostModel{3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(of_two_choices_the_last_one_counts_and_is_replaced) {
    const std::string_view twice = R"({"carpool_tuning": 1, "machines": [{"mpi": "X 1", "choices":
        [{"problem": "p", "taken": "a"}, {"problem": "p", "taken": "b"}]}]})";
    BOOST_TEST(tuned_in(twice, "X 1").choice("p").value() == "b");
    const auto changed = carpool::choose::with_choices(twice, "X 1", {{"p", "c"}});
    BOOST_TEST(tuned_in(changed, "X 1").choice("p").value() == "c");
}

BOOST_AUTO_TEST_CASE(another_mpi_has_nothing_of_it) {
    const auto tuned = tuned_in(file, "MPICH 5.0.3").costs;
    for (const auto work : {Work::neighborhoods, Work::exchanges, Work::collectives}) {
        BOOST_TEST(!tuned.of(work).by_mpi);
        BOOST_TEST(!tuned.of(work).through_memory);
        BOOST_TEST(!tuned.of(work).between_nodes);
    }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said) {
    BOOST_TEST(complaint("") == "line 1: expected a value");
    BOOST_TEST(complaint("{\n\"carpool_tuning\" 1}") == "line 2: expected ':'");
    BOOST_TEST(complaint("[]") == "expected \"carpool_tuning\": 1, its version, at the top");
    BOOST_TEST(complaint(R"({"carpool_tuning": 2})") ==
               "expected \"carpool_tuning\": 1, its version, at the top");
    BOOST_TEST(complaint(R"({"carpool_tuning": 1})") == "expected a list \"machines\"");
    BOOST_TEST(complaint(R"({"carpool_tuning": 1, "machines": [{"mpi": "MPICH 5.0.2",
        "neighborhoods": {"by_mpi": {"alpha": 1, "beta": -1, "sigma": 0}}}]})") ==
               "by_mpi: beta, expected seconds, 0 or more");
    BOOST_TEST(complaint(std::string(1000, '[')) ==
               "line 1: expected values that are nested less deeply");
}

/// However a text is cut off or altered, it is read or refused.
BOOST_AUTO_TEST_CASE(no_text_breaks_the_reader) {
    for (std::size_t end = 0; end < file.size(); ++end)
        BOOST_CHECK_THROW(Json::read(file.substr(0, end)), std::invalid_argument);
    for (std::size_t i = 0; i < file.size(); ++i)
        for (const char letter : {'"', '{', ']', '\\', '0', ','}) {
            auto altered = file;
            altered[i] = letter;
            complaint(altered);
        }
}

BOOST_AUTO_TEST_CASE(strings_are_read_with_their_escapes) {
    const auto value = Json::read(R"({"a\u0041\n": "\u00e9\u20ac\\"})");
    BOOST_REQUIRE(value.find("aA\n") != nullptr);
    BOOST_TEST(*value.find("aA\n")->string() == "\xc3\xa9\xe2\x82\xac\\");
}

BOOST_AUTO_TEST_CASE(mpis_are_named_with_their_version) {
    BOOST_TEST(name_of_mpi("MPICH Version:      5.0.2\nMPICH Release date: x") == "MPICH 5.0.2");
    BOOST_TEST(name_of_mpi("Open MPI v5.0.11, package: Open MPI x@y") == "Open MPI 5.0.11");
    BOOST_TEST(name_of_mpi("Intel(R) MPI Library 2021.9 for Linux* OS\n") ==
               "Intel(R) MPI Library 2021.9 for Linux* OS");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
