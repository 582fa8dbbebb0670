import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isTokenCredential, type ApiDefinition, type ApiDraft } from '@gatehouse/contract'
import { signedIn } from '@gatehouse/upstream'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import type { Actor } from '../../../kernel/caller.ts'
import { nameTools } from '../../../publishing/tools/name-tools.ts'
import type { Stores } from '../../../stores.ts'
import { toColumns, toSubmittedApi } from '../api-columns.ts'
import { readable } from '../../../kernel/readable.ts'
import { openCredential } from '../api-credentials.ts'
import { saveSecrets } from '../api-secrets.ts'
import type { ApiServiceOptions } from '../api-service.ts'
import type { ApiRow } from '../api-store.ts'
import { refuseBadAuthorities } from '../client-authorities.ts'
import { refuseBlockedAddresses } from '../refuse-blocked-addresses.ts'
import type { ApiDraftRow } from './api-draft-store.ts'
import {
  columnsOfDraft,
  draftColumns,
  draftedApi,
  isSameSignIn,
  tokensOfDraft,
} from './drafted-api.ts'

type DraftOptions = Omit<ApiServiceOptions, 'apis'>

interface Saving {
  definition: ApiDefinition
  tokenIds: readonly number[]
  /** Of the draft that the form was loaded with; 0: there was none. */
  version: number
}

/** A draft begins at any version, so that nobody who has seen an earlier draft takes the next one for it. */
const firstVersionMax = 2 ** 30

const outdated =
  'The API was changed after the draft was saved. Look at what differs, and save the draft again.'

/** Drafts of APIs: settings that the gateway serves to chosen personal tokens, before they are in force for all. */
export class ApiDraftService {
  readonly #options: DraftOptions

  constructor(options: DraftOptions) {
    this.#options = options
  }

  /** Null where the API has none; throws a 404 where there is no such API. */
  find(id: number): Promise<ApiDraft | null> {
    return this.#options.inTransaction(async ({ apis, apiDrafts }) => {
      const api = await apis.find(id)
      if (!api) throw new AppError('api.not_found')
      const draft = await apiDrafts.find(id)
      return draft ? toDraft(api, draft) : null
    })
  }

  /** What calls of the draft carry and those of the API may not: for masking. Empty where nothing can be read. */
  async secretsOf(id: number): Promise<string[]> {
    const { inTransaction, secrets } = this.#options
    return inTransaction(async ({ apis, apiDrafts }) => {
      const [api, draft] = [await apis.find(id), await apiDrafts.find(id)]
      const own =
        api && draft && readable(() => openCredential(secrets, draftedApi(api, draft), 'live'))
      return own && !isTokenCredential(own) ? [...signedIn(own).secrets] : []
    })
  }

  /**
   * Stores the draft, or replaces the one that the form was loaded with. It is checked as a save of the API is: a
   * stored secret that is left blank goes along only to the address that it was entered for.
   */
  async save(id: number, { definition, tokenIds, version }: Saving, actor: Actor) {
    const { inTransaction, secrets, guard, clock } = this.#options
    refuseBlockedAddresses(guard, definition)
    refuseBadAuthorities(definition, clock.now())
    return inTransaction(async (stores) => {
      const { api, draft } = await apiAndDraft(stores, id)
      refuseOtherApi(api, definition)
      if ((draft?.version ?? 0) !== version) throw new AppError('record.changed')
      const now = clock.now()
      await refuseUnknownTokens(stores, tokenIds, now)
      const before = draft ? draftedApi(api, draft) : api
      const { columns: signIn } = await saveSecrets(secrets, id, definition, {
        stored: before,
        now,
      })
      const columns = toColumns(definition, before)
      const drafted = this.#withTokensOf(api, { ...before, ...columns, ...signIn })
      const row: ApiDraftRow = {
        api_id: id,
        ...draftColumns(columns, drafted),
        token_ids: JSON.stringify([...new Set(tokenIds)]),
        base_version: api.version,
        version: draft ? version + 1 : randomInt(1, firstVersionMax),
        saved_at: now.toISOString(),
        saved_by: actor.caller.user.name,
      }
      await store(stores, row, version)
      await audit(stores, actor, 'draft.save', api, {
        before: toSubmittedApi(before),
        after: { ...toSubmittedApi(drafted), draft_tokens: tokensOfDraft(row) },
      })
      await stores.revisions.bump()
      return toDraft(api, row)
    }, actor.caller)
  }

  /** Puts the draft in force. Throws a 409 where it, or the API, is another one than the caller has seen. */
  async publish(id: number, version: number, actor: Actor): Promise<ApiRow> {
    const { inTransaction, clock } = this.#options
    const published = await inTransaction(async (stores) => {
      const { api, draft } = await apiAndDraft(stores, id)
      if (!draft) throw new AppError('api.no_draft')
      if (draft.version !== version) throw new AppError('record.changed')
      if (api.version !== draft.base_version)
        throw new AppError('record.changed', { message: outdated })
      const updated = await stores.apis.update(id, draft.base_version, {
        ...columnsOfDraft(draft),
        updated_at: clock.now().toISOString(),
      })
      await nameTools(stores, id)
      await stores.apiDrafts.remove(id)
      await audit(stores, actor, 'draft.publish', api, {})
      await audit(stores, actor, 'api.update', updated, {
        before: toSubmittedApi(api),
        after: toSubmittedApi(updated),
      })
      await stores.revisions.bump()
      return updated
    }, actor.caller)
    this.#options.afterSave?.(published)
    return published
  }

  async discard(id: number, actor: Actor): Promise<void> {
    await this.#options.inTransaction(async (stores) => {
      const { api, draft } = await apiAndDraft(stores, id)
      if (!draft) throw new AppError('api.no_draft')
      await stores.apiDrafts.remove(id)
      await audit(stores, actor, 'draft.discard', api, {
        before: toSubmittedApi(draftedApi(api, draft)),
      })
      await stores.revisions.bump()
    }, actor.caller)
  }

  /**
   * Tokens of authorities are obtained for the API in force, one at a time: such a sign-in is that of the API, as it
   * is sealed there. Throws a 422 for another one.
   */
  #withTokensOf(api: ApiRow, drafted: ApiRow): ApiRow {
    const { secrets } = this.#options
    const { credential, upstream_token_encrypted } = api
    const ofApi = { ...drafted, credential, upstream_token_encrypted }
    if (isDeepStrictEqual(ofApi, drafted)) return drafted
    const own = openCredential(secrets, drafted, 'live')
    if (own === undefined || !isTokenCredential(own)) return drafted
    if (isSameSignIn(secrets, api, drafted)) return ofApi
    const message =
      'A draft can’t have another sign-in whose token is obtained. Keep that of the API, or choose one that is sent as it is.'
    throw fieldError({ credential: [message] })
  }
}

async function apiAndDraft({ apis, apiDrafts }: Stores, id: number) {
  const api = await apis.find(id)
  if (!api) throw new AppError('api.not_found')
  return { api, draft: await apiDrafts.find(id) }
}

function refuseOtherApi(
  api: ApiRow,
  { api_protocol, name, document_register = api.document_register }: ApiDefinition,
): void {
  if (api_protocol !== 'http' || api.api_protocol !== 'http')
    throw fieldError({ api_protocol: ['Only an API over HTTP can have a draft.'] })
  if (name !== api.name) throw fieldError({ name: ['A draft keeps the name of its API.'] })
  if (document_register !== api.document_register)
    throw fieldError({
      document_register: ['A draft keeps the document register of its API. Change it with Save.'],
    })
}

async function refuseUnknownTokens({ tokens }: Stores, ids: readonly number[], now: Date) {
  const valid = await tokens.listValid(now.toISOString(), { ids, userIds: [] })
  const known = new Set(valid.map(({ id }) => id))
  if (ids.every((id) => known.has(id))) return
  throw fieldError({ draft_tokens: ['A token was revoked or has expired. Choose another one.'] })
}

async function store({ apiDrafts }: Stores, row: ApiDraftRow, version: number): Promise<void> {
  const isStored =
    version === 0 ? await apiDrafts.insert(row) : await apiDrafts.replace(row, version)
  if (!isStored) throw new AppError('record.changed')
}

function audit(
  stores: Stores,
  actor: Actor,
  action: 'draft.save' | 'draft.publish' | 'draft.discard' | 'api.update',
  { id, name }: ApiRow,
  what: { before?: object; after?: object },
) {
  return stores.audit.record(actor, { action, thing: 'api', id, name, ...what })
}

const toDraft = (api: ApiRow, draft: ApiDraftRow): ApiDraft => ({
  submitted_data: JSON.stringify(toSubmittedApi(draftedApi(api, draft))),
  draft_tokens: tokensOfDraft(draft),
  draft_version: draft.version,
  is_outdated: draft.base_version !== api.version,
  saved_at: draft.saved_at,
  saved_by: draft.saved_by,
})
