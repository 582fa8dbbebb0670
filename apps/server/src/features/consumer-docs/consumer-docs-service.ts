import type { OpenApiFormat } from '@gatehouse/contract'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { can, refuseBeyondReach, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { fewAtOnce } from '../../kernel/few-at-once.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { digestOf, makeLink } from './docs-link.ts'
import { openApiFile } from './open-api-file.ts'
import { readServed, type Described, type DocsScope, type DocumentedApis } from './served-docs.ts'

export interface ConsumerDocsOptions {
  inTransaction: InTransaction
  clock: Clock
  gatewayUrl: string
  described: Described
}

interface Asked {
  role_id?: number | undefined
  api_id?: number | undefined
}

/** What the gateway serves, to those who may see it. */
export class ConsumerDocsService {
  readonly #options: ConsumerDocsOptions
  /** Anybody may ask with a link: their questions wait for each other. */
  readonly #oneByOne = fewAtOnce({ atOnce: 1, queueMax: 16 })

  constructor(options: ConsumerDocsOptions) {
    this.#options = options
  }

  show(asked: Asked, caller: Caller): Promise<DocumentedApis> {
    return this.#options.inTransaction(async (stores) =>
      this.#read(stores, await scopeOf(stores, asked, caller)),
    )
  }

  async openApi({ format, ...asked }: Asked & { format: OpenApiFormat }, caller: Caller) {
    return openApiFile(await this.show(asked, caller), format, asked.api_id !== undefined)
  }

  roles(caller: Caller) {
    const seesAccess = can(caller, 'api-permission.view')
    return this.#options.inTransaction(async ({ consumerDocs }) => {
      const rows = await consumerDocs.listRoles()
      return {
        sees_all: can(caller, 'endpoint.view'),
        roles: rows
          .filter(({ id }) => seesAccess || holds(caller, id))
          .map(({ created_at: at, user_name: by, ...role }) => ({
            ...role,
            shared: seesAccess && at !== null && by !== null ? { at, by } : null,
          })),
      }
    })
  }

  /** Throws a 403 where the role holds more than the caller. */
  share(roleId: number, actor: Actor): Promise<string> {
    const link = makeLink()
    return this.#options.inTransaction(async (stores) => {
      const { id, name } = await sharable(stores, roleId, actor.caller)
      await stores.consumerDocs.share({
        role_id: id,
        digest: digestOf(link),
        created_at: this.#options.clock.now().toISOString(),
        user_name: actor.caller.user.name,
      })
      await stores.audit.record(actor, { action: 'role.docs-share', thing: 'role', id, name })
      return link
    }, actor.caller)
  }

  async unshare(roleId: number, actor: Actor): Promise<void> {
    await this.#options.inTransaction(async (stores) => {
      const { id, name } = await sharable(stores, roleId, actor.caller)
      if (!(await stores.consumerDocs.unshare(id))) return
      await stores.audit.record(actor, { action: 'role.docs-unshare', thing: 'role', id, name })
    }, actor.caller)
  }

  /** Throws a 404 for a link that was never given or has ended. */
  shared(link: string): Promise<DocumentedApis> {
    return this.#oneByOne(() =>
      this.#options.inTransaction(async (stores) => {
        const role = await stores.consumerDocs.findShared(digestOf(link))
        if (!role) throw new AppError('docs.link_unknown')
        return this.#read(stores, { role, apiId: undefined })
      }),
    )
  }

  async sharedOpenApi(link: string, format: OpenApiFormat) {
    return openApiFile(await this.shared(link), format, false)
  }

  #read(stores: Stores, scope: DocsScope): Promise<DocumentedApis> {
    return readServed(stores, scope, this.#options.described, this.#options.gatewayUrl)
  }
}

async function sharable(stores: Stores, roleId: number, caller: Caller) {
  const role = await stores.roles.find(roleId)
  if (!role) throw new AppError('role.not_found')
  refuseBeyondReach(await stores.access.reachOf(caller), [role])
  return role
}

const holds = ({ user }: Caller, roleId: number) => user.roles.some(({ id }) => id === roleId)

async function scopeOf(stores: Stores, asked: Asked, caller: Caller): Promise<DocsScope> {
  const { role_id: roleId, api_id: apiId } = asked
  if (roleId === undefined) {
    if (!can(caller, 'endpoint.view')) throw fieldError({ role_id: ['Choose one of your roles.'] })
    return { role: undefined, apiId }
  }
  const isSeen = holds(caller, roleId) || can(caller, 'api-permission.view')
  const role = isSeen ? await stores.roles.find(roleId) : undefined
  if (!role) throw new AppError('role.not_found')
  return { role, apiId }
}
