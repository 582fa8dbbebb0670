/**
 * What is known of a document. `open`: taken by a run, but not arrived anywhere; `sending`: under
 * way; `unknown`: sent, and the outcome is not known; `pending`: the authority has taken it and
 * decides later.
 */
export const documentStates = [
  'open',
  'sending',
  'accepted',
  'not_accepted',
  'unknown',
  'pending',
] as const
export type DocumentState = (typeof documentStates)[number]
