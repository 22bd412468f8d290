// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/datasets/archive.h>
#include <subspace/datasets/download.h>
#include <subspace/datasets/fetch.h>
#include <subspace/datasets/image.h>
#include <subspace/datasets/image_folder.h>
#include <subspace/datasets/load.h>
#include <subspace/datasets/point_set.h>
#include <subspace/datasets/registry.h>
#include <subspace/datasets/save.h>
#include <subspace/datasets/sha256.h>
#include <subspace/datasets/sparse.h>
#include <subspace/datasets/synthetic.h>
#include <subspace/datasets/turntable.h>
