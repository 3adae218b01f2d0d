// SPDX-License-Identifier: MIT
// The FFT of X * Y * Z complex numbers over all ranks, as in [5] section 4.4: each rank has some of
// the X planes, which it transforms in two dimensions; a transpose gives it whole lines along x for
// some of the Y rows, which it transforms in the third. The transpose is an all-to-all of many
// small blocks, planned once and started for every transform. With fewer planes or rows than ranks,
// the ranks that send are not the ranks that receive. Rank 0 checks the result against a serial
// FFT.
//
//   tools/launch -n 8 build/mpich-dev/examples/fft3d [n or XxYxZ] [repetitions] [strategies...]
//
// A strategy is an algorithm of Carpool_Alltoallv_init ("auto", "spread", "2-digits", "mesh", ...),
// "lists" for Carpool_Sparse_alltoallv_init among only those ranks that exchange numbers, or "host"
// for MPI_Alltoallv. All are timed in turn; the table shows the shortest time of all repetitions.
// Local transforms are Eigen's (kissfft).
#include <carpool/carpool.h>
#include <carpool/sparse.h>
#include <mpi.h>

#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using Number = std::complex<double>;
using Numbers = std::vector<Number>;

/// The planes, or rows, that a rank has: equal shares of n, which differ by one where n is not
/// divisible.
struct Share {
    Share(int n, int ranks, int rank)
        : first(static_cast<int>(static_cast<long>(n) * rank / ranks)),
          count(static_cast<int>(static_cast<long>(n) * (rank + 1) / ranks) - first) {}
    int first, count;
};

std::vector<Share> shares_of(int n, int ranks) {
    std::vector<Share> shares;
    for (int rank = 0; rank < ranks; ++rank) shares.emplace_back(n, ranks, rank);
    return shares;
}

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Lines of n numbers, `stride` apart, transformed in place.
class Lines {
public:
    explicit Lines(int n) : line_(at(n)), result_(at(n)) {}

    void transform(Number* first, std::size_t stride) {
        for (std::size_t i = 0; i < line_.size(); ++i) line_[i] = first[i * stride];
        fft_.fwd(result_, line_);
        for (std::size_t i = 0; i < line_.size(); ++i) first[i * stride] = result_[i];
    }

private:
    Eigen::FFT<double> fft_;
    Numbers line_, result_;
};

struct Size {
    int x, y, z;
    std::size_t numbers() const { return at(x) * at(y) * at(z); }
};

/// A transform: before it every rank has planes [x][y][z], after it rows [y][z][x].
class Transform {
public:
    explicit Transform(Size size)
        : size_(size), along_x_(size.x), along_y_(size.y), along_z_(size.z) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        plane_shares_ = shares_of(size.x, ranks_);
        row_shares_ = shares_of(size.y, ranks_);
        for (int other = 0; other < ranks_; ++other) {
            const auto& their_planes = plane_shares_[at(other)];
            const auto& their_rows = row_shares_[at(other)];
            send_.add(other, planes_share().count * size.z, their_rows);
            receive_.add(other, rows_share().count * size.z, their_planes);
        }
        planes_.resize(at(planes_share().count) * at(size.y) * at(size.z));
        rows_.resize(at(rows_share().count) * at(size.z) * at(size.x));
        // some MPIs refuse null pointers
        sent_.resize(std::max<std::size_t>(1, planes_.size()));
        received_.resize(std::max<std::size_t>(1, rows_.size()));
    }

    const Share& planes_share() const { return plane_shares_[at(rank_)]; }
    const Share& rows_share() const { return row_shares_[at(rank_)]; }
    Numbers& planes() { return planes_; }
    const Numbers& rows() const { return rows_; }

    /// Plans the transpose by the named algorithm of Carpool.
    Carpool_Request planned(const std::string& algorithm) {
        if (algorithm == "lists") return planned_along_lists();
        MPI_Info info = MPI_INFO_NULL;
        MPI_Info_create(&info);
        MPI_Info_set(info, "carpool_algorithm", algorithm.c_str());
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        Carpool_Alltoallv_init(sent_.data(), send_.counts.data(), send_.displs.data(),
                               MPI_CXX_DOUBLE_COMPLEX, received_.data(), receive_.counts.data(),
                               receive_.displs.data(), MPI_CXX_DOUBLE_COMPLEX, MPI_COMM_WORLD, info,
                               &request);
        MPI_Info_free(&info);
        return request;
    }

    /// @return seconds of the transpose's exchange, by the request, or by the host MPI if it is
    /// null
    double run(Carpool_Request* transpose) {
        const auto plane = at(size_.y) * at(size_.z);
        for (std::size_t x = 0; x < planes_.size(); x += plane) transform_plane(&planes_[x]);
        pack();
        const double start = MPI_Wtime();
        if (transpose != nullptr) {
            Carpool_Start(transpose);
            Carpool_Wait(transpose, MPI_STATUS_IGNORE);
        } else {
            MPI_Alltoallv(sent_.data(), send_.counts.data(), send_.displs.data(),
                          MPI_CXX_DOUBLE_COMPLEX, received_.data(), receive_.counts.data(),
                          receive_.displs.data(), MPI_CXX_DOUBLE_COMPLEX, MPI_COMM_WORLD);
        }
        const double seconds = MPI_Wtime() - start;
        unpack();
        for (std::size_t i = 0; i < rows_.size(); i += at(size_.x))
            along_x_.transform(&rows_[i], 1);
        return seconds;
    }

private:
    /// How many numbers go to each rank, or come from it, and the list of ranks where that is not
    /// zero.
    struct Blocks {
        std::vector<int> counts, displs;
        std::vector<int> peers, peer_counts, peer_displs;

        void add(int peer, int factor, const Share& share) {
            counts.push_back(factor * share.count);
            displs.push_back(factor * share.first);
            if (counts.back() == 0) return;
            peers.push_back(peer);
            peer_counts.push_back(counts.back());
            peer_displs.push_back(displs.back());
        }
    };

    Carpool_Request planned_along_lists() {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        Carpool_Sparse_alltoallv_init(
            static_cast<int>(send_.peers.size()), send_.peers.data(), sent_.data(),
            send_.peer_counts.data(), send_.peer_displs.data(), MPI_CXX_DOUBLE_COMPLEX,
            static_cast<int>(receive_.peers.size()), receive_.peers.data(), received_.data(),
            receive_.peer_counts.data(), receive_.peer_displs.data(), MPI_CXX_DOUBLE_COMPLEX,
            MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        return request;
    }

    void transform_plane(Number* plane) {
        for (int y = 0; y < size_.y; ++y) along_z_.transform(plane + y * size_.z, 1);
        for (int z = 0; z < size_.z; ++z) along_y_.transform(plane + z, at(size_.z));
    }

    /// Packs for each rank its rows of this rank's planes, [y][z][x].
    void pack() {
        auto* to = sent_.data();
        const auto plane = at(size_.y) * at(size_.z);
        for (std::size_t line = 0; line < plane; ++line)
            for (int x = 0; x < planes_share().count; ++x) *to++ = planes_[at(x) * plane + line];
    }

    /// Unpacks from each rank its part of this rank's lines along x.
    void unpack() {
        const auto* from = received_.data();
        for (const auto& other : plane_shares_)
            for (int line = 0; line < rows_share().count * size_.z; ++line, from += other.count)
                std::copy_n(from, other.count, &rows_[at(line) * at(size_.x) + at(other.first)]);
    }

    Size size_;
    int rank_ = 0, ranks_ = 1;
    Lines along_x_, along_y_, along_z_;
    std::vector<Share> plane_shares_, row_shares_;
    Blocks send_, receive_;
    Numbers planes_, sent_, received_, rows_;
};

/// The input, which is neither symmetric nor periodic.
Number input(int x, int y, int z) {
    return {std::sin(z + 0.3 * y * y), std::cos(0.7 * x + 0.1 * z * y)};
}

void fill(Numbers& planes, const Size& size, const Share& share) {
    auto to = planes.begin();
    for (int x = share.first; x < share.first + share.count; ++x)
        for (int y = 0; y < size.y; ++y)
            for (int z = 0; z < size.z; ++z) *to++ = input(x, y, z);
}

/// The same transform on one rank, with the result in another order of dimensions: [x][y][z].
Numbers serial(const Size& size) {
    Numbers numbers(size.numbers());
    fill(numbers, size, Share(size.x, 1, 0));
    Lines along_x(size.x), along_y(size.y), along_z(size.z);
    const auto plane = at(size.y) * at(size.z);
    for (std::size_t i = 0; i < plane; ++i) along_x.transform(&numbers[i], plane);
    for (std::size_t i = 0; i < at(size.x) * at(size.z); ++i)
        along_y.transform(&numbers[i / at(size.z) * plane + i % at(size.z)], at(size.z));
    for (std::size_t i = 0; i < numbers.size(); i += at(size.z)) along_z.transform(&numbers[i], 1);
    return numbers;
}

/// The larger of two errors, where NaN counts as the largest.
double worse(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

/// The largest difference relative to the largest number, valid on rank 0.
double error_of(const Numbers& rows, const Numbers& expected, const Size& size) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<int> counts, displs;
    for (const auto& share : shares_of(size.y, ranks)) {
        counts.push_back(share.count * size.z * size.x);
        displs.push_back(share.first * size.z * size.x);
    }
    Numbers all(std::max<std::size_t>(1, expected.size()));
    MPI_Gatherv(rows.data(), counts[at(rank)], MPI_CXX_DOUBLE_COMPLEX, all.data(), counts.data(),
                displs.data(), MPI_CXX_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD);
    double difference = 0, largest = 1e-300;
    const auto plane = at(size.y) * at(size.z);
    for (std::size_t i = 0; i < expected.size(); ++i) {  // expected is [x][y][z], all is [y][z][x]
        const auto x = i / plane, line = i % plane;
        difference = worse(difference, std::abs(all[line * at(size.x) + x] - expected[i]));
        largest = std::max(largest, std::abs(expected[i]));
    }
    return difference / largest;
}

double slowest(double seconds) {
    double most = 0;
    MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

struct Contender {
    std::string name;
    Carpool_Request request = CARPOOL_REQUEST_NULL;  ///< null for the host MPI
    double transpose = 1e9, whole = 1e9;             ///< shortest times, in seconds
};

void time_one(Contender& contender, Transform& transform, const Size& size) {
    fill(transform.planes(), size, transform.planes_share());
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    const bool by_host = contender.request == CARPOOL_REQUEST_NULL;
    const double transpose = transform.run(by_host ? nullptr : &contender.request);
    const double whole = MPI_Wtime() - start;
    contender.transpose = std::min(contender.transpose, slowest(transpose));
    contender.whole = std::min(contender.whole, slowest(whole));
}

/// @return the largest error of any contender
double race(const Size& size, int repetitions, const std::vector<std::string>& names) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Transform transform(size);
    std::vector<Contender> contenders;
    for (const auto& name : names)
        contenders.push_back(
            {name, name == "host" ? CARPOOL_REQUEST_NULL : transform.planned(name)});
    const auto expected = rank == 0 ? serial(size) : Numbers();
    double error = 0;
    for (int repetition = 0; repetition < repetitions; ++repetition)
        for (auto& contender : contenders) {
            time_one(contender, transform, size);
            if (repetition == 0) error = worse(error, error_of(transform.rows(), expected, size));
        }
    for (auto& contender : contenders) {
        if (contender.request != CARPOOL_REQUEST_NULL) Carpool_Request_free(&contender.request);
        if (rank == 0)
            std::printf("%-12s transpose %9.3f ms, whole transform %9.3f ms\n",
                        contender.name.c_str(), contender.transpose * 1e3, contender.whole * 1e3);
    }
    return error;
}

/// Reads a size such as "32" or "64x8x32".
Size size_from(const char* text) {
    Size size{0, 0, 0};
    if (std::sscanf(text, "%dx%dx%d", &size.x, &size.y, &size.z) == 1) size.y = size.z = size.x;
    return size;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const Size size = size_from(argc > 1 ? argv[1] : "32");
    if (size.x < 1 || size.y < 1 || size.z < 1) {
        std::fprintf(stderr, "usage: fft3d [n or XxYxZ] [repetitions] [strategies...]\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 5;
    std::vector<std::string> names(argv + std::min(argc, 3), argv + argc);
    if (names.empty()) names = {"auto", "lists", "host"};
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double error = race(size, repetitions, names);
    int right = error < 1e-12;
    MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%d * %d * %d: %s, error %.1e\n", size.x, size.y, size.z,
                    right ? "right" : "WRONG", error);
    MPI_Finalize();
    return right ? 0 : 1;
}
