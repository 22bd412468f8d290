// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include <memory>

#include <subspace/core/error.h>
#include <subspace/datasets/image_folder.h>
#include <subspace/datasets/turntable.h>

#include "data.h"
#include "exit_code.h"
#include "session.h"
#include "setting_flags.h"
#include "summary.h"

namespace subspace::app {
namespace {

struct Request {
  std::string what = {};
  std::string out = {};
  datasets::TurntableOptions options = {};
};

int render_command(Request request, const pipelines::RunSettings& settings) {
  if (request.what != "turntable") {
    throw InvalidArgument(message("data render: '", request.what, "', must be turntable"));
  }
  request.options.color = settings.color;
  request.options.seed = settings.seed;
  datasets::check_image_folder(request.out);
  datasets::ImageStack images;
  {
    const Session session(settings);
    images = datasets::render_turntable(request.options, session.context());
    datasets::save_image_folder(request.out, images, request.options.poses, session.context());
  }
  if (settings.verbosity == pipelines::Verbosity::kQuiet) return kDone;
  print_result(message(counted(images.count, "picture"), " of ", images.shape.height, " x ",
                       images.shape.width, " in ", request.out, ", seed ", settings.seed,
                       ", SHA-256 of the pixels ", datasets::pixel_sha256(images), "\n", "Look at ",
                       request.out, "/contact-sheet.png, or: subspace cluster ", request.out,
                       "/pictures -k ", request.options.objects, "\n"));
  return kDone;
}

}  // namespace

Command add_data_render_command(CLI::App& data) {
  CLI::App* parser = data.add_subcommand(
      "render", "write the built-in pictures of objects on a turntable to a folder");
  const auto request = std::make_shared<Request>();
  parser->add_option("WHAT", request->what, "turntable")->required()->type_name("turntable");
  parser->add_option("--out", request->out, "a folder that does not exist yet")
      ->required()
      ->type_name("DIR");
  auto& options = request->options;
  parser->add_option("--objects", options.objects, "how many, 1 to 1000")->type_name("N");
  parser->add_option("--poses", options.poses, "views of each, 1 to 720")->type_name("N");
  parser->add_option("--size", options.size, "side in pixels, 8 to 512")->type_name("N");
  const auto flags = std::make_shared<SettingFlags>(*parser, with_run_settings({"color"}));
  return {parser, [request, flags] { return render_command(*request, flags->resolve()); }};
}

}  // namespace subspace::app
