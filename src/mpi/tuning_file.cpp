#include "mpi/tuning_file.hpp"

#include "mpi/error.hpp"
#include "mpi/library.hpp"
#include "mpi/tests.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace carpool::mpi {
namespace {

constexpr const char* variable = "CARPOOL_TUNING";
constexpr std::size_t most_bytes = std::size_t{1} << 24;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// As far as it may be too long by some bytes.
std::string content_of(std::FILE* file) {
    std::string text;
    char piece[1 << 12];
    for (std::size_t bytes = 1; bytes > 0 && text.size() <= most_bytes;) {
        bytes = std::fread(piece, 1, sizeof piece, file);
        text.append(piece, bytes);
    }
    return text;
}

}  // namespace

TuningFile::TuningFile(MPI_Comm comm) : comm_(comm) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    const char* const name = std::getenv(variable);
    if (rank == 0 && name != nullptr && *name != '\0') read(name);
    hear(header_, sizeof(header_));
}

/// One that is not there yet says nothing. What is wrong with it, the others find by themselves.
void TuningFile::read(const char* name) {
    const File file(std::fopen(name, "rb"));
    const int opening = errno;
    if (!file && opening == ENOENT) return;
    if (file) text_ = content_of(file.get());
    if (!file)
        complain(std::generic_category().message(opening));
    else if (std::ferror(file.get()) != 0)
        complain("it cannot be read to its end");
    else if (text_.size() > most_bytes)
        complain("expected no more than 16 MiB");
    else
        header_[0] = static_cast<std::int64_t>(Kind::text);
    text_ = std::string(name) + '\0' + text_;
    header_[1] = static_cast<std::int64_t>(text_.size());
}

void TuningFile::complain(std::string why) {
    text_ = std::move(why);
    header_[0] = static_cast<std::int64_t>(Kind::complaint);
}

void TuningFile::hear(void* data, std::int64_t bytes) {
    check(MPI_Ibcast(data, static_cast<int>(bytes), MPI_BYTE, 0, comm_, request_.out()),
          "MPI_Ibcast");
}

bool TuningFile::test() {
    if (!mpi::test(request_.out())) return false;
    if (!second_ && static_cast<Kind>(header_[0]) != Kind::none) {
        second_ = true;
        text_.resize(static_cast<std::size_t>(header_[1]));
        hear(text_.data(), header_[1]);
        return test();
    }
    if (second_) conclude();
    return true;
}

void TuningFile::conclude() {
    const std::string name = text_.c_str();
    const auto text = std::string_view(text_).substr(name.size() + 1);
    if (static_cast<Kind>(header_[0]) == Kind::complaint) return refuse(name, text);
    try {
        tuned_.costs = choose::tuned_costs(text, choose::name_of_mpi(library_version()));
    } catch (const std::invalid_argument& error) {
        refuse(name, error.what());
    }
}

void TuningFile::refuse(std::string_view name, std::string_view why) {
    auto text = std::string(variable) + " in the environment is ";
    tuned_.mistake.emplace(MPI_ERR_FILE, text.append(name).append(": ").append(why));
}

}  // namespace carpool::mpi
