import type { RunKind } from '@gatehouse/contract'

/** Keys of what is cached of runs: whatever changes a run makes all of it stale. */
export const runKeys = {
  all: ['runs'],
  list: (query: object) => ['runs', 'list', query],
  detail: (id: number) => ['runs', 'detail', id],
  byKey: (kind: RunKind, key: string) => ['runs', 'by-key', kind, key],
  unknown: ['runs', 'unknown'],
} as const
