import type { FirstSteps } from '@gatehouse/contract'

/** Those of a product that is in use; a test names only what it is about. */
export const buildFirstSteps = (changes: Partial<FirstSteps> = {}): FirstSteps => ({
  is_new: false,
  api: null,
  endpoint: null,
  callers: [],
  client_role: { id: 5, name: 'API Consumer' },
  has_token: false,
  has_call: false,
  sample: { is_running: false, refusal: null },
  ...changes,
})
