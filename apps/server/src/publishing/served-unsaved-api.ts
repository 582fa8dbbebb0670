import { isDeepStrictEqual } from 'node:util'
import { isTokenCredential, type SnapshotApi, type StoredCredential } from '@gatehouse/contract'
import { secretsOf, signedIn, signedInWith } from '@gatehouse/upstream'
import { toSubmittedApi } from '../features/apis/api-columns.ts'
import { signInOf } from '../features/apis/sign-in-of.ts'
import { newApiId, type UnsavedApi } from '../features/apis/unsaved-api.ts'
import { SignInFailure } from '../kernel/sign-in-failure.ts'
import type { SignInService } from '../features/sign-in/sign-in-service.ts'
import { AppError, fieldError } from '../kernel/app-error.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { toSnapshotApi } from './snapshot-api.ts'

interface ServedUnsavedApi {
  api: SnapshotApi
  /** As the audit trail keeps it, without secrets. */
  shown: object
  /**
   * What its calls carry, as a credential that is sent as it is. Where they need a token, that is obtained now: the one
   * in use while the sign-in is the stored one, else one of its own, which nothing keeps. Throws what was
   * wrong with the sign-in, under the field it is for.
   */
  signIn: () => Promise<SignedIn>
}

interface SignedIn {
  credential: StoredCredential | null
  /** What its calls carry: an upstream may send it back. */
  secrets: string[]
}

interface SigningTools {
  box: SecretBox
  signIn: Pick<SignInService, 'token' | 'tryOnce'>
}

/** An API as the gateway would serve it after a save. Throws `api.unreadable`. */
export function servedUnsavedApi(unsaved: UnsavedApi, tools: SigningTools): ServedUnsavedApi {
  const { row } = unsaved
  const api = toSnapshotApi(row, tools.box)
  if (api.fault !== null) throw new AppError('api.unreadable')
  const id = row.id === newApiId ? 0 : row.id
  return {
    api: { ...api, id },
    shown: toSubmittedApi(row),
    signIn: () => signedInOf(unsaved, tools),
  }
}

async function signedInOf(unsaved: UnsavedApi, tools: SigningTools): Promise<SignedIn> {
  const { credential } = signInOf(tools.box, unsaved.row, 'live')
  if (credential === null) return { credential, secrets: [] }
  if (!isTokenCredential(credential))
    return { credential, secrets: [...signedIn(credential).secrets] }
  const { headers, secrets } = signedInWith(credential, await tokenOf(unsaved, tools))
  const fields = headers.map(([name, value]) => ({ name, value }))
  return {
    credential: { kind: 'headers', headers: fields, refused_when: null },
    secrets: [...secrets, ...secretsOf(credential)],
  }
}

async function tokenOf({ row, stored }: UnsavedApi, { box, signIn }: SigningTools) {
  const { credential, ...target } = signInOf(box, row, 'live')
  if (credential === null || !isTokenCredential(credential)) throw new Error('It needs no token.')
  const { name: _, ...others } = target
  const isSame =
    stored !== undefined &&
    isDeepStrictEqual({ credential, ...others }, withoutName(signInOf(box, stored, 'live')))
  if (isSame) return (await signIn.token({ apiId: stored.id, which: 'live' })).token
  return signIn.tryOnce({ ...target, credential }).catch(underItsField)
}

const withoutName = ({ name: _, ...others }: ReturnType<typeof signInOf>) => others

function underItsField(error: unknown): never {
  if (!(error instanceof SignInFailure) || !error.problem) throw error
  const { field, message } = error.problem
  throw fieldError({ [`credential.${field}`]: [message] })
}
