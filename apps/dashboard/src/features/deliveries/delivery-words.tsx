import type { DeliveryKind, DeliveryRow, DeliveryState } from '@gatehouse/contract'
import { StatusWord } from '../../ui/text/status-word.tsx'
import { serverWords } from '../../lib/calls/server-words.tsx'

export const deliveryStateWords: Record<DeliveryState, string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  dead: 'Given up',
  cancelled: 'Cancelled',
}

const colors: Record<DeliveryState, string> = {
  waiting: 'blue',
  delivered: 'green',
  dead: 'red',
  cancelled: 'gray',
}

export const deliveryKindWords: Record<DeliveryKind, string> = {
  callback: 'Callback',
  alarm: 'Alarm',
  test: 'Test',
}

export function DeliveryBadge({ state }: { state: DeliveryState }) {
  return <StatusWord color={colors[state]}>{deliveryStateWords[state]}</StatusWord>
}

/** What a delivery waits for, or how its last try ended; blank where there is nothing to say. */
export function noteOf({ state, waits_for, last_error, tries }: DeliveryRow): string {
  if (state === 'waiting' && waits_for !== null) return `Waits for delivery ${waits_for}.`
  if (last_error !== null) return serverWords(last_error)
  return state === 'waiting' && tries === 0 ? 'Not tried yet.' : ''
}
