import type { ReconciliationInput } from '@gatehouse/contract'
import type { ListQuestion } from '../../kernel/lists.ts'
import { firstMomentFrom, momentsOf } from '../../kernel/time/zone-time.ts'

/** What is compared, as it is stored. */
export type Definition = Pick<
  ReconciliationInput,
  'kind' | 'workflow_id' | 'register' | 'erp' | 'authority' | 'amount_path'
>

export const definitionOf = (stored: string): Definition => ({
  // Definitions of before name none.
  register: '',
  ...(JSON.parse(stored) as Omit<Definition, 'register'>),
})

export interface Period {
  /** Days of a calendar, both inclusive. */
  from_day: string
  to_day: string
}

const dayMs = 86_400_000

/** The first moment of the period in this zone, and the first one after it. */
export function spanOf({ from_day, to_day }: Period, zone: string) {
  const startOf = (wall: number) => momentsOf(zone, wall)[0] ?? firstMomentFrom(zone, wall)
  const from = startOf(Date.parse(from_day))
  const to = startOf(Date.parse(to_day) + dayMs)
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

export const questionOf = (list: Definition['erp'], period: Period, zone: string): ListQuestion => {
  const { from, to } = spanOf(period, zone)
  const { from_day, to_day } = period
  return {
    endpointId: list.endpoint_id,
    request: list.request,
    values: { from: from_day, to: to_day, from_at: from, to_at: to },
    itemsPath: list.items_path,
    paths: { reference: list.reference_path, amount: list.amount_path },
  }
}
