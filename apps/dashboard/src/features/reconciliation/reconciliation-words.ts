import type { DifferenceKind, ReconciliationState } from '@gatehouse/contract'

export const differenceWords: Record<DifferenceKind, string> = {
  missing_here: 'Missing here',
  missing_in_erp: 'Missing in the ERP',
  missing_at_authority: 'Missing at the authority',
  only_at_authority: 'Only at the authority',
  state: 'Not accepted',
  amount: 'Amounts differ',
}

export const resultStateWords: Record<ReconciliationState, string> = {
  queued: 'Queued',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  refused: 'Refused',
}

export const resultStateColors: Record<ReconciliationState, string> = {
  queued: 'gray',
  running: 'blue',
  done: 'green',
  failed: 'red',
  refused: 'red',
}

export const reconciliationMessages = {
  created: { text: 'Comparison created successfully!' },
  updated: { text: 'Comparison saved.' },
  notSaved: { text: 'Failed to save the comparison.' },
  notLoaded: 'The comparison could not be loaded.',
} as const

export const periodWords = ({ from_day, to_day }: { from_day: string; to_day: string }) =>
  from_day === to_day ? from_day : `${from_day} to ${to_day}`
