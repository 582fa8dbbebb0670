import type { RunKind } from '@gatehouse/contract'

/** Query keys of runs. A change of one run invalidates them all. */
export const runKeys = {
  all: ['runs'],
  list: (query: object) => ['runs', 'list', query],
  detail: (id: number) => ['runs', 'detail', id],
  byKey: (kind: RunKind, key: string) => ['runs', 'by-key', kind, key],
  unknown: ['runs', 'unknown'],
} as const
