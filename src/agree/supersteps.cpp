#include "agree/supersteps.hpp"

#include "engine/ways.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace carpool::agree {

using routing::Letter;
using routing::Mail;
using routing::Words;

Postman::Postman(mpi::CommState& state, int tag, int letter_tag, Mail said)
    : state_(state), tag_(tag), letter_tag_(letter_tag), said_(std::move(said)) {
    if (state_.size() > 1) messages_.emplace(engine::transports_of(state_));
    send();
}

/// A letter to this rank itself needs no message.
void Postman::send() {
    for (const auto& letter : said_.letters)
        if (letter.peer == state_.rank())
            kept_.push_back(letter);
        else
            messages_->send(letter.peer, letter_tag_, std::as_bytes(std::span(*letter.words)),
                            true);
}

void Postman::take_in() {
    while (auto message = messages_->probe(letter_tag_)) coming_.push_back(std::move(*message));
}

/// Never empty.
std::vector<std::int64_t> Postman::own_board() const {
    std::vector<std::int64_t> words(said_.board.begin(), said_.board.end());
    words.push_back(0);
    return words;
}

/// When all have met, all letters have been received or are on their way.
bool Postman::test() {
    if (messages_ && !met_) take_in();
    if (!board_) {
        if (messages_ && !messages_->all_sent()) return false;
        board_.emplace(state_, tag_, own_board(), MPI_BOR);
    }
    met_ = met_ || board_->test();
    return met_ && (!messages_ || messages_->all_received());
}

Mail Postman::take() {
    Mail heard{std::move(kept_), {}};
    for (const auto& message : coming_) {
        Words words(message.bytes.size() / sizeof(int));
        if (!words.empty()) std::memcpy(words.data(), message.bytes.data(), message.bytes.size());
        heard.letters.push_back({message.source, std::make_shared<const Words>(std::move(words))});
    }
    std::stable_sort(heard.letters.begin(), heard.letters.end(),
                     [](const Letter& a, const Letter& b) { return a.peer < b.peer; });
    const auto& words = board_->result();
    heard.board.assign(words.begin(), words.end() - 1);
    return heard;
}

}  // namespace carpool::agree
