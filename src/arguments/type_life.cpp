#include "arguments/type_life.hpp"

#include "mpi/error.hpp"
#include "mpi/type_contents.hpp"
#include "mpi/use.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace carpool::arguments {

/// The attribute of a datatype that holds its Life.
class TypeLives::Attribute {
public:
    static std::shared_ptr<const Life> of(MPI_Datatype type) {
        void* value = nullptr;
        int found = 0;
        mpi::check(MPI_Type_get_attr(type, key(), &value, &found), "MPI_Type_get_attr");
        const std::lock_guard lock(mutex());
        if (found != 0) return living().at(static_cast<Life*>(value));
        auto life = std::make_shared<Life>();
        mpi::check(MPI_Type_set_attr(type, key(), life.get()), "MPI_Type_set_attr");
        living().emplace(life.get(), life);
        return life;
    }

    /// How many of the datatypes watched anywhere have been freed.
    static std::atomic<std::int64_t>& ends() {
        static std::atomic<std::int64_t> count = 0;
        return count;
    }

private:
    /// The datatypes that have not been freed yet, and may never be.
    static std::map<Life*, std::shared_ptr<Life>>& living() {
        static auto* const all = new std::map<Life*, std::shared_ptr<Life>>;  // lives on after main
        return *all;
    }

    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }

    /// MPI forgets keys when it ends.
    static int key() {
        static std::atomic<int> made_in = 0;
        static int value = MPI_KEYVAL_INVALID;
        const int use = mpi::Use::number();
        if (made_in == use) return value;
        static std::mutex making;
        const std::lock_guard lock(making);
        if (made_in == use) return value;
        mpi::check(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, end, &value, nullptr),
                   "MPI_Type_create_keyval");
        made_in = use;
        return value;
    }

    static int end(MPI_Datatype, int, void* value, void*) {
        const std::lock_guard lock(mutex());
        const auto life = living().extract(static_cast<Life*>(value));
        life.mapped()->ended = true;
        ++ends();
        return MPI_SUCCESS;
    }
};

void TypeLives::add(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL || mpi::is_predefined(type)) return;
    if (lives_.empty()) ends_ = Attribute::ends();
    if (!lives_.empty() && type == last_) return;
    last_ = type;
    lives_.push_back(Attribute::of(type));
}

bool TypeLives::alive() {
    if (lives_.empty()) return true;
    const auto ends = Attribute::ends().load();
    if (ends == ends_) return true;
    if (std::any_of(lives_.begin(), lives_.end(),
                    [](const auto& life) { return life->ended.load(); }))
        return false;
    ends_ = ends;
    return true;
}

}  // namespace carpool::arguments
