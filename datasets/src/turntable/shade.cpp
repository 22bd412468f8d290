// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "turntable/shade.h"

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
  const Part* part = nullptr;
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
  hit.part = &part;
  hit.position = ray.at(contact.t);
  hit.surface.relative = part.to_local(hit.position);
  hit.surface.position = hit.surface.relative * part.half;
  Vec3 normal = normalized(contact.normal * part.inverse_half);
  hit.surface.normal = normal;
  if (part.bevel > 0.0) normal = normalized(bevelled(part, hit.surface.position, normal));
  hit.normal = part.frame.out_of(normal);
  if (part.material.through) hit.surface.position = hit.position;
  if (dot(hit.normal, ray.direction) > 0.0) hit.normal = -hit.normal;
  return hit;
}

/// Whether something stands between a point of a surface and the room.
bool blocked(const Scene& scene, const Hit& hit, const Ray& ray) {
  const Part* innocent = is_convex(*hit.part) ? hit.part : nullptr;
  const Probe probe(ray);
  Contact contact;
  for (std::size_t i = 0; i < scene.object.size(); ++i) {
    const Part& part = scene.object[i];
    if (&part == innocent || !may_meet(scene.bounds[i], probe, kFar)) continue;
    if (meet(part, ray, contact)) return true;
  }
  return false;
}

/// Light of the room along one direction, chosen as densely as the cosine to the normal.
Vec3 ambient(const Scene& scene, const Hit& hit, const Vec3& start, const Sample& sample) {
  const Vec3& place = disc_samples()[sample.set][sample.number];
  const double up = std::sqrt(1.0 - (place.x * place.x + place.y * place.y));
  const Vec3 towards = frame_along(hit.normal).out_of({place.x, place.y, up});
  if (towards.z < 0.0 || blocked(scene, hit, {start, towards})) return kFloorLight;
  return ceiling_light(towards);
}

/// Diffuse light, a highlight of the main lamp, and the room reflected as in glaze (Fresnel's
/// share by Schlick: f + (1 - f) (1 - cos)^5).
Vec3 reflected(const Scene& scene, const Stage& stage, const Hit& hit, const Vec3& view,
               const Sample& sample) {
  const Material& material = hit.part->material;
  const Vec3 albedo = color_at(material, hit.surface);
  const Vec3 start = hit.position + 1e-5 * scene.framing.distance * hit.normal;
  // Another order than that of the places in the pixel, or shadows would have a grain.
  const Vec3& lamp = stage.key_samples[sample.set][3 * sample.number % kSamples];
  const double facing = dot(hit.normal, lamp);
  const bool lit = facing > 0.0 && !blocked(scene, hit, {start, lamp});
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
  for (Part& part : object) {
    part.inverse_half = {1.0 / part.half.x, 1.0 / part.half.y, 1.0 / part.half.z};
  }
  Scene scene;
  scene.bounds = bounds_of(object);
  scene.framing = framing_of(object);
  scene.object = std::move(object);
  return scene;
}

Vec3 radiance(const Scene& scene, const Stage& stage, std::span<const int> candidates,
              const Ray& ray, const Sample& sample) {
  if (candidates.empty()) return kBackdrop;
  const Probe probe(ray);
  Contact contact;
  const Part* nearest = nullptr;
  for (const int candidate : candidates) {
    const auto i = static_cast<std::size_t>(candidate);
    if (!may_meet(scene.bounds[i], probe, contact.t)) continue;
    if (meet(scene.object[i], ray, contact)) nearest = &scene.object[i];
  }
  if (nearest == nullptr) return kBackdrop;
  const Hit hit = hit_at(*nearest, ray, contact);
  return reflected(scene, stage, hit, ray.direction, sample);
}

}  // namespace subspace::datasets::turntable
