import type {
  DocumentDetail,
  DocumentRecord,
  DocumentRegister,
  Permission,
} from '@gatehouse/contract'
import { readRow } from '../../db/tables/column.ts'
import { documentShown } from '../../db/tables/documents.ts'
import { AppError } from '../../kernel/app-error.ts'
import { can, type Caller } from '../../kernel/caller.ts'
import type {
  DocumentFilter,
  DocumentHistoryStore,
  DocumentWithRuns,
} from './document-history-store.ts'

/** Screens that name registers. */
const readers: readonly Permission[] = [
  'run.view',
  'api.view',
  'alarm.view',
  'reconciliation.view',
  'archive.view',
]

/** Shows the documents that runs carried. Reads only: runs write the ledger. */
export class DocumentService {
  readonly #documents: DocumentHistoryStore

  constructor(documents: DocumentHistoryStore) {
    this.#documents = documents
  }

  list(filter: DocumentFilter) {
    return this.#documents.list(filter)
  }

  /** None for a caller who may see neither documents nor APIs. */
  async listRegisters(caller: Caller): Promise<DocumentRegister[]> {
    const mayRead = readers.some((permission) => can(caller, permission))
    return mayRead ? this.#documents.listRegisters() : []
  }

  async show(id: number): Promise<DocumentDetail> {
    const documents = this.#documents
    const document = await documents.find(id)
    if (!document) throw new AppError('document.not_found')
    const { original_reference, is_test, register } = document
    const original =
      original_reference === null
        ? undefined
        : await documents.findWithRuns({
            register,
            kind: 'tax',
            is_test,
            reference: original_reference,
          })
    const credits = document.kind === 'tax' ? await documents.listCredits(document) : []
    return {
      ...toDocumentRecord(document),
      qr: document.qr,
      history: await documents.listRuns(id),
      credit_notes: credits.map(toDocumentRecord),
      original: original ? toDocumentRecord(original) : null,
    }
  }
}

export const toDocumentRecord = (row: DocumentWithRuns): DocumentRecord => ({
  ...readRow(documentShown, row),
  runs: row.runs,
})
