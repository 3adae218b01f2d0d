// ranks: 1 4
// sanitize-ranks: 3
//
// What CARPOOL_TUNING names on the lowest rank decides for all; what is wrong with it, all hear.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

namespace {

using namespace carpool::tests;

/// A communicator of all ranks that returns errors.
Comm returning_errors() {
    auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

/// A file of rank 0's, which its environment names; the others' name one that is not there.
class TuningFile {
public:
    explicit TuningFile(const std::string& text)
        : name_("tuning." + std::to_string(getpid()) + ".json"),
          variable_("CARPOOL_TUNING", name_) {
        if (world_rank() == 0) std::ofstream(name_) << text;
    }
    TuningFile(const TuningFile&) = delete;
    TuningFile& operator=(const TuningFile&) = delete;
    ~TuningFile() { std::remove(name_.c_str()); }

private:
    std::string name_;
    Environment variable_;
};

std::string name_of_mpi() {
#ifdef MPICH_VERSION
    return std::string("MPICH ") + MPICH_VERSION;
#else
    const auto number = [](int n) { return std::to_string(n); };
    return "Open MPI " + number(OMPI_MAJOR_VERSION) + '.' + number(OMPI_MINOR_VERSION) + '.' +
           number(OMPI_RELEASE_VERSION);
#endif
}

/// Where nothing costs anything but what is given.
std::string file_with(const std::string& costs) {
    std::string levels;
    for (const std::string level : {"by_mpi", "through_memory", "between_nodes"})
        levels += (levels.empty() ? "\"" : ", \"") + level + "\": {" + costs + "}";
    return R"({"carpool_tuning": 1, "machines": [{"mpi": ")" + name_of_mpi() +
           R"(", "collectives": {)" + levels + "}}]}";
}

/// As allgather is done with short blocks.
std::string chosen() {
    const auto comm = returning_errors();
    const char own = 'a';
    std::vector<char> all(static_cast<std::size_t>(world_size()));
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_REQUIRE(Carpool_Allgather_init(&own, 1, MPI_CHAR, all.data(), 1, MPI_CHAR, comm,
                                         MPI_INFO_NULL, &request) == MPI_SUCCESS);
    Carpool_Plan plan;
    Carpool_Request_get_plan(request, &plan);
    Carpool_Request_free(&request);
    return plan.algorithm;
}

/// The error of a first call.
int refused() {
    const auto comm = returning_errors();
    int number = 0;
    return Carpool_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, comm);
}

BOOST_AUTO_TEST_SUITE(test_tuning_file)

BOOST_AUTO_TEST_CASE(its_costs_choose) {
    if (world_size() < 4) return;
    std::string dear_messages;
    std::string dear_phases;
    {
        const TuningFile file(file_with(R"("alpha": 1, "beta": 0, "sigma": 0)"));
        dear_messages = chosen();
    }
    {
        const TuningFile file(file_with(R"("alpha": 0, "beta": 0, "sigma": 1)"));
        dear_phases = chosen();
    }
    BOOST_TEST(dear_phases == "spread");  // the only one of one phase
    BOOST_TEST(dear_messages != dear_phases);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_says_nothing) {
    const auto usual = chosen();
    const Environment nowhere("CARPOOL_TUNING", "no/such/file.json");
    BOOST_TEST(chosen() == usual);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_it_is_said_on_all_ranks) {
    if (world_size() < 2) return;  // one rank needs no costs
    const TuningFile file("{\n\"carpool_tuning\": 1,\n\"machines\": [}");
    const int code = refused();
    BOOST_TEST(class_of(code) == MPI_ERR_FILE);
    for (const std::string word : {"CARPOOL_TUNING", "tuning.", "line 3: expected a value"})
        BOOST_TEST(text_of(code).find(word) != std::string::npos, text_of(code));
}

BOOST_AUTO_TEST_CASE(one_that_cannot_be_read_is_refused) {
    if (world_size() < 2) return;
    const Environment folder("CARPOOL_TUNING", "/");
    BOOST_TEST(class_of(refused()) == MPI_ERR_FILE);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
