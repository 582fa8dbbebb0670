import { idMax, type HttpApiDefinition } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Stores } from '../../stores.ts'
import { toColumns } from './api-columns.ts'
import { noSecrets, saveSecrets } from './api-secrets.ts'
import type { ApiServiceOptions } from './api-service.ts'
import type { ApiRow } from './api-store.ts'
import { freeContext } from './free-context.ts'
import { refuseTakenName } from './name-taken.ts'
import { refuseBadAuthorities } from './client-authorities.ts'
import { refuseBlockedAddresses } from './refuse-blocked-addresses.ts'

/** Secrets are sealed for a row. No row has this id. */
export const newApiId = idMax

/** What a save would store, and what is stored now; undefined: it is new. */
export interface UnsavedApi {
  /** Its secrets are sealed. With `newApiId` where it is new. */
  row: ApiRow
  stored: ApiRow | undefined
}

/**
 * An API as a save of this would store it, checked as a save checks it: a stored secret that is left blank goes
 * along only to the address that it was entered for. Nothing is stored. `id` null: it is new.
 */
export async function readUnsavedApi(
  { inTransaction, secrets, guard, clock }: Omit<ApiServiceOptions, 'apis' | 'afterSave'>,
  { id, definition, actor }: { id: number | null; definition: HttpApiDefinition; actor: Actor },
): Promise<UnsavedApi> {
  refuseBlockedAddresses(guard, definition)
  const now = clock.now()
  refuseBadAuthorities(definition, now)
  return inTransaction(async ({ apis }) => {
    const stored = await storedOf(apis, id, definition)
    const { columns } = await saveSecrets(secrets, id ?? newApiId, definition, { stored, now })
    const own = stored ?? {
      ...noSecrets,
      id: newApiId,
      context: await freeContext(apis, definition.name),
      cache_purges: null,
      version: 0,
      created_at: '',
      updated_at: '',
    }
    return { row: { ...own, ...toColumns(definition, stored), ...columns }, stored }
  }, actor.caller)
}

async function storedOf(apis: Stores['apis'], id: number | null, definition: HttpApiDefinition) {
  const stored = id === null ? undefined : await apis.find(id)
  if (id !== null && !stored) throw new AppError('api.not_found')
  if (stored && (definition.version ?? stored.version) !== stored.version)
    throw new AppError('record.changed')
  if (definition.name !== stored?.name) await refuseTakenName(apis, definition.name, id)
  return stored
}
