// The main of a test that does not bring its own.
#include <boost/test/unit_test.hpp>

bool init_unit_test();

int main(int argc, char* argv[]) {
    return boost::unit_test::unit_test_main(&init_unit_test, argc, argv);
}
