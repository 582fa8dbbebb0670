import { Badge } from '@mantine/core'
import type { DocumentState } from '@gatehouse/contract'
import { documentStateColors, documentStateWords } from './document-words.ts'

export function DocumentBadge({ state }: { state: DocumentState }) {
  return (
    <Badge color={documentStateColors[state]} variant={state === 'unknown' ? 'filled' : 'light'}>
      {documentStateWords[state]}
    </Badge>
  )
}
