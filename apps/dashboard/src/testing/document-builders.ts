import type { DocumentDetail, DocumentRecord } from '@gatehouse/contract'

/** Records that satisfy the contract; a test names only what it is about. */
export function buildDocument(changes: Partial<DocumentRecord> = {}): DocumentRecord {
  return {
    id: 5,
    register: 'Tax office',
    reference: 'INV-2026-0005',
    kind: 'tax',
    is_test: false,
    state: 'accepted',
    authority_reference: 'EIN00091',
    original_reference: null,
    run_id: 12,
    runs: 1,
    created_at: '2026-06-01T08:00:00.000Z',
    updated_at: '2026-06-01T08:00:05.000Z',
    ...changes,
  }
}

export function buildDocumentDetail(changes: Partial<DocumentDetail> = {}): DocumentDetail {
  return {
    ...buildDocument(),
    qr: null,
    history: [
      {
        id: 12,
        kind: 'tax',
        state: 'succeeded',
        position: 2,
        document_state: 'accepted',
        user_name: 'Ada Admin',
        created_at: '2026-06-01T08:00:00.000Z',
        finished_at: '2026-06-01T08:00:05.000Z',
      },
    ],
    credit_notes: [],
    original: null,
    ...changes,
  }
}
