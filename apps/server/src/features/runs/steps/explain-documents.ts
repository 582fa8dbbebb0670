import type { DocumentState } from '@gatehouse/contract'
import type { DocumentVerdicts } from './judge-documents.ts'

const words: Partial<Record<DocumentState, string>> = {
  accepted: 'accepted',
  not_accepted: 'rejected',
  pending: 'not decided yet',
  unknown: 'unknown',
}

const namedMax = 3

/** What became of several documents, in one line: "2 accepted, 1 rejected: A-7 (No TIN)." */
export function explainDocuments(documents: DocumentVerdicts): string {
  const counts = Object.entries(words).flatMap(([state, word]) => {
    const count = [...documents.values()].filter((each) => each.state === state).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const refused = [...documents].filter(([, { state }]) => state === 'not_accepted')
  const named = refused
    .slice(0, namedMax)
    .map(([reference, { message }]) =>
      message ? `${reference} (${message.replace(/\.$/, '')})` : reference,
    )
  const more = refused.length > namedMax ? ' …' : ''
  const which = named.length === 0 ? '' : `: ${named.join(', ')}${more}`
  return `Of its ${documents.size} documents ${counts.join(', ')}${which}.`
}
