// SPDX-License-Identifier: MIT
#pragma once

#include "collective_checks.hpp"
#include "deadline.hpp"
#include "environment.hpp"
#include "handles.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cctype>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// An init with buffers of its own.
struct PreparedInit {
    std::function<int(MPI_Info, Carpool_Request*)> init;
    std::function<std::string()> fault;  ///< what is wrong after a start
};

/// A setting that is not the default, and where it is given.
struct Setting {
    std::string key, value;
    bool in_environment;

    std::string text() const {
        return key + '=' + value + (in_environment ? " in the environment" : "");
    }
    std::string variable() const {
        auto name = key;
        for (auto& letter : name) letter = static_cast<char>(std::toupper(letter));
        return name;
    }
};

/// Inits that one rank makes otherwise than the others, with other arguments or settings that are
/// valid by themselves. All ranks must get the same error, or none may.
class DifferingInits {
public:
    explicit DifferingInits(MPI_Comm comm) : comm_(comm) {
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    }

    /// @param legal  whether MPI allows the arguments together, so that the result must be right
    /// @note Collective over comm.
    void run(const std::string& name, bool legal, const PreparedInit& prepared,
             MPI_Info info = MPI_INFO_NULL) {
        deadline_.next(name);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        int code = prepared.init(info, &request);
        const bool planned = code == MPI_SUCCESS;
        if (planned) code = started_and_completed(request);
        if (planned) Carpool_Request_free(&request);
        const auto text = code == MPI_SUCCESS ? "" : text_of(code);
        BOOST_TEST(same_everywhere(class_of(code)),
                   name << ": the class differs between ranks; here " << text);
        BOOST_TEST(same_everywhere(static_cast<int>(std::hash<std::string>()(text) % 1000000007u)),
                   name << ": the text differs between ranks; here " << text);
        ++(code == MPI_SUCCESS ? accepted_ : refused_);
        if (code == MPI_SUCCESS && legal) {
            const auto fault = prepared.fault();
            BOOST_TEST(fault == "", name << ": " << fault);
        }
        BOOST_TEST(works(), name << ": the communicator does not work any more");
    }

    /// Runs an init once for each setting, which one rank has alone.
    /// @param make  makes the init
    void run_settings(const std::string& name, bool here, const std::vector<Setting>& settings,
                      const std::function<PreparedInit()>& make) {
        for (const auto& setting : settings) {
            const bool in_environment = here && setting.in_environment;
            std::optional<Environment> environment;
            if (in_environment) environment.emplace(variable(setting), setting.value);
            const auto info = here && !setting.in_environment
                                  ? info_of({{setting.key.c_str(), setting.value.c_str()}})
                                  : info_of({});
            run(name + ", " + setting.text(), true, make(), info);
        }
    }

    int accepted() const { return accepted_; }
    int refused() const { return refused_; }

private:
    /// Environment keeps a name that must live as long.
    const char* variable(const Setting& setting) {
        variable_ = setting.variable();
        return variable_.c_str();
    }

    /// Does a sum on the communicator give the right result?
    bool works() const {
        const int one = 1;
        int sum = 0;
        Carpool_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm_);
        return sum == size_of(comm_);
    }

    MPI_Comm comm_;
    Deadline deadline_;
    std::string variable_;
    int accepted_ = 0, refused_ = 0;
};

}  // namespace carpool::tests
