// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#pragma once

#include <subspace/core/progress.h>

namespace subspace::app {

/// First thing in main(). Ctrl-C: the first asks the work to stop, the second ends the process at
/// once. Work that does not notice the first within a second is ended as well: nothing is written
/// before the end of a run, so nothing can be left half-done.
const CancelToken& watch_interrupts();

/// From here on an interrupt that comes while a training runs waits for the step under way and its
/// checkpoint, up to a minute, and says so; a second one ends the process at once all the same.
void wait_for_checkpoints();

/// The progress to give to the work, so that it is known when a training runs; `shown` itself where
/// nothing waits for checkpoints.
ProgressCallback watch_trainings(ProgressCallback shown);

/// Signals that come while this process starts its program anew wait for watch_interrupts() there.
void hold_interrupts();

/// From here on results are being written: an interrupt comes too late and is ignored.
/// Throws Cancelled when one came before.
void ignore_interrupts();

}  // namespace subspace::app
