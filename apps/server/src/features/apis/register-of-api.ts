import { registerMax } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Stores } from '../../stores.ts'
import type { ApiRow } from './api-store.ts'

/** A register named like this that no API has: a new API shares none unless it says so. */
export async function freeRegister(
  apis: Pick<Stores['apis'], 'hasRegister'>,
  name: string,
): Promise<string> {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` (${number})`
    const register = `${name.slice(0, registerMax - end.length)}${end}`
    if (!(await apis.hasRegister(register))) return register
  }
}

/**
 * Throws where the API can't leave its register: a document that is not decided is guarded by its number there, or
 * nobody has confirmed that documents stay there. Claims wait until this transaction has ended.
 */
export async function refuseRegisterChange(
  { documents }: Pick<Stores, 'documents'>,
  { id, document_register: from }: Pick<ApiRow, 'id' | 'document_register'>,
  { to, isConfirmed }: { to: string; isConfirmed: boolean },
): Promise<void> {
  await documents.holdClaimsOf(id)
  const open = await documents.listOpenOfApi(id, from, shownMax)
  if (open.count > 0) {
    const names = open.references.join(', ') + (open.count > open.references.length ? ', …' : '')
    const message = `${documentsAre(open.count)} open or unknown in the register ${from}: ${names}. Settle that first.`
    throw new AppError('api.register_in_use', {
      message,
      fields: { document_register: [message] },
      extra: { documents: open.count, references: open.references },
    })
  }
  const documentsCount = await documents.countOfApi(id, from)
  if (documentsCount === 0 || isConfirmed) return
  const what = documentsCount === 1 ? '1 document stays' : `${documentsCount} documents stay`
  const message = `${what} in the register ${from}: a number that was accepted there may be sent again in ${to}.`
  throw new AppError('api.register_change', {
    message,
    fields: { document_register: [message] },
    extra: { documents: documentsCount },
  })
}

const documentsAre = (count: number) => (count === 1 ? '1 document is' : `${count} documents are`)

const shownMax = 5
