import { authorityWindows, type AuthorityWindow, type RunProfileName } from '@gatehouse/contract'
import type { Db } from '../../../db/connect.ts'

/** Endpoints that share a time; null: all that no other group names. */
export interface WindowGroup {
  minutes: number
  endpointIds: number[] | null
}

/** The endpoints by how soon the windows of their authorities ask for an alarm. */
export async function endpointWindows(
  db: Db,
  which: keyof Pick<AuthorityWindow, 'unknownMinutes' | 'pendingMinutes'>,
  byDefault: number,
): Promise<WindowGroup[]> {
  const rows = await db
    .selectFrom('endpoint')
    .select(['id', 'run_settings'])
    .where('run_settings', 'is not', null)
    .execute()
  const groups = new Map<number, number[]>()
  for (const { id, run_settings } of rows) {
    const { profile } = JSON.parse(run_settings ?? '{}') as { profile?: RunProfileName }
    const minutes = profile && authorityWindows[profile]?.[which]
    if (minutes === undefined || minutes === '' || minutes === byDefault) continue
    groups.set(minutes, [...(groups.get(minutes) ?? []), id])
  }
  return [
    ...[...groups].map(([minutes, endpointIds]) => ({ minutes, endpointIds })),
    { minutes: byDefault, endpointIds: null },
  ]
}

/** The endpoints that a group does not hold, where it holds all others. */
export const namedEndpoints = (groups: readonly WindowGroup[]) =>
  groups.flatMap(({ endpointIds }) => endpointIds ?? [])
