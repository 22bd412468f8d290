// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <condition_variable>
#include <mutex>

namespace subspace::pipelines {

/// Memory that runs side by side share without being told how many they are: each may take all of
/// it, and waits until what it is predicted to take fits beside the others. So neither what is
/// refused nor how a run is solved depends on the number of threads.
class Room {
 public:
  explicit Room(double bytes) : bytes_(bytes) {}

  /// From when there is room until it goes out of scope. What is larger than all there is runs
  /// alone.
  class Place {
   public:
    Place(Room& room, double bytes) : room_(room), bytes_(bytes) {
      std::unique_lock lock(room_.mutex_);
      room_.left_.wait(lock,
                       [&] { return room_.places_ == 0 || room_.taken_ + bytes_ <= room_.bytes_; });
      room_.taken_ += bytes_;
      ++room_.places_;
    }
    ~Place() {
      {
        const std::lock_guard lock(room_.mutex_);
        --room_.places_;
        room_.taken_ -= bytes_;
      }
      room_.left_.notify_all();
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Room& room_;
    double bytes_;
  };

 private:
  double bytes_;
  double taken_ = 0.0;
  int places_ = 0;
  std::mutex mutex_;
  std::condition_variable left_;
};

}  // namespace subspace::pipelines
