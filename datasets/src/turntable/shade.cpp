// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/shade.h"

#include <array>
#include <utility>

namespace subspace::datasets::turntable {
namespace {

constexpr Vec3 kBackdrop = {0.0006, 0.0006, 0.0007};  ///< black velvet
constexpr Vec3 kKeyLight = {1.05, 1.0, 0.93};
constexpr Vec3 kFillLight = {0.13, 0.14, 0.16};

struct Hit {
  Vec3 position = {};
  Vec3 normal = {};  ///< unit, towards the camera
  SurfacePoint surface = {};
};

/// Rounds the edges of a box in shading: within `bevel` of an edge the normal leans over it.
Vec3 bevelled(const Part& part, const Vec3& position, const Vec3& normal) {
  const auto lean = [&](double n, double p, double half) {
    if (magnitude(n) > 0.5) return n;
    const double near = 1.0 - (half - magnitude(p)) / part.bevel;
    if (near <= 0.0) return n;
    return p < 0.0 ? -0.8 * near : 0.8 * near;
  };
  return {lean(normal.x, position.x, part.half.x), lean(normal.y, position.y, part.half.y),
          lean(normal.z, position.z, part.half.z)};
}

Hit hit_at(const Part& part, const Ray& ray, const Contact& contact) {
  Hit hit;
  hit.position = ray.at(contact.t);
  hit.surface.relative = part.to_local(hit.position);
  hit.surface.position = hit.surface.relative * part.half;
  const Vec3& n = contact.normal;
  Vec3 normal = normalized({n.x / part.half.x, n.y / part.half.y, n.z / part.half.z});
  hit.surface.normal = normal;
  if (part.bevel > 0.0) normal = normalized(bevelled(part, hit.surface.position, normal));
  hit.normal = part.frame.out_of(normal);
  if (part.material.through) hit.surface.position = hit.position;
  if (dot(hit.normal, ray.direction) > 0.0) hit.normal = -hit.normal;
  return hit;
}

bool blocked(const Scene& scene, const Ray& ray) {
  Contact contact;
  for (std::size_t i = 0; i < scene.object.size(); ++i) {
    if (may_meet(scene.bounds[i], ray, kFar) && meet(scene.object[i], ray, contact)) return true;
  }
  return false;
}

/// Directions over the hemisphere about z, as dense as the cosine.
std::array<Vec3, kSamples> cosine_directions() {
  std::array<Vec3, kSamples> directions;
  for (int i = 0; i < kSamples; ++i) {
    const auto [s, c] = sine_cosine(0.381966011250105 * (i + 2));
    const double square = (i + 0.5) / kSamples;
    const double r = std::sqrt(square);
    directions[static_cast<std::size_t>(i)] = {r * c, r * s, std::sqrt(1.0 - square)};
  }
  return directions;
}

Vec3 ambient(const Scene& scene, const Hit& hit, const Vec3& start, int sample) {
  static const std::array<Vec3, kSamples> directions = cosine_directions();
  const Frame frame = frame_along(hit.normal);
  const Vec3 towards = frame.out_of(directions[static_cast<std::size_t>(sample)]);
  if (towards.z < 0.0 || blocked(scene, {start, towards})) return kFloorLight;
  return ceiling_light(towards);
}

/// Diffuse light, a highlight of the main lamp, and the room reflected as in glaze (Fresnel's
/// share by Schlick: f + (1 - f) (1 - cos)^5).
Vec3 reflected(const Scene& scene, const Stage& stage, const Material& material, const Hit& hit,
               const Vec3& view, int sample) {
  const Vec3 albedo = color_at(material, hit.surface);
  const Vec3 start = hit.position + 1e-4 * scene.extent.radius * hit.normal;
  // Another order than that of the places in the pixel, or shadows would have a grain.
  const Vec3& lamp = stage.key_samples[static_cast<std::size_t>(sample * 4 % kSamples)];
  const double facing = dot(hit.normal, lamp);
  const bool lit = facing > 0.0 && !blocked(scene, {start, lamp});
  Vec3 light =
      ambient(scene, hit, start, sample) + larger(dot(hit.normal, stage.fill), 0.0) * kFillLight;
  if (lit) light = light + facing * kKeyLight;

  const double cosine = larger(-dot(hit.normal, view), 0.0);
  const double grazing = 1.0 - cosine;
  const double schlick = grazing * grazing * grazing * grazing * grazing;
  const double fresnel = material.gloss * (0.05 + 0.55 * schlick) + 0.5 * material.metal;
  const Vec3 mirror = view + 2.0 * cosine * hit.normal;
  const Vec3 tint = turntable::mix(Vec3{1, 1, 1}, albedo, material.metal);
  Vec3 shine = fresnel * (tint * room_light(stage, mirror));
  if (lit) {
    const Vec3 half = normalized(lamp - view);
    const double highlight = power(larger(dot(hit.normal, half), 0.0), material.shininess);
    shine = shine + 0.6 * material.gloss * highlight * (tint * kKeyLight);
  }
  return (1.0 - 0.7 * material.metal) * (albedo * light) + shine;
}

}  // namespace

Scene make_scene(Object object) {
  Scene scene;
  scene.bounds = bounds_of(object);
  scene.extent = extent_of(object);
  scene.object = std::move(object);
  return scene;
}

Vec3 radiance(const Scene& scene, const Stage& stage, std::span<const int> candidates,
              const Ray& ray, int sample) {
  Contact contact;
  const Part* nearest = nullptr;
  for (const int candidate : candidates) {
    const auto i = static_cast<std::size_t>(candidate);
    if (!may_meet(scene.bounds[i], ray, contact.t)) continue;
    if (meet(scene.object[i], ray, contact)) nearest = &scene.object[i];
  }
  if (nearest == nullptr) return kBackdrop;
  const Hit hit = hit_at(*nearest, ray, contact);
  return reflected(scene, stage, nearest->material, hit, ray.direction, sample);
}

}  // namespace subspace::datasets::turntable
