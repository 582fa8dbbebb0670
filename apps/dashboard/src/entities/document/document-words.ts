import type { DocumentKind, DocumentState } from '@gatehouse/contract'

export const documentStateWords: Record<DocumentState, string> = {
  open: 'Not sent',
  sending: 'Sending…',
  accepted: 'Accepted',
  not_accepted: 'Not accepted',
  unknown: 'Outcome unknown',
  pending: 'Taken, not decided',
}

export const documentStateColors: Record<DocumentState, string> = {
  open: 'gray',
  sending: 'blue',
  accepted: 'green',
  not_accepted: 'red',
  unknown: 'yellow',
  pending: 'cyan',
}

export const documentKindWords: Record<DocumentKind, string> = {
  tax: 'Tax document',
  credit: 'Credit note',
}

/** What may be done now, in one sentence. */
export const documentSentences: Record<DocumentState, string> = {
  open: 'It has not arrived anywhere. It can be sent.',
  sending: 'A run is sending it. No other run may until that one has ended.',
  accepted: 'The authority has it. It is not sent again.',
  not_accepted: 'The authority refused it. Corrected, it can be sent in a new run.',
  unknown:
    'It was sent, but it is not known whether it was received. Say in its run what became of it; until then no other run may send it.',
  pending:
    'The authority has taken it and decides later. It is asked automatically; until then no other run may send it.',
}
