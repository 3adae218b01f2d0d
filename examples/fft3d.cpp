// The FFT of n * n * n complex numbers over all ranks, as in [5] section 4.4: each rank has some
// planes, which it transforms in two dimensions; a transpose gives it whole columns, which it
// transforms in the third. The transpose is an all-to-all of many small blocks, planned once and
// started for every transform. Rank 0 checks the result against a serial FFT.
//
//   tools/launch -n 8 build/mpich-dev/examples/fft3d [n] [repetitions] [strategies...]
//
// A strategy is an algorithm of Carpool_Alltoallv_init ("auto", "spread", "2-digits", "mesh", ...)
// or "host" for MPI_Alltoallv. All are timed in turn; the table shows the least of the repetitions.
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

/// Which of n planes, or rows, a rank has: equal shares, or one less where n does not divide.
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

/// An n * n * n transform of which every rank has planes [z][y][x] before and [y][x][z] after.
class Transform {
public:
    explicit Transform(int n) : n_(n), lines_(n) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        shares_ = shares_of(n, ranks_);
        const int mine = share().count;
        for (const auto& other : shares_) {
            counts_.push_back(mine * other.count * n);
            displs_.push_back(mine * other.first * n);
        }
        const auto numbers = at(mine) * at(n) * at(n);
        planes_.resize(numbers), columns_.resize(numbers);
        const auto room = std::max<std::size_t>(1, numbers);  // some hosts refuse null pointers
        sent_.resize(room), received_.resize(room);
    }

    const Share& share() const { return shares_[at(rank_)]; }
    Numbers& planes() { return planes_; }
    const Numbers& columns() const { return columns_; }

    /// Plans the transpose with that algorithm of Carpool's.
    Carpool_Request planned(const char* algorithm) {
        MPI_Info info = MPI_INFO_NULL;
        MPI_Info_create(&info);
        MPI_Info_set(info, "carpool_algorithm", algorithm);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        Carpool_Alltoallv_init(sent_.data(), counts_.data(), displs_.data(), MPI_CXX_DOUBLE_COMPLEX,
                               received_.data(), counts_.data(), displs_.data(),
                               MPI_CXX_DOUBLE_COMPLEX, MPI_COMM_WORLD, info, &request);
        MPI_Info_free(&info);
        return request;
    }

    /// @return seconds in the transpose's exchange, planned or by the host
    double run(Carpool_Request* transpose) {
        for (int z = 0; z < share().count; ++z) transform_plane(&planes_[at(z) * at(n_) * at(n_)]);
        pack();
        const double start = MPI_Wtime();
        if (transpose != nullptr) {
            Carpool_Start(transpose);
            Carpool_Wait(transpose, MPI_STATUS_IGNORE);
        } else {
            MPI_Alltoallv(sent_.data(), counts_.data(), displs_.data(), MPI_CXX_DOUBLE_COMPLEX,
                          received_.data(), counts_.data(), displs_.data(), MPI_CXX_DOUBLE_COMPLEX,
                          MPI_COMM_WORLD);
        }
        const double seconds = MPI_Wtime() - start;
        unpack();
        for (std::size_t c = 0; c < columns_.size(); c += at(n_)) lines_.transform(&columns_[c], 1);
        return seconds;
    }

private:
    void transform_plane(Number* plane) {
        for (int y = 0; y < n_; ++y) lines_.transform(plane + y * n_, 1);
        for (int x = 0; x < n_; ++x) lines_.transform(plane + x, at(n_));
    }

    /// For each rank its rows of this rank's planes, [y][x][z].
    void pack() {
        auto* to = sent_.data();
        for (int row = 0; row < n_ * n_; ++row)
            for (int z = 0; z < share().count; ++z)
                *to++ = planes_[at(z) * at(n_) * at(n_) + at(row)];
    }

    /// From each rank its part of this rank's columns.
    void unpack() {
        const auto* from = received_.data();
        for (const auto& other : shares_)
            for (int column = 0; column < share().count * n_; ++column, from += other.count)
                std::copy_n(from, other.count, &columns_[at(column) * at(n_) + at(other.first)]);
    }

    int n_, rank_ = 0, ranks_ = 1;
    Lines lines_;
    std::vector<Share> shares_;
    std::vector<int> counts_, displs_;  // of what is sent and of what is received: both alike
    Numbers planes_, sent_, received_, columns_;
};

/// Neither symmetric nor periodic.
Number input(int x, int y, int z) {
    return {std::sin(x + 0.3 * y * y), std::cos(0.7 * z + 0.1 * x * y)};
}

void fill(Numbers& planes, int n, const Share& share) {
    auto to = planes.begin();
    for (int z = share.first; z < share.first + share.count; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) *to++ = input(x, y, z);
}

/// The same by one rank, in another order of dimensions.
Numbers serial(int n) {
    Numbers numbers(at(n) * at(n) * at(n));
    fill(numbers, n, Share(n, 1, 0));
    Lines lines(n);
    const auto plane = at(n) * at(n);
    for (std::size_t i = 0; i < plane; ++i) lines.transform(&numbers[i], plane);  // along z
    for (std::size_t i = 0; i < plane; ++i)                                       // along y
        lines.transform(&numbers[i / at(n) * plane + i % at(n)], at(n));
    for (std::size_t i = 0; i < plane; ++i) lines.transform(&numbers[i * at(n)], 1);  // along x
    return numbers;
}

/// The larger error; what is not a number is larger than all.
double worse(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

/// The largest difference, relative to the largest number; on rank 0.
double error_of(const Numbers& columns, const Numbers& expected, int n) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<int> counts, displs;
    for (const auto& share : shares_of(n, ranks)) {
        counts.push_back(share.count * n * n);
        displs.push_back(share.first * n * n);
    }
    Numbers all(expected.size());
    MPI_Gatherv(columns.data(), counts[at(rank)], MPI_CXX_DOUBLE_COMPLEX, all.data(), counts.data(),
                displs.data(), MPI_CXX_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD);
    double difference = 0, largest = 1e-300;
    for (std::size_t i = 0; i < expected.size(); ++i) {  // expected is [z][y][x], all is [y][x][z]
        const auto z = i / (at(n) * at(n)), row = i % (at(n) * at(n));
        difference = worse(difference, std::abs(all[row * at(n) + z] - expected[i]));
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
    Carpool_Request request = CARPOOL_REQUEST_NULL;  ///< null for the host
    double transpose = 1e9, whole = 1e9;             ///< seconds, the least
};

void time_one(Contender& contender, Transform& transform, int n) {
    fill(transform.planes(), n, transform.share());
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    const bool by_host = contender.request == CARPOOL_REQUEST_NULL;
    const double transpose = transform.run(by_host ? nullptr : &contender.request);
    const double whole = MPI_Wtime() - start;
    contender.transpose = std::min(contender.transpose, slowest(transpose));
    contender.whole = std::min(contender.whole, slowest(whole));
}

/// @return the largest error of any
double race(int n, int repetitions, const std::vector<std::string>& names) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Transform transform(n);
    std::vector<Contender> contenders;
    for (const auto& name : names)
        contenders.push_back(
            {name, name == "host" ? CARPOOL_REQUEST_NULL : transform.planned(name.c_str())});
    const auto expected = rank == 0 ? serial(n) : Numbers();
    double error = 0;
    for (int repetition = 0; repetition < repetitions; ++repetition)
        for (auto& contender : contenders) {
            time_one(contender, transform, n);
            if (repetition == 0) error = worse(error, error_of(transform.columns(), expected, n));
        }
    for (auto& contender : contenders) {
        if (contender.request != CARPOOL_REQUEST_NULL) Carpool_Request_free(&contender.request);
        if (rank == 0)
            std::printf("%-12s transpose %9.3f ms, whole transform %9.3f ms\n",
                        contender.name.c_str(), contender.transpose * 1e3, contender.whole * 1e3);
    }
    return error;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int n = argc > 1 ? std::atoi(argv[1]) : 32;
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 5;
    std::vector<std::string> names(argv + std::min(argc, 3), argv + argc);
    if (names.empty()) names = {"auto", "host"};
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double error = race(n, repetitions, names);
    int right = error < 1e-12;
    MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%d * %d * %d: %s, error %.1e\n", n, n, n, right ? "right" : "WRONG", error);
    MPI_Finalize();
    return right ? 0 : 1;
}
