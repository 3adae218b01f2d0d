// SPDX-License-Identifier: MIT
// The contents of a tuning file, and errors in files that are not valid.

#include "base/json.hpp"
#include "choose/tuning_text.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>

BOOST_AUTO_TEST_SUITE(test_tuning_file)

namespace {

using carpool::base::Json;
using namespace carpool::choose;

const std::string file = R"({
 "carpool_tuning": 1,
 "machines": [
  {"mpi": "Open MPI 5.0.11", "neighborhoods": {"by_mpi": {"alpha": 9, "beta": 9, "sigma": 9}}},
  {"mpi": "MPICH 5.0.2", "ranks": 4,
   "neighborhoods": {"through_memory": {"alpha": 1e-6, "beta": 2.5e-9, "sigma": 0}},
   "collectives": {"between_nodes": {"alpha": 3, "beta": 4, "sigma": 5, "more": [true, null]}},
   "cut_offs": {"whole_through_memory": 16384, "packed_below": 0, "of a later version": "x"},
   "choices": [{"problem": "barrier, 4 ranks", "taken": "tree"}]}
 ]
})";

const std::string mpich = "MPICH 5.0.2";

/// A file with these cut-offs for that MPI.
std::string with_cut_offs(const std::string& said) {
    return R"({"carpool_tuning": 1, "machines": [{"mpi": "MPICH 5.0.2", "cut_offs": )" + said +
           "}]}";
}

std::string complaint(const std::string& text) {
    try {
        tuned_in(text, mpich);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

BOOST_AUTO_TEST_CASE(levels_that_were_measured_replace_the_usual_ones) {
    const auto tuned = tuned_in(file, "MPICH 5.0.2").costs;
    const auto& usual = usual_costs(MessageUse::neighborhoods, false);
    const auto costs = tuned.of(MessageUse::neighborhoods).over(usual);
    BOOST_TEST((costs.by_mpi == usual.by_mpi));
    BOOST_TEST((costs.between_nodes == usual.between_nodes));
    BOOST_TEST((costs.through_memory == CostModel{1e-6, 2.5e-9, 0}));
    BOOST_TEST((*tuned.of(MessageUse::collectives).between_nodes == CostModel{3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(copies_and_sums_are_read_together) {
    const std::string begin =
        R"({"carpool_tuning": 1, "machines": [{"mpi": "MPICH 5.0.2", "blocks": )";
    const auto costs =
        tuned_in(begin + R"({"copy_per_byte": 1e-10, "sum_per_byte": 2e-10}}]})", mpich).costs;
    BOOST_TEST(costs.copy_per_byte.value() == 1e-10);
    BOOST_TEST(costs.sum_per_byte.value() == 2e-10);
    BOOST_TEST(!tuned_in(file, mpich).costs.copy_per_byte.has_value());
    BOOST_TEST(complaint(begin + R"({"copy_per_byte": 1}}]})") ==
               "blocks: sum_per_byte, expected seconds, 0 or more");
}

BOOST_AUTO_TEST_CASE(cut_offs_that_were_measured_replace_the_usual_ones) {
    auto expected = usual_cut_offs(false, false);
    expected.whole_through_memory = 16384;
    expected.packed_below = 0;
    BOOST_TEST((tuned_in(file, mpich).cut_offs.over(usual_cut_offs(false, false)) == expected));
    BOOST_TEST((tuned_in(file, "X 1").cut_offs.over(usual_cut_offs(true, false)) ==
                usual_cut_offs(true, false)));
}

BOOST_AUTO_TEST_CASE(open_mpi_gets_longer_messages_through_memory_where_ranks_share_cores) {
    auto expected = usual_cut_offs(true, false);
    BOOST_TEST(expected.whole_through_memory == 16384);
    expected.whole_through_memory = 65536;
    BOOST_TEST((usual_cut_offs(true, true) == expected));
    BOOST_TEST((usual_cut_offs(false, true) == usual_cut_offs(false, false)));
}

BOOST_AUTO_TEST_CASE(each_cut_off_is_read_by_its_name) {
    for (const auto& [name, member] : named_cut_offs) {
        auto expected = usual_cut_offs(true, false);
        expected.*member = 77;
        const auto text = with_cut_offs("{\"" + std::string(name) + "\": 77}");
        BOOST_TEST((tuned_in(text, mpich).cut_offs.over(usual_cut_offs(true, false)) == expected));
    }
}

BOOST_AUTO_TEST_CASE(invalid_lengths_are_refused) {
    const std::string length = "cut_offs: packed_below, expected whole bytes, 0 to 2^40";
    for (const std::string bytes : {"-1", "1e300", "1099511627777", "0.5", "null", "true", "[]",
                                    "\"4096\"", "{\"packed_below\": 1}"})
        BOOST_TEST(complaint(with_cut_offs("{\"packed_below\": " + bytes + "}")) == length, bytes);
    for (const std::string fine : {"0", "-0", "1e3", "1099511627776"})
        BOOST_TEST(complaint(with_cut_offs("{\"packed_below\": " + fine + "}")) == "", fine);
    for (const std::string none : {"1", "null", "[]", "\"\""})
        BOOST_TEST(complaint(with_cut_offs(none)) == "cut_offs, expected an object", none);
}

BOOST_AUTO_TEST_CASE(of_two_choices_the_last_one_counts_and_is_replaced) {
    const std::string_view twice = R"({"carpool_tuning": 1, "machines": [{"mpi": "X 1", "choices":
        [{"problem": "p", "taken": "a"}, {"problem": "p", "taken": "b"}]}]})";
    BOOST_TEST(tuned_in(twice, "X 1").choice("p").value() == "b");
    const auto changed = carpool::choose::with_choices(twice, "X 1", {{"p", "c"}});
    BOOST_TEST(tuned_in(changed, "X 1").choice("p").value() == "c");
}

BOOST_AUTO_TEST_CASE(costs_of_one_mpi_do_not_apply_to_another) {
    const auto tuned = tuned_in(file, "MPICH 5.0.3").costs;
    for (const auto work :
         {MessageUse::neighborhoods, MessageUse::exchanges, MessageUse::collectives}) {
        BOOST_TEST(!tuned.of(work).by_mpi);
        BOOST_TEST(!tuned.of(work).through_memory);
        BOOST_TEST(!tuned.of(work).between_nodes);
    }
}

BOOST_AUTO_TEST_CASE(errors_in_the_text_are_reported) {
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

/// Any truncated or altered text is either read or refused.
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

/// Inserts words that the reader knows at a wrong place, and bytes of any value.
std::string mutated(std::string text, std::mt19937_64& random) {
    const std::string words[] = {"1e999",
                                 "-1",
                                 "null",
                                 "{}",
                                 "[",
                                 "}",
                                 "\"",
                                 "\\u0000",
                                 "1e-400",
                                 "\"cut_offs\":",
                                 "\"choices\":[",
                                 "\"mpi\":",
                                 "nan"};
    const auto below = [&random](std::size_t end) {
        return static_cast<std::size_t>(random() % end);
    };
    for (auto changes = 1 + below(4); changes > 0 && !text.empty(); --changes) {
        const auto at = below(text.size());
        const auto length = std::min(below(20), text.size() - at);
        switch (below(4)) {
            case 0:
                text[at] = static_cast<char>(below(256));
                break;
            case 1:
                text.erase(at, length);
                break;
            case 2:
                text.insert(at, words[below(std::size(words))]);
                break;
            default:
                text.insert(below(text.size()), text.substr(at, length));
        }
    }
    return text;
}

/// If the text is read, its values do not break the engine, and a choice can be made with them.
void check_what_is_read(const std::string& text) {
    const auto tuned = tuned_in(text, mpich);
    const auto cut_offs = tuned.cut_offs.over(usual_cut_offs(false, false));
    for (const auto& [name, member] : named_cut_offs)
        BOOST_TEST((cut_offs.*member >= 0 && cut_offs.*member <= std::int64_t{1} << 40), name);
    const auto more = with_choices(text, mpich, {{"p", "c"}});
    BOOST_TEST(tuned_in(more, mpich).choice("p").value() == "c");
}

BOOST_AUTO_TEST_CASE(no_mutation_of_a_text_breaks_the_reader) {
    constexpr int texts = 20000;
    const auto seed = std::random_device()();
    BOOST_TEST_MESSAGE("seed " << seed);
    std::mt19937_64 random(seed);
    int read = 0;
    for (int i = 0; i < texts; ++i) {
        const auto text = mutated(file, random);
        BOOST_TEST_CONTEXT("seed " << seed << ", text " << i << ": " << text) {
            if (!complaint(text).empty()) continue;
            check_what_is_read(text);
            ++read;
        }
    }
    BOOST_TEST(read > 0);
    BOOST_TEST(read < texts);
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
