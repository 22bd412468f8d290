// SPDX-License-Identifier: Apache-2.0
// Copyright the subspace suite contributors
#include "exit_code.h"

#include <new>
#include <string>

#include <subspace/core/error.h>

#include "log.h"

namespace subspace::app {

int report_current_exception() {
  try {
    throw;
  } catch (const InvalidArgument& error) {
    log_error(error.what());
    return kUsage;
  } catch (const DataError& error) {
    log_error(error.what());
    return kBadData;
  } catch (const NumericalError& error) {
    log_error(error.what());
    return kNotConverged;
  } catch (const ResourceError& error) {
    log_error(error.what());
    return kMemory;
  } catch (const std::bad_alloc&) {
    log_error("out of memory");
    return kMemory;
  } catch (const Cancelled& error) {
    log_error(error.what());
    return kInterrupted;
  } catch (const std::exception& error) {
    log_error(error.what());
    return kInternal;
  }
}

}  // namespace subspace::app
