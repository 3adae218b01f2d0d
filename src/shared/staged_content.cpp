#include "shared/staged_content.hpp"

#include "base/expects.hpp"

#include <utility>

namespace carpool::shared {

std::size_t StagedContent::add_reader(Mate& mate) {
    readers_.push_back(&mate);
    return readers_.size() - 1;
}

void StagedContent::turn() {
    release();
    if (!std::exchange(loaded_, false)) return;
    if (++current_ == uses_.size()) current_ = 0;
}

/// Who has not been told of it by now never will be.
void StagedContent::release() {
    if (!buffer_) return;
    uses_[current_] = home_.staging().give_back(*buffer_);
    buffer_.reset();
}

void StagedContent::told(const Reading& reading) {
    (*buffer_)->readings.push_back(reading);
    ++told_;
}

bool StagedContent::tell(std::size_t reader, const Address& to) {
    CARPOOL_EXPECTS(buffer_.has_value(), reader, told_);
    auto& mate = *readers_[reader];
    const auto number = mate.send_room(to, bytes_, (*buffer_)->offset);
    if (number == 0) return false;
    told({&mate, number});
    if (told_ == readers_.size()) release();
    return true;
}

bool StagedContent::post(NoticeBoard& board, const NoticeBoard::Audience& audience,
                         std::span<const std::size_t> readers, const Address& to) {
    CARPOOL_EXPECTS(buffer_.has_value(), readers.size(), told_);
    const auto number = board.write_room(audience, to, bytes_, (*buffer_)->offset);
    if (number == 0) return false;
    for (const auto reader : readers) told({readers_[reader], number, true});
    if (told_ == readers_.size()) release();
    return true;
}

}  // namespace carpool::shared
