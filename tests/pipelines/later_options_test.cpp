// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "later_options.h"

#include <gtest/gtest.h>

#include <subspace/core/parameters.h>

#include "methods/method.h"

namespace subspace::pipelines {
namespace {

TEST(LaterOptions, AreLeftOutOnlyWhereTheyChangeNothing) {
  EXPECT_TRUE(is_as_before("tcr.precision", "float32"));
  EXPECT_TRUE(is_as_before("precision", "float32"));
  EXPECT_TRUE(is_as_before("tcr.schedule_steps", "0"));
  EXPECT_TRUE(is_as_before("schedule_steps", "0"));
  EXPECT_TRUE(is_as_before("graph.power", "0"));
  EXPECT_TRUE(is_as_before("affinity.loops", "0"));
  EXPECT_FALSE(is_as_before("affinity.loops", "1"));
  EXPECT_TRUE(is_as_before("affinity.keep_of", "own"));
  EXPECT_FALSE(is_as_before("affinity.keep_of", "others"));
  EXPECT_TRUE(is_as_before("kmeans.init", "plus-plus"));
  EXPECT_FALSE(is_as_before("kmeans.init", "rows"));
  EXPECT_TRUE(is_as_before("preprocess.append_one", "0"));
  EXPECT_FALSE(is_as_before("preprocess.append_one", "1"));
  EXPECT_FALSE(is_as_before("tcr.precision", "bfloat16"));
  EXPECT_FALSE(is_as_before("graph.power", "32"));
  EXPECT_FALSE(is_as_before("affinity.power", "0"));
  EXPECT_FALSE(is_as_before("tcr.steps", "0"));
  EXPECT_FALSE(is_as_before("tcr.schedule_steps", "2000"));
  EXPECT_FALSE(is_as_before("tcr.reschedule_steps", "0"));
}

TEST(LaterOptions, ATrainingOfBeforeKeepsItsKey) {
  int steps = 7;
  enum class Kind { kFloat32, kBFloat16 } kind = Kind::kFloat32;
  const Parameters parameters = {
      parameter("steps", steps, ""),
      choice("precision", kind, {{"float32", Kind::kFloat32}, {"bfloat16", Kind::kBFloat16}}, "")};
  EXPECT_EQ(training_key("tcr", parameters), "tcr steps=7");
  kind = Kind::kBFloat16;
  EXPECT_EQ(training_key("tcr", parameters), "tcr steps=7 precision=bfloat16");
}

}  // namespace
}  // namespace subspace::pipelines
