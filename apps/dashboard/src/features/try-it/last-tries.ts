import { readObject, textOr, toObject } from '../../lib/browser/kept-json.ts'
import { readKept, writeKept } from '../../lib/browser/kept-storage.ts'
import { readTriedValues, withoutSecrets, type TriedValues } from './tried-values.ts'

export interface LastTry {
  endpointId: number
  /** ISO 8601. */
  at: string
  status: number
  values: TriedValues
}

/** Of each endpoint; of all endpoints five times as many, the latest. */
const shownMax = 10
const keptMax = 50
/** A longer body is left out. */
const bodyMaxLength = 16_384

const nameFor = (userId: number) => `tries-${userId}`

/** The last ten tries of an endpoint, the latest first. They stay in this browser until the user signs out. */
export const lastTriesOf = (userId: number, endpointId: number): LastTry[] =>
  readTries(userId)
    .filter((each) => each.endpointId === endpointId)
    .slice(0, shownMax)

/** Keeps a try, without what is a secret by its name. Where the browser has no room it is not kept. */
export function keepTry(userId: number, tried: LastTry): void {
  const values = withoutSecrets(tried.values)
  const body = values.body.length > bodyMaxLength ? '' : values.body
  const tries = [{ ...tried, values: { ...values, body } }, ...readTries(userId)]
  const ofEndpoint = tries.filter((each) => each.endpointId === tried.endpointId)
  const tooOld = new Set(ofEndpoint.slice(shownMax))
  const kept = tries.filter((each) => !tooOld.has(each)).slice(0, keptMax)
  try {
    writeKept(nameFor(userId), JSON.stringify({ tries: kept }), 'browser')
  } catch {
    // Full, or forbidden: a try is shown all the same.
  }
}

function readTries(userId: number): LastTry[] {
  const { tries } = readObject(readKept(nameFor(userId), 'browser'))
  if (!Array.isArray(tries)) return []
  return tries.flatMap((each: unknown) => {
    const { endpointId, at, status, values } = toObject(each)
    if (typeof endpointId !== 'number' || typeof status !== 'number') return []
    return { endpointId, at: textOr(at, ''), status, values: readTriedValues(values) }
  })
}
