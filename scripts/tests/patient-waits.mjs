// A set-up file of every suite. `vi.waitFor` and `vi.waitUntil` give up after a second unless told otherwise, and a
// busy machine needs seconds for what takes milliseconds elsewhere. They get as long as `expect.poll` has.

import { vi } from 'vitest'
import { waitMaxMs } from './wait-max.mjs'

/** Files that share a process share `vi` too. */
const patient = Symbol.for('gatehouse.patient')

for (const name of /** @type {const} */ (['waitFor', 'waitUntil'])) {
  const wait = /** @type {Function} */ (vi[name])
  if (patient in wait) continue
  /** @param {unknown} look @param {number | object} [options] */
  const waitLong = (look, options) =>
    wait(look, typeof options === 'number' ? options : { timeout: waitMaxMs, ...options })
  Object.assign(vi, { [name]: Object.assign(waitLong, { [patient]: true }) })
}
