#include "call/ledger.hpp"

#include "mpi/attribute.hpp"
#include "mpi/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <span>
#include <sstream>
#include <vector>

namespace carpool::call {
namespace {

constexpr double shortest = 1e-8;
constexpr double width = 1.2;

const char* report() {
    const char* const text = std::getenv("CARPOOL_REPORT");
    return text != nullptr && *text != '\0' ? text : nullptr;
}

int rank_in_world() {
    int rank = 0;
    mpi::check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    return rank;
}

/// @pre text is printable
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') out += '\\';
        out += letter;
    }
    return out + '"';
}

std::string spoken(double seconds) {
    std::ostringstream out;
    const auto [scale, unit] = seconds >= 1      ? std::pair(1.0, " s")
                               : seconds >= 1e-3 ? std::pair(1e3, " ms")
                                                 : std::pair(1e6, " us");
    out << std::setprecision(3) << seconds * scale << unit;
    return out.str();
}

/// How many on the node, and how many to others if any can be.
std::string both(std::int64_t within, std::int64_t between) {
    return std::to_string(within) + (between > 0 ? " + " + std::to_string(between) : "");
}

using Row = std::vector<std::string>;

Row row_of(const Ledger::Key& key, const Ledger::Entry& entry) {
    const auto& [sent, times] = entry;
    const auto& [within, between] = sent;
    return {key.comm,
            std::to_string(key.ranks),
            key.operation,
            key.algorithm,
            std::to_string(times.count()),
            both(within.messages, between.messages),
            both(within.bytes, between.bytes),
            spoken(times.median()),
            spoken(times.sum())};
}

const Row headings = {"communicator", "ranks", "operation", "done by", "starts",
                      "messages",     "bytes", "median",    "in all"};
constexpr std::size_t words = 4;  // first columns, to the left but for the ranks

std::string table_of(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths(headings.size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::ostringstream out;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out << "  " << (i < words && i != 1 ? std::left : std::right)
                << std::setw(static_cast<int>(widths[i])) << row[i];
        out << '\n';
    }
    return out.str();
}

}  // namespace

void Times::add(double seconds) {
    const double at = std::log(std::max(seconds, shortest) / shortest) / std::log(width);
    ++in_class_[static_cast<std::size_t>(std::min<double>(at, classes - 1))];
    ++count_;
    sum_ += seconds;
}

double Times::median() const {
    std::int64_t below = 0;
    for (int i = 0; i < classes; ++i) {
        below += in_class_[static_cast<std::size_t>(i)];
        if (2 * below > count_) return shortest * std::pow(width, i + 0.5);
    }
    return 0;
}

Ledger* Ledger::wanted() {
    static Ledger* const one =
        report() != nullptr ? mpi::Attribute<Ledger>::of(MPI_COMM_SELF).get() : nullptr;
    return one;
}

Ledger::Entry& Ledger::entry(const Key& key, const choose::TrafficByLevel& sent) {
    const std::lock_guard lock(mutex_);
    return entries_.try_emplace(key, Entry{sent}).first->second;
}

void Ledger::add(Entry& entry, double seconds) {
    const std::lock_guard lock(mutex_);
    entry.times.add(seconds);
}

void Ledger::on_free() {
    if (rank_in_world() != 0) return;
    const std::lock_guard lock(mutex_);
    if (const std::string how = report(); how == "summary")
        print();
    else
        write(how);
}

/// What took longest comes first.
void Ledger::print() const {
    std::vector<const std::pair<const Key, Entry>*> lines;
    for (const auto& line : entries_) lines.push_back(&line);
    std::ranges::stable_sort(lines, std::ranges::greater(),
                             [](const auto* line) { return line->second.times.sum(); });
    std::vector<Row> rows{headings};
    for (const auto* line : lines) rows.push_back(row_of(line->first, line->second));
    std::cerr << "\ncarpool: what rank 0 has done; messages and bytes of a start, on its node + to "
                 "other nodes\n"
              << table_of(rows) << std::flush;
}

void Ledger::write(const std::string& file) const {
    std::ofstream out(file);
    out << std::setprecision(9) << "{\"carpool_report\": 1, \"rank\": 0, \"lines\": [";
    const char* before = "\n";
    for (const auto& [key, entry] : entries_) {
        const auto& [sent, times] = entry;
        const auto& [within, between] = sent;
        out << before << " {\"communicator\": " << quoted(key.comm) << ", \"ranks\": " << key.ranks
            << ", \"operation\": " << quoted(key.operation)
            << ", \"algorithm\": " << quoted(key.algorithm) << ", \"starts\": " << times.count()
            << ", \"messages_within\": " << within.messages
            << ", \"messages_between\": " << between.messages
            << ", \"bytes_within\": " << within.bytes << ", \"bytes_between\": " << between.bytes
            << ", \"median\": " << times.median() << ", \"seconds\": " << times.sum() << "}";
        before = ",\n";
    }
    out << "\n]}\n";
    if (!out.flush())
        std::cerr << "carpool: CARPOOL_REPORT in the environment is " << file
                  << ", which cannot be written; expected summary or a file\n";
}

/// In ASCII, as tables and JSON take it: a name may be any bytes.
std::string name_of(MPI_Comm comm) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    mpi::check(MPI_Comm_get_name(comm, name, &length), "MPI_Comm_get_name");
    for (char& letter : std::span(name, static_cast<std::size_t>(length)))
        if (letter < ' ' || letter > '~') letter = '?';
    return length > 0 ? std::string(name, static_cast<std::size_t>(length)) : "without a name";
}

}  // namespace carpool::call
