import type { DocumentState } from '@gatehouse/contract'
import type { DocumentVerdict, DocumentVerdicts } from './judge-documents.ts'

const words: Partial<Record<DocumentState | 'duplicate', string>> = {
  accepted: 'accepted',
  not_accepted: 'rejected',
  duplicate: 'already there',
  pending: 'not decided yet',
  unknown: 'unknown',
}

const namedMax = 3

const kindOf = ({ isDuplicate, state }: DocumentVerdict) => (isDuplicate ? 'duplicate' : state)

const named: ReadonlySet<string> = new Set(['not_accepted', 'duplicate'])

/** What became of several documents, in one line: "2 accepted, 1 rejected: A-7 (No TIN)." */
export function explainDocuments(documents: DocumentVerdicts): string {
  const counts = Object.entries(words).flatMap(([state, word]) => {
    const count = [...documents.values()].filter((each) => kindOf(each) === state).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const refused = [...documents].filter(([, each]) => named.has(kindOf(each)))
  const shown = refused
    .slice(0, namedMax)
    .map(([reference, { message }]) =>
      message ? `${reference} (${message.replace(/\.$/, '')})` : reference,
    )
  const more = refused.length > namedMax ? ' …' : ''
  const which = shown.length === 0 ? '' : `: ${shown.join(', ')}${more}`
  const foreign = [...documents.values()].some(({ isDuplicate }) => isDuplicate)
    ? ' What is there was not sent from here before: say what became of it.'
    : ''
  return `Of its ${documents.size} documents ${counts.join(', ')}${which}.${foreign}`
}
