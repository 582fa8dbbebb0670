import type { FieldErrors, ScheduleInput } from '@gatehouse/contract'
import type { Stores } from '../../stores.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { ListQuestion } from '../../kernel/lists.ts'

// What schedules need of other features: the composition root hands it over.

/** Starts runs of workflows. */
export interface Starter {
  problemsOf(
    request: { slug: string; inputText: string },
    actor: Actor,
  ): Promise<FieldErrors | undefined>
  start(
    request: {
      slug: string
      inputText: string
      key: string
      isTest: boolean
      priority: 0 | 1
      beside: (stores: Stores, runId: number) => Promise<unknown>
    },
    actor: Actor,
  ): Promise<{ queued: { what: 'queued' | 'replay'; runId: number } }>
}

export type StoredList = NonNullable<ScheduleInput['list']>

/** The list as it is stored: the value of its watermark has a column, because each firing moves it. */
export const storedList = ({ list }: Pick<ScheduleInput, 'list'>): string | null =>
  list && JSON.stringify(list)

export function listOf(stored: string, watermark: string | null): StoredList {
  const list = JSON.parse(stored) as StoredList
  return list.watermark && watermark !== null
    ? { ...list, watermark: { ...list.watermark, value: watermark } }
    : list
}

/** What is asked of the endpoint, and what is read from each element. */
export const questionOf = ({ watermark, ...list }: StoredList): ListQuestion => ({
  endpointId: list.endpoint_id,
  request: list.request,
  values: watermark ? { watermark: watermark.value } : {},
  itemsPath: list.items_path,
  paths: { reference: list.reference_path, watermark: watermark?.path ?? '' },
})
