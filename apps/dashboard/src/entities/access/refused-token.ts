import type { TryItAnswer } from '@gatehouse/contract'

/** The id of the token whose user has no access; undefined where something else was the matter. */
export function refusedTokenOf({ trace }: TryItAnswer): number | undefined {
  const isRefused = trace?.stages.some(({ code }) => code === 'client.access_denied')
  const shown = trace?.stages.find(({ name }) => name === 'authenticate')?.details['token_id']
  return isRefused && typeof shown === 'number' ? shown : undefined
}
