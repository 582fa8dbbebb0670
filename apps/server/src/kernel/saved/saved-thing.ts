import type { AuditSubject, AuditThing, AuditVerb, ErrorCode } from '@gatehouse/contract'
import { isUniqueViolation } from '../../db/dialect.ts'
import { AppError, fieldError } from '../app-error.ts'
import type { Actor } from '../caller.ts'

type Subject = AuditSubject & AuditThing

interface Event<S extends Subject> {
  action: `${S}.${AuditVerb<S>}`
  thing: S
  id: number
  name: string
  before?: object | undefined
  after?: object | undefined
}

/** The stores of a transaction; each part takes what it needs. */
interface Trail<S extends Subject> {
  audit: { record(actor: Actor, event: Event<S>): Promise<void> }
}

interface SavedThing<S extends Subject, Stores, Stored> {
  /** What its events are about. */
  thing: S
  /** The refusal where it is gone. */
  missing: ErrorCode
  find: (stores: Stores, id: number) => Promise<Stored | undefined>
  /** A version of it as an event shows it: without secrets, and without what no person has changed. */
  audited: (stored: Stored) => object
}

interface Versions<Stored> {
  before?: Stored | undefined
  after?: Stored | undefined
}

/**
 * What things that administrators save have alike: one is found or refused, and a change leaves an event with
 * what it was and what it is, in the transaction of the change.
 */
export function savedThing<
  S extends Subject,
  Stores extends Trail<S>,
  Stored extends { id: number; name: string },
>({ thing, missing, find, audited }: SavedThing<S, Stores, Stored>) {
  const existing = async (stores: Stores, id: number): Promise<Stored> => {
    const found = await find(stores, id)
    if (!found) throw new AppError(missing)
    return found
  }
  const record = async (
    { audit }: Stores,
    actor: Actor,
    verb: AuditVerb<S>,
    { before, after }: Versions<Stored>,
  ): Promise<void> => {
    const { id, name } = (after ?? before)!
    await audit.record(actor, {
      action: `${thing}.${verb}`,
      thing,
      id,
      name,
      before: before && audited(before),
      after: after && audited(after),
    })
  }
  return {
    existing,
    record,
    /** After the statements of a change: records it, and returns what is saved now. */
    saved: async (
      stores: Stores,
      actor: Actor,
      verb: AuditVerb<S>,
      { id, before }: { id: number; before?: Stored },
    ): Promise<Stored> => {
      const after = await existing(stores, id)
      await record(stores, actor, verb, { before, after })
      return after
    },
  }
}

/** Runs work that saves a name which no two rows have. Throws a 422 where the name is taken. */
export async function withFreeName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'name')) throw error
    throw fieldError({ name: ['This name is already in use.'] })
  }
}
