// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <subspace/datasets/turntable.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>

#include <subspace/core/error.h>

#include "pipelines/expect_error.h"

namespace subspace::datasets {
namespace {

using ::subspace::testing::message_of;
using ::testing::HasSubstr;

/// Mean difference of two pictures, in levels.
double difference(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  const auto gap = [](std::uint8_t x, std::uint8_t y) { return std::abs(int{x} - int{y}); };
  const int sum = std::transform_reduce(a.begin(), a.end(), b.begin(), 0, std::plus<>(), gap);
  return sum / static_cast<double>(a.size());
}

bool equal(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  return std::ranges::equal(a, b);
}

/// Grey pictures by the rule of the header, worked out in another way.
ImageStack channel_mean(const ImageStack& color) {
  ImageStack grey{.shape = color.shape, .count = color.count};
  grey.shape.channels = 1;
  const auto pixels = static_cast<std::size_t>(grey.shape.num_pixels());
  for (Index i = 0; i < color.count; ++i) {
    const auto planes = color.image(i);
    for (std::size_t p = 0; p < pixels; ++p) {
      const double mean = (planes[p] + planes[pixels + p] + planes[2 * pixels + p]) / 3.0;
      grey.values.push_back(static_cast<std::uint8_t>(mean + 0.5));
    }
  }
  return grey;
}

// The pixels are part of the interface: results on them are compared between machines and
// versions. A change of these hashes is a change of the data set.

TEST(TurntableTest, DefaultPicturesArePinned) {
  const ImageStack color = render_turntable({.color = true});
  EXPECT_EQ(pixel_sha256(color),
            "783f1961592bd8a851d4061ce501b06f0500db2bbf29cebdc40a322eb2242377");
  EXPECT_EQ(pixel_sha256(channel_mean(color)),
            "a8f6c7435c5b63fb351ec2c6e962952ab10c5ef7ecb2cfa32304dd080288be30");
}

TEST(TurntableTest, PicturesArePinnedForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 4}) {
    const Context context{.num_threads = threads};
    EXPECT_EQ(pixel_sha256(render_turntable({.poses = 4}, context)),
              "bf43040278bb0abc90c5245b4c125f28780ecf8e5d0bed97c41558897ff43ba0")
        << threads;
  }
}

TEST(TurntableTest, DrawnObjectsArePinned) {
  EXPECT_EQ(pixel_sha256(render_turntable({.objects = 120, .poses = 1, .size = 32, .color = true})),
            "0c037e38cd52315964015c324ea482a0d6b44a4af913ba61eafdb28865cf22ff");
}

TEST(TurntableTest, ObjectsDoNotDependOnHowManyFollow) {
  const ImageStack more = render_turntable({.objects = 24, .poses = 3, .size = 24, .seed = 5});
  const ImageStack fewer = render_turntable({.objects = 22, .poses = 3, .size = 24, .seed = 5});
  EXPECT_EQ(more.count, 72);
  EXPECT_EQ(more.shape, (ImageShape{1, 24, 24}));
  EXPECT_TRUE(equal(fewer.values, std::span(more.values).first(fewer.values.size())));
}

TEST(TurntableTest, PicturesDependOnTheAngleNotOnTheNumberOfPoses) {
  const ImageStack coarse = render_turntable({.objects = 3, .poses = 4, .size = 32});
  const ImageStack fine = render_turntable({.objects = 3, .poses = 12, .size = 32});
  for (Index i = 0; i < coarse.count; ++i) {
    EXPECT_TRUE(equal(coarse.image(i), fine.image(3 * i))) << i;
  }
}

TEST(TurntableTest, TheSeedChangesDrawnObjectsAndOnlyTheNoiseOfDesignedOnes) {
  const ImageStack a = render_turntable({.objects = 23, .poses = 1, .size = 32, .seed = 1});
  const ImageStack b = render_turntable({.objects = 23, .poses = 1, .size = 32, .seed = 2});
  for (Index i = 0; i < 20; ++i) {
    EXPECT_FALSE(equal(a.image(i), b.image(i)));
    EXPECT_LT(difference(a.image(i), b.image(i)), 2.0) << i;
  }
  for (Index i = 20; i < 23; ++i) EXPECT_GT(difference(a.image(i), b.image(i)), 4.0) << i;
}

TEST(TurntableTest, AFullTurnClosesAndNeighboursAreAlike) {
  constexpr int kPoses = 24;
  const ImageStack images = render_turntable({.poses = kPoses, .size = 32});
  for (int object = 0; object < 20; ++object) {
    double near = 0.0;  // the last pose and the first among them
    double far = 0.0;
    for (int pose = 0; pose < kPoses; ++pose) {
      const auto at = [&](int p) { return images.image(object * kPoses + p % kPoses); };
      near += difference(at(pose), at(pose + 1)) / kPoses;
      far += difference(at(pose), at(pose + kPoses / 4)) / kPoses;
    }
    EXPECT_LT(near, far) << object;
  }
}

TEST(TurntableTest, ObjectsFillThePictureAndStayInsideIt) {
  constexpr int kSize = 48;
  constexpr int kDark = 24;
  constexpr int kPoses = 6;
  const ImageStack images = render_turntable({.objects = 60, .poses = kPoses, .size = kSize});
  for (Index object = 0; object < 60; ++object) {
    int widest = 0;
    for (Index pose = 0; pose < kPoses; ++pose) {
      const auto image = images.image(object * kPoses + pose);
      const auto lit = [&](int x, int y) {
        return image[static_cast<std::size_t>(y * kSize + x)] > kDark;
      };
      int left = kSize, right = -1, top = kSize, bottom = -1;
      for (int y = 0; y < kSize; ++y) {
        for (int x = 0; x < kSize; ++x) {
          if (!lit(x, y)) continue;
          left = std::min(left, x);
          right = std::max(right, x);
          top = std::min(top, y);
          bottom = std::max(bottom, y);
        }
      }
      ASSERT_GE(right, 0) << object;
      EXPECT_GE(std::min(left, top), 1) << object << " leaves the picture in pose " << pose;
      EXPECT_LE(std::max(right, bottom), kSize - 2) << object;
      widest = std::max({widest, right - left + 1, bottom - top + 1});
    }
    EXPECT_GE(widest, 3 * kSize / 4) << object;
  }
}

TEST(TurntableTest, TheBackdropIsDark) {
  const ImageStack images = render_turntable({.poses = 2, .size = 32});
  for (Index i = 0; i < images.count; ++i) {
    const auto image = images.image(i);
    for (const std::size_t corner : {0U, 31U, 992U, 1023U}) EXPECT_LT(image[corner], 16) << i;
    EXPECT_GT(*std::ranges::max_element(image), 100) << i;
  }
}

TEST(TurntableTest, ObjectsArePairwiseDistinct) {
  const ImageStack images = render_turntable({.objects = 40, .poses = 1, .size = 48});
  for (Index a = 0; a < images.count; ++a) {
    for (Index b = 0; b < a; ++b) {
      // Two pictures of one object differ by less than 1: the camera's noise.
      EXPECT_GT(difference(images.image(a), images.image(b)), 1.5) << a << " and " << b;
    }
  }
}

TEST(TurntableTest, GreyIsTheMeanOfTheChannelsRoundedHalfUp) {
  const ImageStack grey = render_turntable({.objects = 21, .poses = 2, .size = 32});
  const ImageStack color = render_turntable({.objects = 21, .poses = 2, .size = 32, .color = true});
  EXPECT_EQ(color.shape, (ImageShape{3, 32, 32}));
  EXPECT_EQ(grey.values, channel_mean(color).values);
}

TEST(TurntableTest, TheTruthNamesTheObjectOfEachPicture) {
  EXPECT_EQ(turntable_truth({.objects = 3, .poses = 2}), (Labels{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(turntable_truth().size(), 1440U);
}

TEST(TurntableTest, EdgesOfTheOptions) {
  EXPECT_EQ(render_turntable({.objects = 1, .poses = 1, .size = 8}).values.size(), 64U);
  EXPECT_EQ(render_turntable({.objects = 1, .poses = 720, .size = 8}).count, 720);
  EXPECT_EQ(render_turntable({.objects = 1000, .poses = 1, .size = 8}).count, 1000);
  EXPECT_EQ(render_turntable({.objects = 1, .poses = 1, .size = 512}).shape.width, 512);
}

TEST(TurntableTest, BadOptionsAreRefusedByName) {
  const auto expect_refused = [](const TurntableOptions& options, const std::string& text) {
    EXPECT_EQ(message_of<InvalidArgument>([&] { render_turntable(options); }),
              "render_turntable: " + text);
    EXPECT_EQ(message_of<InvalidArgument>([&] { turntable_truth(options); }),
              "turntable_truth: " + text);
  };
  expect_refused({.objects = 0}, "objects = 0, must satisfy 1 <= objects <= 1000");
  expect_refused({.objects = 1001}, "objects = 1001, must satisfy 1 <= objects <= 1000");
  expect_refused({.poses = -3}, "poses = -3, must satisfy 1 <= poses <= 720");
  expect_refused({.poses = 721}, "poses = 721, must satisfy 1 <= poses <= 720");
  expect_refused({.size = 7}, "size = 7, must satisfy 8 <= size <= 512");
  expect_refused({.size = 513}, "size = 513, must satisfy 8 <= size <= 512");
}

TEST(TurntableTest, TooLargeAStackIsRefusedBeforeAnyWork) {
  const Context context{.max_memory = 1000000};
  EXPECT_THAT(message_of<ResourceError>([&] { render_turntable({}, context); }),
              HasSubstr("render_turntable: needs about"));
}

TEST(TurntableTest, ReportsProgressAndCanBeCancelled) {
  CancelToken cancel;
  std::map<std::string, std::int64_t> done;
  Context context{.num_threads = 1, .cancel = &cancel};
  context.progress = [&](const ProgressEvent& event) {
    done[event.phase] = event.done;
    EXPECT_EQ(event.total, 10);
    if (event.done == 4) cancel.request();
  };
  EXPECT_THROW(render_turntable({.objects = 5, .poses = 2, .size = 16}, context), Cancelled);
  EXPECT_EQ(done, (std::map<std::string, std::int64_t>{{"render", 4}}));
}

}  // namespace
}  // namespace subspace::datasets
