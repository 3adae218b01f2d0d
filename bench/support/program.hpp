// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

/// Runs a bench between MPI_Init and MPI_Finalize, and returns the exit status for `main`. An
/// exception on one rank is printed and aborts all ranks.
inline int program(const char* name, int argc, char** argv, void (*run)(int argc, char** argv)) {
    MPI_Init(&argc, &argv);
    try {
        run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << name << ": " << error.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return MPI_Finalize();
}

/// Splits an argument such as moore:2:1 into words.
inline std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, separator);) words.push_back(word);
    return words;
}

/// Splits an argument such as 8,16,32 into numbers.
inline std::vector<int> numbers(const std::string& text) {
    std::vector<int> result;
    for (const auto& word : split(text, ',')) result.push_back(std::stoi(word));
    return result;
}

}  // namespace bench
