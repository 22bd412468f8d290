// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "interrupt.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "exit_code.h"

namespace subspace::app {
namespace {

CancelToken token;
std::atomic<bool> too_late = false;
std::atomic<bool> checkpoints_wanted = false;
std::atomic<bool> training = false;

/// Only functions that are safe in a signal handler.
[[noreturn]] void quit_now() {
  constexpr char kMessage[] = "\nsubspace: error: interrupted\n";
  // On a terminal the bar's line is ended first.
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const char* text = terminal ? kMessage : kMessage + 1;
  const auto length = sizeof(kMessage) - (terminal ? 1 : 2);
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, length);
  _exit(kInterrupted);
}

void say_waiting() {
  constexpr char kMessage[] =
      "\nsubspace: stopping; a training keeps its step first; interrupt again to stop at once\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
}

void on_interrupt(int) {
  if (too_late) return;
  if (token.requested()) quit_now();
  token.request();
  const bool patient = training;
  if (patient) say_waiting();
  itimerval patience = {.it_interval = {0, 0}, .it_value = {0, 800'000}};
  if (patient) patience.it_value = {60, 0};
  setitimer(ITIMER_REAL, &patience, nullptr);
}

void on_alarm(int) {
  if (!too_late) quit_now();
}

void install(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

sigset_t interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGALRM}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

const CancelToken& watch_interrupts() {
  install(SIGINT, on_interrupt);
  install(SIGTERM, on_interrupt);
  install(SIGALRM, on_alarm);
  const sigset_t signals = interrupts();
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);  // held by hold_interrupts() before
  return token;
}

void wait_for_checkpoints() { checkpoints_wanted = true; }

ProgressCallback watch_trainings(ProgressCallback shown) {
  if (!checkpoints_wanted) return shown;
  return [shown = std::move(shown)](const ProgressEvent& event) {
    training = event.phase == "train";
    if (shown) shown(event);
  };
}

void hold_interrupts() {
  const sigset_t signals = interrupts();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  token.throw_if_requested();
}

void ignore_interrupts() {
  too_late = true;
  token.throw_if_requested();
}

}  // namespace subspace::app
