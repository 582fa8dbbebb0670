import type { HookFilter, HookRecord, HookScheme } from '@gatehouse/contract'
import type { HookRow } from './hook-store.ts'

export const schemeOf = ({ scheme }: Pick<HookRow, 'scheme'>) => JSON.parse(scheme) as HookScheme

export const filterOf = ({ filter }: Pick<HookRow, 'filter'>) =>
  filter === null ? null : (JSON.parse(filter) as HookFilter)

/** For answers: without secrets. */
export const toHookRecord = (row: HookRow): HookRecord => ({
  id: row.id,
  name: row.name,
  workflow_id: row.workflow_id,
  preset: row.preset,
  scheme: schemeOf(row),
  window_seconds: row.window_seconds,
  filter: filterOf(row),
  is_paused: row.is_paused === 1,
  user_name: row.user_name,
  secret_set_at: row.secret_set_at,
  old_secret_until: row.old_secret_until,
  last_received_at: row.last_received_at,
  last_refused_at: row.last_refused_at,
  last_refusal: row.last_refusal,
})
