import { superAdminRole, type SignOnInput, type SignOnRecord } from '@gatehouse/contract'
import { readRow, writeRow } from '../../db/tables/column.ts'
import { signOnForm } from '../../db/tables/people/sign-on.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { ProviderAccount } from './provider-client.ts'
import type { Provider, ProviderRow } from './sign-on-store.ts'

interface ProviderSettingsOptions {
  inTransaction: InTransaction
  clock: Clock
  secrets: SecretBox
}

/** The provider that administrators sign in with, as a Super Admin sets it up. */
export class ProviderSettings {
  readonly #options: ProviderSettingsOptions

  constructor(options: ProviderSettingsOptions) {
    this.#options = options
  }

  /** With the roles that a provider may give. */
  show() {
    return this.#options.inTransaction(async ({ signOn, roles }) => ({
      provider: await signOn.find(),
      roles: (await roles.listWithPermissions()).filter(({ name }) => name !== superAdminRole),
    }))
  }

  /** The one that is switched on. Throws a 404. */
  async active(): Promise<Provider> {
    const provider = await this.#options.inTransaction(({ signOn }) => signOn.find())
    if (!provider?.is_active) throw new AppError('sign_on.off')
    return provider
  }

  accountOf({ id, issuer, client_id, client_secret_encrypted, scopes }: Provider): ProviderAccount {
    const sealed = client_secret_encrypted
    const clientSecret = sealed === null ? '' : this.#options.secrets.open(sealed, placeOf(id))
    return { issuer, clientId: client_id, clientSecret, scopes }
  }

  /** Who decides about the provider decides about every user: so a Super Admin, by a session of their own. */
  save(input: SignOnInput, actor: Actor): Promise<Provider> {
    return this.#options.inTransaction(async (stores) => {
      if (!actor.caller.isSuperAdmin)
        throw new AppError('permission.denied', {
          message: 'Only a Super Admin may change how administrators sign in.',
        })
      const before = await stores.signOn.find()
      await refuseRoles(stores, input)
      refuseMovedSecret(input, before)
      const id = await this.#write(stores, input, before, actor)
      if (input.client_secret !== '') await this.#seal(stores, id, input.client_secret)
      await stores.signOn.setRoles(input.roles)
      const after = (await stores.signOn.find())!
      await stores.audit.record(actor, {
        action: 'sign_on.update',
        thing: 'sign-on',
        name: after.name,
        ...(before ? { before: audited(before) } : {}),
        after: audited(after),
      })
      return after
    }, actor.caller)
  }

  async #write(
    { signOn }: Stores,
    input: SignOnInput,
    before: Provider | undefined,
    { caller }: Actor,
  ): Promise<number> {
    const row = {
      ...writeRow(signOnForm, input),
      user_name: caller.user.name,
      updated_at: this.#options.clock.now().toISOString(),
    }
    if (!before) return (await signOn.insert({ ...row, client_secret_encrypted: null })).id
    await signOn.update(before.id, input.version ?? before.version, row)
    return before.id
  }

  async #seal({ signOn }: Stores, id: number, secret: string): Promise<void> {
    const { version } = (await signOn.find())!
    const client_secret_encrypted = this.#options.secrets.seal(secret, placeOf(id))
    await signOn.update(id, version, { client_secret_encrypted })
  }
}

const placeOf = (row: number) => ({
  table: 'sign_on_provider',
  row,
  field: 'client_secret_encrypted',
})

export function toSignOnRecord(row: ProviderRow & Pick<Provider, 'roles'>): SignOnRecord {
  const { id: _, client_secret_encrypted, ...shown } = row
  return {
    ...shown,
    ...readRow(signOnForm, row),
    has_client_secret: client_secret_encrypted !== null,
  }
}

function audited(provider: Provider): Record<string, unknown> {
  const { user_name: _, updated_at: _at, version: _version, ...record } = toSignOnRecord(provider)
  return { ...record, roles: record.roles.map(({ value, role }) => `${value}: ${role}`) }
}

/** The secret of one provider is never sent to another. */
function refuseMovedSecret(input: SignOnInput, before: Provider | undefined): void {
  if (!before || before.client_secret_encrypted === null || input.client_secret !== '') return
  if (before.issuer !== input.issuer)
    throw fieldError({ client_secret: ['The issuer has changed: enter the secret again.'] })
}

async function refuseRoles({ roles }: Stores, input: SignOnInput): Promise<void> {
  const wanted = new Set(input.roles.map(({ role_id }) => role_id))
  const found = await roles.findAll([...wanted])
  if (found.length < wanted.size) throw fieldError({ roles: ['A role does not exist.'] })
  if (found.some(({ name }) => name === superAdminRole))
    throw fieldError({ roles: ['Super Admin can’t be given by a provider.'] })
  const pairs = input.roles.map(({ value, role_id }) => `${role_id} ${value}`)
  if (new Set(pairs).size < pairs.length)
    throw fieldError({ roles: ['The same value gives the same role twice.'] })
}
