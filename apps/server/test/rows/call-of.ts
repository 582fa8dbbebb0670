import type { Caller } from '../../src/kernel/caller.ts'
import type { CallContext } from '../../src/kernel/mount.ts'

/** A call of this user, with the parts that runs use. */
export const callOf = (caller: Caller): CallContext => ({
  caller,
  requestId: 'request',
  address: '192.0.2.1',
  signal: new AbortController().signal,
  isSecure: false,
  bodyText: '',
  header: () => undefined,
  setHeader: () => {},
  afterAnswer: () => {},
  setStatus: () => {},
})
