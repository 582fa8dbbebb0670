import { isTokenCredential } from '@gatehouse/contract/credential'
import type { StoredCredential } from '@gatehouse/contract/credential'
import type { SnapshotApi } from '@gatehouse/contract/gateway'
import { signedIn, signedInWith } from '@gatehouse/upstream/http'
import type { SignedIn } from '@gatehouse/upstream/http'
import type { TokenSlot, TokenSlots } from '../sign-in/token-slots.ts'

type NamedValue = SnapshotApi['static_headers'][number]

/** How calls of an API sign in. */
export interface CompiledSignIn {
  /** The header fields of a static credential, name and value in turn; null: it has none. */
  readonly fields: readonly string[] | null
  /** Where the credential needs a token. */
  readonly slot: TokenSlot | null
  /** Null: there is none. */
  readonly credential: StoredCredential | null
  /** Of the header fields that it sends, in lower case. */
  readonly names: readonly string[]
}

/** Header fields that an endpoint's calls carry beside those of the client. */
export interface CompiledFields {
  /** Name and value in turn. */
  readonly fixed: readonly string[]
  /** The same with `{uuid}` in the values; null: there are none. */
  readonly fresh: readonly string[] | null
  /** What the client sent under these names (lower case) is not passed on. */
  readonly replaced: ReadonlySet<string>
}

export function compileSignIn(api: SnapshotApi, slots: TokenSlots): CompiledSignIn {
  const { credential } = api
  if (credential === null) return { fields: null, slot: null, credential: null, names: [] }
  if (isTokenCredential(credential)) {
    const { headers } = signedInWith(credential, '')
    const slot = slots.slotOf(api.id, credential, api.credential_seal)
    return { fields: null, slot, credential, names: namesOf(headers) }
  }
  const { headers } = signedIn(credential)
  return { fields: headers.flat(), slot: null, credential, names: namesOf(headers) }
}

/** Null where there is nothing to add and nothing to replace: most endpoints. */
export function compileFields(
  own: readonly NamedValue[],
  ofApi: readonly NamedValue[],
  { names: signing }: CompiledSignIn,
): CompiledFields | null {
  const owned = new Set(own.map(({ name }) => name.toLowerCase()))
  const sent = [...own, ...ofApi.filter(({ name }) => !owned.has(name.toLowerCase()))]
  const kept = sent.filter(({ name }) => !signing.includes(name.toLowerCase()))
  const replaced = new Set([...kept.map(({ name }) => name.toLowerCase()), ...signing])
  // The client's Authorization is not among the fields that are passed on.
  replaced.delete('authorization')
  if (replaced.size === 0) return null
  const isFresh = ({ value }: NamedValue) => value.includes('{uuid}')
  const fresh = kept.filter(isFresh)
  return {
    fixed: flat(kept.filter((each) => !isFresh(each))),
    fresh: fresh.length === 0 ? null : flat(fresh),
    replaced,
  }
}

const flat = (headers: readonly NamedValue[]) => headers.flatMap(({ name, value }) => [name, value])

const namesOf = (headers: SignedIn['headers']) => headers.map(([name]) => name.toLowerCase())
