// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <subspace/core/export.h>
#include <subspace/core/types.h>
#include <subspace/pipelines/outcome.h>
#include <subspace/pipelines/record.h>

/// What a table of methods came to, in the form that is kept and that reports are made from.
namespace subspace::pipelines {

/// Version of the JSON below; changes when a key changes its meaning or goes.
inline constexpr char kResultsSchema[] = "subspace-results-1";

/// How a row may use the true labels; rows of different protocols are never compared.
enum class Protocol {
  kLabelFree,  ///< true number of clusters, read-out fixed beforehand, no label used
  kPaper,      ///< the settings of the released code, flaws included
  kOracle,     ///< best of a stated sweep, chosen by the labels
};
SUBSPACE_API std::string protocol_name(Protocol protocol);  ///< "label-free", "paper", "oracle"
/// Throws InvalidArgument under the name `shown_as`.
SUBSPACE_API Protocol parse_protocol(const std::string& text, const std::string& shown_as);

/// A published figure to stand beside a row.
struct Published {
  double error = 0.0;         ///< percent of points in a wrong cluster
  std::string source = {};    ///< where it was published
  std::string obtained = {};  ///< how, as far as that is known
  /// Of a table of trials: the mean error of each group, in place of `error`.
  std::vector<std::pair<std::string, double>> groups = {};
};

/// A square picture in grey levels.
struct HeatMap {
  int side = 0;
  std::vector<std::uint8_t> levels = {};  ///< side * side, row after row; 0: nothing, 255: most
  std::vector<double> bounds = {};        ///< where the next cluster begins, as a share of the side
};

/// How a set of points fills its space.
struct PointsGeometry {
  Index points = 0;
  /// Leading ones, decreasing, over the largest; empty where they would have taken too long.
  std::vector<double> singular_values = {};
  double effective_rank = 0.0;  ///< 0 where there are no singular values
  HeatMap covariance = {};      ///< |X X' / N|, dimension by dimension; side 0 where left out
};

struct ClusterGeometry {
  int cluster = 0;  ///< its label
  PointsGeometry own = {};
  /// For its leading principal directions the points closest to each, nearest first.
  std::vector<std::vector<Index>> closest = {};
};

/// The shape of what was clustered: all points, and cluster by cluster as they were found.
struct FeatureGeometry {
  std::string of = {};  ///< "learned features", "points"
  Index dimension = 0;
  PointsGeometry all = {};
  std::vector<ClusterGeometry> clusters = {};  ///< by increasing label; those that have points
};

/// What a row computed, to look at; of its first seed.
struct Figures {
  HeatMap affinity = {};                 ///< points in the order of their found cluster
  std::vector<double> eigenvalues = {};  ///< lowest of the normalised Laplacian, increasing
  std::string map_of = {};               ///< what the map shows: "spectral embedding", "points"
  std::vector<Index> map_points = {};    ///< which points it shows, by number
  std::vector<std::array<float, 2>> map = {};  ///< their places, in [0, 1]
  std::optional<FeatureGeometry> geometry = {};
};

/// One row with one seed.
struct Cell {
  Record record = {};        ///< metrics included where truth is known
  std::string hash = {};     ///< of version, back end, method, options, data and seed
  std::string command = {};  ///< in a shell: does the same again
};

enum class RowState { kDone, kPartial, kNotRun, kNoSettings, kFailed };
SUBSPACE_API std::string state_name(RowState state);  ///< "done", "partial", "not run", ...
/// Throws DataError.
SUBSPACE_API RowState parse_state(const std::string& text);

/// One setting of a sweep, in means over its seeds.
struct SweptSetting {
  std::string settings = {};              ///< in words: "ssc.alpha = 5, affinity.keep = 0.7"
  int seeds = 0;                          ///< that ran
  std::optional<double> error = {};       ///< percent; where truth is known
  std::optional<double> confidence = {};  ///< signals without labels, where the method has them
  std::optional<double> cut = {};
  bool shown = false;  ///< whether the row shows this one
};

struct RowResult {
  std::string name = {};
  std::string method = {};  ///< as `cluster --method` takes it; empty for labels made elsewhere
  Protocol protocol = Protocol::kLabelFree;
  std::string note = {};    ///< what a reader should know of its settings
  std::string chosen = {};  ///< of a sweep: which setting is shown, and by what it was chosen
  bool tuned_on_labels =
      false;  ///< its settings were chosen by the labels of this data: no contest
  std::optional<Published> published = {};
  RowState state = RowState::kNotRun;
  std::string message = {};              ///< why it failed or was not run
  int seeds_wanted = 0;                  ///< cells.size() when it is done
  std::vector<Cell> cells = {};          ///< in the order of the seeds
  std::vector<SweptSetting> sweep = {};  ///< of a sweep: all settings that ran
  std::optional<Figures> figures = {};
};

/// A row of the recipe that nobody asked for yet.
struct LeftOutRow {
  std::string name = {};
  Protocol protocol = Protocol::kLabelFree;
};

/// Small pictures of every point on one sheet, row after row.
struct ThumbnailSheet {
  int count = 0;
  int columns = 0;
  int width = 0;  ///< of one picture
  int height = 0;
  std::string png = {};  ///< bytes of a .png file
};

/// The points all rows were given.
struct TableData {
  InputInfo input = {};
  int num_clusters = 0;
  Labels truth = {};  ///< empty where it is not known
  std::optional<TruthInfo> truth_info = {};
  bool redistributable = false;  ///< whether pictures of it may be shown to others
  std::optional<ThumbnailSheet> thumbnails = {};
};

struct TableResults {
  std::string name = {};  ///< of the recipe
  std::string title = {};
  std::string note = {};
  std::string version = {};        ///< of the suite
  std::string source_commit = {};  ///< of the suite; "" where it was not built from a repository
  std::string recipe_sha256 = {};
  std::string recipe = {};   ///< its text
  std::string command = {};  ///< the last that worked on the table
  NamedValues machine = {};  ///< of build_info()
  TableData data = {};
  std::vector<RowResult> rows = {};
  std::vector<LeftOutRow> left_out = {};  ///< rows of the recipe that are not among `rows`
};

/// Mean, standard deviation (n - 1 in the denominator; 0 for one value), smallest, largest.
struct Spread {
  int count = 0;
  double mean = 0.0;
  double sd = 0.0;
  double min = 0.0;
  double max = 0.0;
};
SUBSPACE_API Spread spread(const std::vector<double>& values);

SUBSPACE_API std::string to_json(const TableResults& results);
/// Throws IoError under the name `shown_as` when the text is not what to_json() writes.
SUBSPACE_API TableResults results_from_json(const std::string& text, const std::string& shown_as);
/// A results.json, or the folder of one. Throws IoError.
SUBSPACE_API TableResults read_results(const std::filesystem::path& path);

}  // namespace subspace::pipelines
