import { referenceKey } from '@gatehouse/contract/reference-key'
import { claimDocument } from '../../src/features/runs/ledger/documents/document-ledger.ts'
import { settleDocument } from '../../src/features/runs/ledger/documents/document-settlement.ts'
import { readStored } from '../../src/features/runs/answers/read-body.ts'
import { inTransactionOn } from '../../src/stores.ts'
import type { TestServer } from '../servers/build-server.ts'

/** The columns of a real tax document that say which one it is. */
export const keyOf = (reference: string, register = 'default') =>
  ({
    kind: 'tax',
    is_test: 0,
    register,
    reference,
    reference_key: referenceKey(reference),
  }) as const

interface CarriedDocument {
  reference: string
  kind?: 'tax' | 'credit'
  isTest?: boolean
  original?: string
  state: 'succeeded' | 'unknown' | 'rejected'
  answer?: string
}

/** A run of one step that carried a document. */
export async function carryDocument(
  server: TestServer,
  { reference, kind = 'tax', isTest = false, original, state, answer }: CarriedDocument,
) {
  const now = server.time.now.toISOString()
  const { id: runId } = await server.db
    .insertInto('run')
    .values({
      kind,
      state,
      is_test: isTest ? 1 : 0,
      user_id: server.admin.id,
      user_name: 'Ada',
      request_id: 'r',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const inTransaction = inTransactionOn(server.db, { now: () => server.time.now })
  await inTransaction(async (stores) => {
    const at = { runId, position: 1, now }
    const originalReference = original ?? null
    const claim = { ...at, kind, isTest, register: 'default', reference, originalReference }
    await claimDocument(stores, claim)
    await settleDocument(stores, {
      ...at,
      state,
      outcome: null,
      settings: { authority_reference_path: 'number', qr_path: 'qr' },
      ...(answer === undefined ? {} : { answer: () => readStored(answer) }),
    })
  })
}
